//! What a reader is told of itself, out of the views that it holds.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use ygg_domain::turn::retry::ATTEMPTS;

use super::Views;
use super::fresh::{sorted, text};

impl Views {
    pub fn is_agent(&self) -> bool {
        self.agents.contains_key(&self.me)
    }

    pub fn is_person(&self) -> bool {
        self.me.starts_with("human.")
    }

    /// A person's is the sum of what is theirs.
    fn unread(&self) -> i64 {
        let theirs = self.topics.values().filter(|topic| topic["concerns_you"] == true);
        let sum = || theirs.map(|topic| topic["unread"].as_i64().unwrap_or(0)).sum();
        if self.is_person() { sum() } else { self.unread }
    }

    pub fn role(&self) -> &str {
        self.people.get(&self.me).and_then(|me| me["role"].as_str()).unwrap_or_default()
    }

    pub fn may_write(&self) -> bool {
        matches!(self.role(), "member" | "admin" | "owner")
    }

    pub fn may_fund(&self) -> bool {
        matches!(self.role(), "admin" | "owner")
    }

    /// As `me` tells it.
    pub fn about_me(&self) -> Value {
        let whole = if self.is_agent() { &self.agents[&self.me] } else { &self.people[&self.me] };
        let mine = |topic: &&Value| topic["states"].get(&self.me).is_some() && topic["status"] != "closed";
        let mut topics: Value = self.topics.values().filter(mine).map(|topic| self.my_topic(topic)).collect();
        sorted(&mut topics);
        let held = |topic: &&Value| topic["opener"] == *self.me && topic["states"][&self.me] != "done";
        let in_it = |one: &&Value| {
            one["participants"].as_array().is_some_and(|all| all.iter().any(|who| *who == *self.me))
        };
        let mut conversations: Value =
            self.conversations.values().filter(in_it).map(|one| one["id"].clone()).collect();
        sorted(&mut conversations);
        let my = self.wakes.values().filter(|wake| wake["agent"] == *self.me);
        let waiting: BTreeSet<_> = my.map(|wake| wake["topic_id"].as_str()).collect();
        let mut me = json!({
            "id": self.me,
            "kind": if self.is_agent() { "agent" } else { "person" },
            "display_name": whole["display_name"],
            "workspace": self.workspace,
            "paused": whole["paused"] == true,
            "conversations": conversations,
            "topics_held": self.topics.values().filter(mine).filter(held).count(),
            "unread": self.unread(),
            "wakes_waiting": waiting.len(),
            "topics": topics,
        });
        if self.is_agent() {
            me["topic_limit"] = self.topic_limit.clone();
            let wallet = &whole["wallet"];
            me["pot"] = if wallet.is_null() { json!("pool") } else { json!(format!("wallet:{}", self.me)) };
            me["balance"] = wallet.clone();
        } else {
            me["role"] = whole["role"].clone();
        }
        me
    }

    fn my_topic(&self, topic: &Value) -> Value {
        let here = || self.messages.values().filter(|message| message["topic_id"] == topic["id"]);
        let open = |message: &Value, by: Option<&str>| {
            let mut to = message["recipients"].as_array().into_iter().flatten();
            to.any(|one| one["debt"] == "open" && by.is_none_or(|by| one["id"] == by))
        };
        let ids = |which: &dyn Fn(&Value) -> bool| -> Value {
            let mut ids =
                here().filter(|message| which(message)).map(|message| message["id"].clone()).collect();
            sorted(&mut ids);
            ids
        };
        let mut mine = Map::from_iter([
            ("id".to_owned(), topic["id"].clone()),
            ("status".to_owned(), topic["status"].clone()),
            ("state".to_owned(), topic["states"][&self.me].clone()),
            ("opened_by_me".to_owned(), json!(topic["opener"] == *self.me)),
            ("owes".to_owned(), ids(&|message| open(message, Some(&self.me)))),
            ("owed".to_owned(), ids(&|message| message["sender"] == *self.me && open(message, None))),
        ]);
        mine.extend(topic.get("title").map(|title| ("title".to_owned(), title.clone())));
        Value::Object(mine)
    }

    /// As `needs-you` tells it.
    pub fn needs_me(&self) -> Value {
        let mut found = Vec::new();
        let mut add = |kind: &str, topic: &Value| {
            let mut waits = Map::from_iter([
                ("kind".to_owned(), json!(kind)),
                ("topic_id".to_owned(), topic["id"].clone()),
            ]);
            waits.extend(topic.get("title").map(|title| ("title".to_owned(), title.clone())));
            found.push(Value::Object(waits));
        };
        for topic in self.topics.values() {
            if self.may_write() && topic["paused_for"] == "needs_human" {
                add("needs_human", topic);
            }
            if self.may_write() && topic["stalled"] == true {
                add("stalled", topic);
            }
            if self.asked.contains(&text(topic, "id")) && topic["status"] != "closed" {
                add("closing", topic);
            }
        }
        if self.may_fund() {
            found.extend(self.short.values().cloned());
        }
        let failing = self.wakes.values().filter(|wake| wake["failed"].as_u64() >= Some(ATTEMPTS.into()));
        let failing: BTreeSet<_> = failing.map(|wake| text(wake, "agent")).collect();
        let operates = |agent: &String| {
            let all = self.agents.get(agent).and_then(|agent| agent["operators"].as_array());
            // One without operators is every member's.
            let mine = all.is_some_and(|all| all.is_empty() || all.iter().any(|one| *one == *self.me));
            self.may_fund() || self.may_write() && mine
        };
        found.extend(
            failing.into_iter().filter(operates).map(|agent| json!({"kind": "failing", "agent": agent})),
        );
        let mut found = Value::Array(found);
        sorted(&mut found);
        found
    }
}
