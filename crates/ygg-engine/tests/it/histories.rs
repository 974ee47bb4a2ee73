//! The same history leads to the same answers on every store, and what the events tell is what is read.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use ygg_engine::AuditQuery;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::task::TaskAction;

use crate::history::{Act, Made, act};
use crate::made_up;
use crate::views::{Followers, events, mark};
use crate::world::{AGENTS, World, told};

/// Histories of one run; `PROPTEST_CASES` asks for more.
const HISTORIES: u32 = 6;

fn histories() -> impl Strategy<Value = Vec<Act>> {
    prop::collection::vec(act(), 1..70)
}

/// Runs `check` on random histories and makes one that fails smaller.
fn check(check: impl AsyncFn(Vec<Act>)) {
    let config = Config { max_shrink_iters: 60, ..made_up::config(HISTORIES) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let outcome = TestRunner::new(config).run(&histories(), |history| {
        runtime.block_on(check(history));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Everything that everybody can read, as data.
async fn reads(world: &World, made: &Made) -> Value {
    let engine = &world.engine;
    let mut read = Vec::new();
    let last = mark(world).await;
    for who in &world.callers {
        let mut topics = Vec::new();
        for topic in made.topics() {
            let messages = told(engine.messages(who, topic, 0, 200).await);
            let turns = told(engine.turns_of_topic(who, topic, None, 200).await);
            topics.push(json!([told(engine.topic(who, topic).await), messages, turns]));
        }
        let mut peeked = told(engine.inbox(who, ReadInbox { peek: true, again: false }).await);
        peeked["text"] = Value::Null;
        let mut turns = Vec::new();
        for agent in AGENTS {
            turns.push(told(engine.turns_of_agent(who, agent, None, 200).await));
        }
        let mut files = Vec::new();
        for file in made.files() {
            files.push(told(engine.file(who, file, &[]).await.map(|fetched| (fetched.about, fetched.tag))));
        }
        let mut found = Vec::new();
        for query in ["T1", "new", "é", "a"] {
            let sought = ygg_domain::search::read(query).expect("a query");
            found.push(told(engine.search(who, sought, None, 200).await));
        }
        read.push(json!({
            "found": found,
            "files": files,
            "me": told(engine.me(who).await),
            "directory": told(engine.directory(who).await),
            "keys": told(engine.keys(who).await),
            "conversations": told(engine.conversations(who, None, 200).await),
            "list": told(engine.topics(who, None, None, 200).await),
            "credits": told(engine.credits(who).await),
            "ledger": told(engine.ledger(who, None, 200).await),
            "sums": told(engine.check_ledger(who).await),
            "audit": told(engine.audit(who, AuditQuery { limit: 200, ..AuditQuery::default() }).await),
            "tasks": told(engine.tasks(who, TaskAction::List {}).await),
            "events": told(Ok(events(world, who, 0, last).await)),
            "topics": topics,
            "turns": turns,
            "inbox": peeked,
        }));
    }
    Value::Array(read)
}

/// The first place where two answers differ.
fn difference(at: &str, one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(place, (one, other))| difference(&format!("{at}/{place}"), one, other))
        }
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().find_map(|(name, value)| difference(&format!("{at}/{name}"), value, &other[name]))
        }
        _ => (one != other).then(|| format!("{at}: {one} and {other}")),
    }
}

#[test]
fn every_store_gives_the_same_answers_to_the_same_history() {
    check(async |history| {
        let worlds = World::everywhere().await;
        let mut made = Made::default();
        for (number, act) in history.iter().enumerate() {
            let first = worlds[0].act(act, &made, number).await;
            for world in &worlds[1..] {
                let answer = world.act(act, &made, number).await;
                if let Some(difference) = difference("", &first, &answer) {
                    panic!("{} to {act:?}: {difference}", world.store);
                }
            }
            let by = act.by(&made, &worlds[0]);
            made.learn(worlds[0].name(by), &first);
        }
        let first = reads(&worlds[0], &made).await;
        for world in &worlds[1..] {
            if let Some(difference) = difference("", &first, &reads(world, &made).await) {
                panic!("{}: {difference}", world.store);
            }
        }
    });
}

/// After each step of a history every view that a reader holds, told by the events since it was read, equals a fresh
/// reading of it [A1]. Each reader holds two: one read before anything happened, and one begun on the way.
#[test]
fn an_old_view_and_its_events_are_a_fresh_read() {
    check(async |history| {
        let world = World::memory().await;
        let mut made = Made::default();
        let mut followers = Followers::begin(&world).await;
        for (number, act) in history.iter().enumerate() {
            let by = act.by(&made, &world);
            let answer = world.act(act, &made, number).await;
            made.learn(world.name(by), &answer);
            followers.follow(&world).await;
            if number == history.len() / 2 {
                followers.begin_again(&world).await;
            }
        }
    });
}
