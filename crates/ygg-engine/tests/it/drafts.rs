//! Whatever JSON a sender makes up: a message or a refusal comes of it, what was dropped is listed, and what is kept
//! is kept byte for byte [M2, M5].

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use ygg_wire::Receipt;

use crate::made_up;
use crate::world::World;

const FIELDS: [&str; 18] = [
    "to",
    "type",
    "topic_id",
    "title",
    "text",
    "body",
    "attachments",
    "in_reply_to",
    "state",
    "waiting_for",
    "conversation_id",
    "idempotency_key",
    "from",
    "hop",
    "held",
    "human",
    "sent_at",
    "\u{0}",
];
const WORDS: [&str; 20] = [
    "a",
    "b",
    "@ana",
    "group:team",
    "conversation",
    "system.ygg",
    "new",
    "request",
    "response",
    "inform",
    "working",
    "waiting",
    "needs_human",
    "done",
    "top_00000000000000000000000000",
    "",
    " ",
    "\u{0}",
    "\u{202e}x",
    "é\u{301}\r\n",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        6 => prop::sample::select(&WORDS[..]).prop_map(Value::from),
        2 => any::<String>().prop_map(Value::from),
        1 => (".", 0usize..300_000).prop_map(|(letter, times)| Value::from(letter.repeat(times))),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Mostly a draft that would do, with some fields made up.
fn draft() -> impl Strategy<Value = Value> {
    let made_up = prop::collection::vec((prop::sample::select(&FIELDS[..]), value()), 0..5);
    let sound = (any::<bool>(), "\\PC{1,40}").prop_map(|(sound, text)| {
        let fields = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": text});
        if sound { fields } else { json!({}) }
    });
    let object = (sound, made_up).prop_map(|(sound, made_up)| {
        let Value::Object(mut fields) = sound else { unreachable!("it is an object") };
        fields.extend(made_up.into_iter().map(|(name, value)| (name.to_owned(), value)));
        Value::Object(fields)
    });
    prop_oneof![9 => object, 1 => value()]
}

/// Fields that are of the wrong type or unknown: each has to be told back.
fn has_to_be_noted(fields: &Map<String, Value>) -> Vec<&str> {
    let ill = |name: &str, value: &Value| match name {
        "to" | "waiting_for" | "body" | "attachments" => false,
        "type" | "topic_id" | "title" | "text" | "in_reply_to" | "state" | "conversation_id"
        | "idempotency_key" => !value.is_null() && !value.is_string(),
        _ => true,
    };
    fields.iter().filter(|(name, value)| ill(name, value)).map(|(name, _)| name.as_str()).collect()
}

async fn check(world: &World, by: usize, draft: Value) {
    let who = &world.callers[by];
    let sent = world.engine.send(who, draft.clone()).await;
    let receipt = sent.unwrap_or_else(|error| panic!("{}: {error}, not an answer, to {draft}", world.store));
    let Receipt { outcome, message_id, reason, help, notes, .. } = &receipt;
    match outcome.as_str() {
        "refused" => {
            assert!(message_id.is_none() && reason.is_some() && help.is_some(), "{receipt:?}");
            return;
        }
        "absorbed" => return,
        _ => assert_eq!(outcome, "delivered"),
    }
    let Value::Object(fields) = &draft else { panic!("only an object is a draft: {draft}") };
    if !receipt.duplicate {
        for name in has_to_be_noted(fields) {
            assert!(notes.iter().any(|note| note.field == name), "{name} is not noted: {receipt:?}");
        }
    }
    let kept = world.engine.message(who, message_id.as_deref().expect("an id")).await.expect("it is there");
    assert_eq!(Some(kept.text.as_str()), fields["text"].as_str());
    assert_eq!(kept.body.as_ref(), fields.get("body").filter(|body| !body.is_null()));
}

#[test]
fn whatever_is_sent_a_message_or_a_refusal_comes_of_it() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let worlds = runtime.block_on(World::everywhere());
    let senders = prop::sample::select(vec![0usize, 2, 3, 4]);
    let outcome = TestRunner::new(made_up::config(200)).run(&(senders, draft()), |(by, draft)| {
        for world in &worlds {
            runtime.block_on(check(world, by, draft.clone()));
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
