//! What is said in a random history: most of it within topics, by those who have a part in them and to each other, so
//! that it goes through; and some of it by anybody to anybody.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use crate::history::{Made, nth};
use crate::world::{CALLERS, PEOPLE, World};

#[derive(Debug, Clone)]
pub struct Send {
    by: usize,
    to: Vec<&'static str>,
    kind: &'static str,
    place: Place,
    state: Option<&'static str>,
    waiting_for: Vec<&'static str>,
    key: Option<usize>,
    chars: usize,
    /// One of the sender's own files, or at 0 of anybody's.
    file: Option<usize>,
    /// The same words as others say, or words of its own.
    echoes: bool,
}

#[derive(Debug, Clone)]
enum Place {
    /// A new topic, in the conversation of that number or wherever its recipients say.
    New(Option<usize>),
    /// The sender is the one of that number among those who have a part in it; so is whom it writes to.
    Within { topic: usize, to: Vec<usize> },
    /// In it, by anybody and to anybody.
    Into { topic: usize, answers: Option<usize> },
    /// An answer of one whom a message was addressed to.
    Answer { message: usize, by: usize },
}

/// What was said so far, as receipts told: the same on every store.
#[derive(Debug, Clone, Default)]
pub struct Said {
    topics: Vec<String>,
    /// Of each topic.
    parties: BTreeMap<String, Vec<String>>,
    messages: Vec<Message>,
}

#[derive(Debug, Clone)]
struct Message {
    id: String,
    topic: String,
    by: String,
    to: Vec<String>,
}

pub const TO: [&str; 16] = [
    "a",
    "b",
    "c",
    "d",
    "@ana",
    "@max",
    "@vic",
    "group:team",
    "group:crew",
    "conversation",
    "system.ygg",
    "@nobody",
    "@a",
    "hired",
    "@kim",
    "@lou",
];
const STATES: [&str; 5] = ["working", "waiting", "needs_human", "done", "finished"];

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        3 => prop::option::weighted(0.2, 0usize..8).prop_map(Place::New),
        8 => (0usize..6, prop::collection::vec(0usize..5, 0..3)).prop_map(|(topic, to)| Place::Within { topic, to }),
        2 => (0usize..9, prop::option::of(0usize..30)).prop_map(|(topic, answers)| Place::Into { topic, answers }),
        6 => (0usize..9, 0usize..3).prop_map(|(message, by)| Place::Answer { message, by }),
    ]
}

pub fn send() -> impl Strategy<Value = Send> {
    let to = prop_oneof![4 => select(&TO[..7]).boxed(), 1 => select(&TO[..]).boxed()];
    // One who only looks on writes less.
    let by = prop_oneof![6 => PEOPLE.len()..CALLERS, 3 => 0usize..2, 1 => Just(2usize)];
    let first = (by, prop::collection::vec(to, 1..4));
    let kind = select(vec!["request", "request", "request", "inform", "inform", "response", "question"]);
    let state = prop::option::weighted(0.4, select(&STATES[..]));
    let waiting_for = prop::collection::vec(select(&TO[..]), 0..3);
    let chars = select(vec![1usize, 10, 10, 10, 10, 10, 10, 10, 999, 1_001, 7_000]);
    let file = prop::option::weighted(0.3, 0usize..6);
    let rest = (prop::option::weighted(0.15, 0usize..3), chars, file, prop::bool::weighted(0.15));
    (first, kind, place(), state, waiting_for, rest).prop_map(
        |((by, to), kind, place, state, waiting_for, (key, chars, file, echoes))| Send {
            by,
            to,
            kind,
            place,
            state,
            waiting_for,
            key,
            chars,
            file,
            echoes,
        },
    )
}

impl Said {
    pub fn topics(&self) -> &[String] {
        &self.topics
    }

    /// The id of a message.
    pub fn message(&self, number: usize) -> &str {
        pick(&self.messages, number).map_or("none", |message| &message.id)
    }

    fn topic(&self, number: usize) -> Option<&str> {
        pick(&self.topics, number).map(String::as_str)
    }

    pub fn learn(&mut self, by: &str, receipt: &Value) {
        let text = |field: &str| receipt[field].as_str().map(str::to_owned);
        let Some(topic) = text("topic_id") else { return };
        if !self.topics.contains(&topic) {
            self.topics.push(topic.clone());
        }
        if let Some(states) = receipt["topic"]["states"].as_object() {
            self.parties.insert(topic.clone(), states.keys().cloned().collect());
        }
        let to = receipt["recipients"].as_array().into_iter().flatten();
        let to = to.filter_map(|one| one["id"].as_str().map(str::to_owned)).collect();
        if let Some(id) = text("message_id").filter(|_| receipt["duplicate"] != true) {
            self.messages.push(Message { id, topic, by: by.to_owned(), to });
        }
    }
}

/// The newest are the likeliest to be talked about; none while there are none.
fn pick<T>(from: &[T], number: usize) -> Option<&T> {
    from.iter().rev().nth(number % from.len().max(1))
}

impl Send {
    /// Who sends it.
    pub fn by(&self, said: &Said, world: &World) -> usize {
        let among = |ids: &[String], number: usize| {
            let callers: Vec<usize> = ids.iter().filter_map(|id| world.index(id)).collect();
            callers.get(number % callers.len().max(1)).copied()
        };
        let found = match &self.place {
            Place::New(_) | Place::Into { .. } => None,
            Place::Within { topic, .. } => {
                let topic = said.topic(*topic);
                topic.and_then(|topic| said.parties.get(topic)).and_then(|parties| among(parties, self.by))
            }
            Place::Answer { message, by } => {
                pick(&said.messages, *message).and_then(|message| among(&message.to, *by))
            }
        };
        found.unwrap_or(self.by)
    }

    pub fn draft(&self, made: &Made, by: &str, number: usize) -> Value {
        let said = &made.said;
        let mark = if self.echoes { String::new() } else { format!("{number} ") };
        let mut draft = Map::from_iter([
            ("to".to_owned(), json!(self.to)),
            ("type".to_owned(), json!(self.kind)),
            ("topic_id".to_owned(), json!("new")),
            ("title".to_owned(), json!(format!("T{number}"))),
            ("text".to_owned(), json!(mark + &"é".repeat(self.chars))),
        ]);
        let mut set = |name: &str, value: Option<Value>| {
            draft.extend(value.map(|value| (name.to_owned(), value)));
        };
        let mut waits = self.waiting_for.iter().map(|one| json!(one)).collect::<Vec<_>>();
        match &self.place {
            Place::New(None) => {}
            Place::New(Some(place)) => {
                set("conversation_id", pick(&made.conversations, *place).map(|id| json!(id)));
            }
            Place::Within { topic, to } => {
                let topic = said.topic(*topic);
                set("topic_id", topic.map(|topic| json!(topic)));
                let parties = topic.and_then(|topic| said.parties.get(topic)).cloned().unwrap_or_default();
                let others: Vec<String> = parties.into_iter().filter(|id| id != by).collect();
                let to: Vec<Value> =
                    to.iter().filter_map(|one| pick(&others, *one)).map(|id| json!(id)).collect();
                let whom = if to.is_empty() { vec![json!("conversation")] } else { to };
                waits.truncate(1);
                waits.extend(whom.iter().take(1).cloned());
                set("to", topic.map(|_| Value::Array(whom)));
            }
            Place::Into { topic, answers } => {
                set("topic_id", said.topic(*topic).map(|topic| json!(topic)));
                let ids: Vec<String> = said.messages.iter().map(|message| message.id.clone()).collect();
                let answers = answers.filter(|_| self.kind == "response");
                set("in_reply_to", answers.map(|message| json!(nth(&ids, message))));
            }
            Place::Answer { message, .. } => {
                if let Some(message) = pick(&said.messages, *message) {
                    set("topic_id", Some(json!(message.topic)));
                    set("to", Some(json!(message.by)));
                    set("type", Some(json!("response")));
                    set("in_reply_to", Some(json!(message.id)));
                }
            }
        }
        set("attachments", self.file.and_then(|file| made.file(by, file)).map(|file| json!([file])));
        set("state", self.state.map(Value::from));
        set("idempotency_key", self.key.map(|key| json!(format!("key-{key}"))));
        let waits = Some(waits).filter(|waits| !waits.is_empty() && self.state == Some("waiting"));
        set("waiting_for", waits.map(Value::Array));
        Value::Object(draft)
    }
}
