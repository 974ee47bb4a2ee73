//! A reader's views, read.

use serde_json::Value;
use ygg_engine::Caller;
use ygg_wire::task::TaskAction;

use super::{Rows, Views, turns};
use crate::world::{World, told};

/// What is read, and what the reader alone is told of itself.
pub struct Read {
    pub views: Views,
    pub me: Value,
    pub needs_you: Value,
}

pub fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// An agent that lacks credits, and where.
pub fn lack(short: &Value) -> String {
    format!("{} {}", text(short, "agent"), text(short, "topic_id"))
}

pub fn sorted(list: &mut Value) {
    list.as_array_mut().expect("a list").sort_by_key(ToString::to_string);
}

pub async fn read(world: &World, who: &Caller) -> Read {
    let engine = &world.engine;
    let directory = told(engine.directory(who).await);
    let mut me = told(engine.me(who).await);
    let id = |one: &Value| text(one, "id");
    let mut views = Views {
        me: id(&me),
        after: engine.last_seq(who).await.expect("a place"),
        topics: rows(&told(engine.topics(who, None, None, 200).await)["items"], id),
        conversations: rows(&told(engine.conversations(who, None, 200).await)["items"], id),
        people: rows(&directory["people"], id),
        agents: rows(&directory["agents"], id),
        groups: rows(&directory["groups"], |group| text(group, "name")),
        keys: rows(&told(engine.keys(who).await), id),
        invites: rows(&told(engine.invites(who).await), id),
        unread: me["unread"].as_i64().expect("a number"),
        topic_limit: me["topic_limit"].clone(),
        workspace: me["workspace"].clone(),
        ..Views::default()
    };
    // The use of a key is noted to the hour, and no event tells of it.
    for key in views.keys.values_mut() {
        key.as_object_mut().expect("a key").remove("used_at");
    }
    let tasks = told(engine.tasks(who, TaskAction::List {}).await);
    views.tasks = rows(&tasks, id);
    let places: Vec<_> = tasks.as_array().into_iter().flatten().map(|task| task["place"].as_u64()).collect();
    assert!(places.is_sorted(), "a list is in its order: {tasks}");
    read_messages(&mut views, world, who).await;
    views.turns = turns::read(&views, world, who).await;
    read_credits(&mut views, world, who).await;
    let mut needs_you = told(engine.needs_you(who).await);
    for waits in needs_you.as_array().expect("a list") {
        match waits["kind"].as_str().expect("a kind") {
            "credits" => drop(views.short.insert(lack(waits), waits.clone())),
            "closing" => drop(views.asked.insert(text(waits, "topic_id"))),
            _ => {}
        }
    }
    sorted(&mut needs_you);
    in_order(&mut me);
    Read { views, me, needs_you }
}

pub fn rows(list: &Value, name: impl Fn(&Value) -> String) -> Rows {
    list.as_array().into_iter().flatten().map(|entry| (name(entry), entry.clone())).collect()
}

/// Lists whose order means nothing; and what the pool holds, whose movements are for those who fund.
fn in_order(me: &mut Value) {
    sorted(&mut me["conversations"]);
    sorted(&mut me["topics"]);
    for topic in me["topics"].as_array_mut().expect("topics") {
        sorted(&mut topic["owes"]);
        sorted(&mut topic["owed"]);
    }
    if me["pot"] == "pool" {
        me["balance"] = Value::Null;
    }
}

async fn read_messages(views: &mut Views, world: &World, who: &Caller) {
    for topic in views.topics.keys() {
        let mut after = 0;
        loop {
            let page = told(world.engine.messages(who, topic, after, 200).await);
            views.messages.extend(rows(&page["items"], |message| text(message, "id")));
            match page["next"].as_str() {
                Some(next) => after = next.parse().expect("a place"),
                None => break,
            }
        }
    }
}

async fn read_credits(views: &mut Views, world: &World, who: &Caller) {
    let credits = told(world.engine.credits(who).await);
    if credits["pool"].is_null() {
        return;
    }
    views.pots.insert("pool".to_owned(), credits["pool"].clone());
    for (pot, all) in [("wallet", &credits["wallets"]), ("budget", &credits["budgets"])] {
        for (of, held) in all.as_object().into_iter().flatten() {
            views.pots.insert(format!("{pot}:{of}"), held.clone());
        }
    }
    let mut before = None;
    loop {
        let page = told(world.engine.ledger(who, before, 200).await);
        views.ledger.extend(rows(&page["items"], |entry| entry["seq"].to_string()));
        match page["next"].as_str() {
            Some(next) => before = Some(next.parse().expect("a place")),
            None => break,
        }
    }
}
