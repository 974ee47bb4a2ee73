//! What there is besides the first exchanges: runs that fail, reminders, files, words taken out, what a person has read
//! and where they are told. A file of before has none of it.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use ygg_domain::notification::Way;
use ygg_domain::notification::outbox::Attempt;
use ygg_engine::{Caller, Carried, Courier, Engine, ManualClock, Parcel};
use ygg_wire::credits::Grant;
use ygg_wire::key::NewKey;
use ygg_wire::notification::SetNotifications;
use ygg_wire::participant::NewAgent;
use ygg_wire::turn::{BeginTurn, EndTurn};

const NOTES: &[u8] = b"what was said\n";

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    /// Of an agent that runs; its run over this message failed, and it was reminded of it.
    runner: String,
    failed: String,
    /// Carried by a message that all of the team may read.
    file: String,
    redacted: String,
    /// A person has read all of it.
    read: String,
}

/// Nothing is called from here.
struct Stays;

impl Courier for Stays {
    fn carry<'a>(&'a self, _: &'a Parcel) -> Carried<'a> {
        Box::pin(async { Attempt::Arrived })
    }

    fn sends_mail(&self) -> bool {
        false
    }

    fn check(&self, _: &Way) -> Result<(), String> {
        Ok(())
    }
}

pub async fn make(engine: &Engine, clock: &ManualClock, owner: &Caller) -> Facts {
    let engine = engine.clone().with_courier(Arc::new(Stays));
    let webhook = Some("https://hooks.example.com/".to_owned());
    let told = SetNotifications { webhook, ..SetNotifications::default() };
    engine.set_notifications(owner, told).await.expect("it is set");
    let writer = &agent(&engine, owner, "asker", "none").await;
    let runner = agent(&engine, owner, "runner", "relay").await;

    let asked = json!({"to": "runner", "type": "request", "topic_id": "new", "title": "A build", "text": "build it",
        "state": "waiting", "waiting_for": "runner"});
    let asked = engine.send(writer, asked).await.expect("it is delivered");
    let (failed, topic) = (asked.message_id.expect("a message"), asked.topic_id.expect("a topic"));
    let begin = BeginTurn { taker: "relay".into(), topic_id: None, lease_seconds: None };
    let turn = engine.begin_turn(&runner, begin).await.expect("an answer").turn.expect("a turn");
    let end = EndTurn { outcome: "failed".into(), usd: Some(0.5), tokens: Some(900), ..EndTurn::default() };
    engine.end_turn(&runner, &turn.id, end).await.expect("it ends");

    let file =
        engine.upload(writer, Some("notes.txt".into()), None, NOTES.to_vec()).await.expect("it is kept").id;
    let said = json!({"to": "runner", "type": "inform", "topic_id": topic, "text": "the notes", "attachments": [file]});
    engine.send(writer, said).await.expect("it is delivered");
    let secret = json!({"to": "runner", "type": "inform", "topic_id": topic, "text": "the password is fish"});
    let secret = engine.send(writer, secret).await.expect("it is delivered").message_id.expect("a message");
    engine.redact(owner, &secret).await.expect("it is taken out");
    engine.read_topic(owner, &topic, i64::MAX).await.expect("it is read");

    let question = json!({"to": "@ana", "type": "request", "topic_id": "new", "title": "A question", "text": "may I?",
        "state": "needs_human"});
    engine.send(writer, question).await.expect("it is delivered");
    let poor = agent(&engine, owner, "poor", "none").await;
    engine.grant(owner, Grant { to: "poor".into(), credits: 0 }).await.expect("an empty wallet");
    let short =
        json!({"to": "writer", "type": "request", "topic_id": "new", "title": "Poor", "text": "a coin?"});
    assert_eq!(engine.send(&poor, short).await.expect("an answer").outcome, "refused");

    clock.advance(Duration::from_secs(11 * 60));
    engine.fire_timers().await.expect("timers");
    engine.look_for_news().await.expect("news");
    Facts { runner: "runner".into(), failed, file, redacted: secret, read: topic }
}

async fn agent(engine: &Engine, owner: &Caller, id: &str, wake: &str) -> Caller {
    let new = NewAgent { id: id.to_owned(), wake: Some(wake.to_owned()), ..NewAgent::default() };
    engine.add_agent(owner, new).await.expect("a new agent");
    let new = NewKey { participant: id.to_owned(), label: String::new() };
    let key = engine.make_key(owner, new).await.expect("a key").key;
    engine.authenticate(Some("team"), &key).await.expect("the agent")
}

pub async fn check(engine: &Engine, owner: &Caller, facts: &Facts) {
    let turns = engine.turns_of_agent(owner, &facts.runner, None, 10).await.expect("a page").items;
    let told: Vec<_> = turns.iter().map(|turn| (turn.status.as_str(), turn.usd, turn.tokens)).collect();
    assert_eq!(told, [("failed", Some(0.5), Some(900))]);
    let failed = engine.message(owner, &facts.failed).await.expect("it is there");
    assert_eq!(failed.recipients[0].step, "pending", "it is tried again");
    let file = engine.file(owner, &facts.file, &[]).await.expect("it is there");
    assert_eq!(file.content.as_deref(), Some(NOTES));
    let redacted = engine.message(owner, &facts.redacted).await.expect("it is there");
    assert!(redacted.text == "[redacted]" && redacted.redacted.is_some());
    let topic = engine.topic(owner, &facts.read).await.expect("it is there");
    assert_eq!(topic.unread, Some(0));
    let outlet = engine.notifications(owner).await.expect("an answer").outlet.expect("an outlet");
    assert!(outlet.address.starts_with("https://hooks.example.com"));
}
