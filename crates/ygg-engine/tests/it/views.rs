//! Views as a console keeps them: read once, and from then on told by events.

use std::collections::BTreeMap;

use futures::StreamExt;
use serde_json::{Value, json};
use ygg_engine::Caller;
use ygg_wire::event::Event;

use crate::world::{World, told};

/// Everything after a place in the log, to its end now, that the reader may see.
pub async fn events(world: &World, who: &Caller, after: i64) -> Vec<Event> {
    let engine = &world.engine;
    let mut found = Vec::new();
    // A marker that everybody sees tells where to stop.
    let owner = &world.callers[0];
    let edit = ygg_wire::participant::AgentEdit::default();
    engine.edit_agent(owner, "d", edit).await.expect("an edit");
    let last = engine.last_seq(who).await.expect("a place");
    let mut stream = engine.subscribe(who, after).await.expect("a stream");
    while let Some(event) = stream.next().await {
        let event = event.expect("an event");
        let end = event.seq >= last;
        // It also opens with one that is no change.
        if event.kind != "stream.opened" {
            found.push(event);
            if end {
                break;
            }
        }
    }
    found
}

/// What a reader holds.
#[derive(Debug, Default, PartialEq)]
pub struct Views {
    after: i64,
    topics: BTreeMap<String, Value>,
    conversations: BTreeMap<String, Value>,
    people: BTreeMap<String, Value>,
    agents: BTreeMap<String, Value>,
    groups: BTreeMap<String, Value>,
    /// Of those who may see them.
    pots: BTreeMap<String, i64>,
    unread: i64,
    me: String,
}

fn by_id(list: &Value, id: &str) -> BTreeMap<String, Value> {
    let entries = list.as_array().into_iter().flatten();
    entries.map(|entry| (entry[id].as_str().expect("an id").to_owned(), entry.clone())).collect()
}

impl Views {
    pub async fn read(world: &World, who: &Caller) -> Self {
        let engine = &world.engine;
        let after = engine.last_seq(who).await.expect("a place");
        let directory = told(engine.directory(who).await);
        let credits = told(engine.credits(who).await);
        let me = told(engine.me(who).await);
        let mut pots = BTreeMap::new();
        if let Some(pool) = credits["pool"].as_i64() {
            pots.insert("pool".to_owned(), pool);
            for (agent, held) in credits["wallets"].as_object().into_iter().flatten() {
                pots.insert(format!("wallet:{agent}"), held.as_i64().expect("credits"));
            }
        }
        Self {
            after,
            topics: by_id(&told(engine.topics(who, None, None, 200).await)["items"], "id"),
            conversations: by_id(&told(engine.conversations(who, None, 200).await)["items"], "id"),
            people: by_id(&directory["people"], "id"),
            agents: by_id(&directory["agents"], "id"),
            groups: by_id(&directory["groups"], "name"),
            pots,
            unread: me["unread"].as_i64().expect("a number"),
            me: me["id"].as_str().expect("an id").to_owned(),
        }
    }

    fn is_person(&self) -> bool {
        self.me.starts_with("human.")
    }

    /// A person's is the sum of what is theirs.
    fn unread(&self) -> i64 {
        let theirs = self.topics.values().filter(|topic| topic["concerns_you"] == true);
        let sum = || theirs.map(|topic| topic["unread"].as_i64().unwrap_or(0)).sum();
        if self.is_person() { sum() } else { self.unread }
    }

    fn apply(&mut self, event: &Event) {
        let me = self.me.clone();
        let data = &event.data;
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        match event.kind.as_str() {
            "topic.opened" => {
                let mut topic = data.clone();
                // To whom a topic is new, all of it is unread.
                if self.is_person() {
                    topic["unread"] = json!(0);
                    topic["read_seq"] = json!(0);
                    topic["concerns_you"] = json!(false);
                }
                self.topics.insert(text("id"), topic);
            }
            "cursor.moved" => self.topic(data, |topic| {
                for field in ["unread", "read_seq", "concerns_you"] {
                    topic[field] = data[field].clone();
                }
            }),
            "topic.marked" => {
                if let Some(topic) = self.topics.get_mut(&text("id")) {
                    let topic = topic.as_object_mut().expect("a topic");
                    for field in ["status", "paused_for", "stalled", "looped"] {
                        topic.remove(field);
                        topic.extend(data.get(field).map(|now| (field.to_owned(), now.clone())));
                    }
                }
            }
            "topic.left" => self.topic(data, |topic| {
                let who = text("participant");
                for map in ["states", "waiting_for"] {
                    topic.get_mut(map).and_then(Value::as_object_mut).map(|map| map.remove(&who));
                }
            }),
            "topic.titled" => self.topic(data, |topic| topic["title"] = data["title"].clone()),
            "topic.closed" => self.topic(data, |topic| {
                topic["status"] = json!("closed");
                let fields = topic.as_object_mut().expect("a topic");
                fields.remove("stalled");
                fields.remove("paused_for");
                topic["closed_at"] = json!(event.at);
            }),
            "topic.state" => self.topic(data, |topic| {
                let who = text("participant");
                if topic.get("concerns_you").is_some() && who == me {
                    topic["concerns_you"] = json!(true);
                }
                topic["states"][&who] = data["state"].clone();
                let mut waits = topic["waiting_for"].as_object().cloned().unwrap_or_default();
                waits.remove(&who);
                waits.extend(data.get("waiting_for").map(|whom| (who, whom.clone())));
                let topic = topic.as_object_mut().expect("a topic");
                topic.remove("waiting_for");
                topic.extend((!waits.is_empty()).then(|| ("waiting_for".to_owned(), Value::Object(waits))));
            }),
            "conversation.created" => drop(self.conversations.insert(text("id"), data.clone())),
            "participant.left" if text("participant") == self.me => self.forget(&text("conversation_id")),
            "participant.joined" | "participant.left" => {
                let Some(found) = self.conversations.get_mut(&text("conversation_id")) else { return };
                let in_it = found["participants"].as_array_mut().expect("a list");
                in_it.retain(|one| *one != data["participant"]);
                if event.kind == "participant.joined" {
                    in_it.push(data["participant"].clone());
                    in_it.sort_by_key(|one| one.as_str().map(str::to_owned));
                }
            }
            "participant.added" | "participant.changed" => {
                if let Some(person) = data.get("person") {
                    let id = person["id"].as_str().expect("an id").to_owned();
                    // Whoever has left is in no directory.
                    match person["removed"].as_bool() {
                        Some(true) => drop(self.people.remove(&id)),
                        Some(false) | None => drop(self.people.insert(id, person.clone())),
                    }
                }
                if let Some(agent) = data.get("agent") {
                    let id = agent["id"].as_str().expect("an id").to_owned();
                    let wallet = self.agents.get(&id).and_then(|known| known.get("wallet").cloned());
                    let mut agent = agent.clone();
                    if let Some(wallet) = wallet {
                        agent["wallet"] = wallet;
                    }
                    self.agents.insert(id, agent);
                }
            }
            "participant.removed" => drop(self.agents.remove(&text("participant"))),
            "group.set" => drop(self.groups.insert(text("name"), data.clone())),
            "credits.moved" => {
                let pot = text("pot");
                if let Some(agent) = pot.strip_prefix("wallet:").and_then(|agent| self.agents.get_mut(agent))
                {
                    agent["wallet"] = data["balance"].clone();
                }
                self.pots.insert(pot, data["balance"].as_i64().expect("credits"));
            }
            "conversation.message.posted" => {
                let message = &data["message"];
                let to = message["recipients"].as_array().into_iter().flatten();
                let to_me = to.filter(|one| one["id"] == self.me).count() > 0;
                if self.is_person() {
                    let own = message["sender"] == self.me;
                    self.topic(message, |topic| {
                        topic["unread"] = json!(topic["unread"].as_i64().unwrap_or(0) + i64::from(!own));
                        topic["concerns_you"] = json!(topic["concerns_you"] == true || to_me);
                    });
                } else {
                    self.unread += i64::from(to_me);
                }
            }
            "delivery.roused" if text("recipient") == self.me => {
                self.unread += i64::from(data["again"] == true);
            }
            "delivery.handed" if text("recipient") == self.me => {
                self.unread -= data["message_ids"].as_array().map_or(0, |ids| ids.len() as i64);
            }
            "delivery.returned" if text("recipient") == self.me => {
                self.unread += data["message_ids"].as_array().map_or(0, |ids| ids.len() as i64);
            }
            _ => {}
        }
    }

    /// Whoever leaves a conversation reads on only where it is a party.
    fn forget(&mut self, conversation: &str) {
        self.conversations.remove(conversation);
        let me = &self.me;
        self.topics
            .retain(|_, topic| topic["conversation_id"] != conversation || topic["states"].get(me).is_some());
    }

    fn topic(&mut self, data: &Value, change: impl FnOnce(&mut Value)) {
        if let Some(topic) = data["topic_id"].as_str().and_then(|id| self.topics.get_mut(id)) {
            change(topic);
        }
    }
}

/// The old views, told what happened since, equal what is read now.
pub async fn check_views(world: &World, who: &Caller, mut old: Views) {
    let happened = events(world, who, old.after).await;
    for event in &happened {
        old.apply(event);
    }
    let fresh = Views::read(world, who).await;
    let known = |fresh: &BTreeMap<String, Value>, old: &BTreeMap<String, Value>| {
        // Whoever is let into a conversation reads it then: what was there before is in no event since.
        fresh.iter().filter(|(id, _)| old.contains_key(*id)).map(|(_, view)| view.clone()).collect::<Vec<_>>()
    };
    let whose = &old.me;
    let values = |views: &BTreeMap<String, Value>| views.values().cloned().collect::<Vec<_>>();
    assert_eq!(values(&old.topics), known(&fresh.topics, &old.topics), "topics of {whose}");
    assert_eq!(
        values(&old.conversations),
        known(&fresh.conversations, &old.conversations),
        "conversations of {whose}"
    );
    assert_eq!(old.people, fresh.people, "people for {whose}");
    assert_eq!(old.agents, fresh.agents, "agents for {whose}");
    assert_eq!(old.groups, fresh.groups, "groups for {whose}");
    for (pot, held) in &fresh.pots {
        assert_eq!(old.pots.get(pot), Some(held), "{pot} for {whose}");
    }
    assert_eq!(fresh.unread(), fresh.unread, "the sum of {whose}");
    if old.topics.len() == fresh.topics.len() {
        assert_eq!(old.unread(), fresh.unread, "unread of {whose}");
    }
}
