//! What a client sends, as JSON.

use serde_json::{Map, Value, json};

use super::step::{Forged, Kind, Line, Place, Says, To, Who, Words};
use super::world::{Said, World};

/// None where it names what is not there.
pub fn draft(world: &World, n: u32, by: Who, line: &Line) -> Option<Value> {
    if line.forged == Some(Forged::NoObject) {
        return Some(json!([to(&line.to), "request", "hello"]));
    }
    let mut fields = Map::from_iter([
        ("to".to_owned(), json!(to(&line.to))),
        ("type".to_owned(), json!(kind(line.kind))),
        ("title".to_owned(), json!(format!("T{n}"))),
    ]);
    let mut set = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    if let Some(text) = text(&world.said, n, by, line)? {
        set("text", json!(text));
    }
    match line.place {
        Place::Nowhere => {}
        Place::New => set("topic_id", json!("new")),
        Place::NewIn(group) => {
            set("topic_id", json!("new"));
            set("conversation_id", json!(world.groups.get(usize::from(group))?));
        }
        Place::In(opened) => set("topic_id", json!(world.said.topics.get(&opened)?)),
        Place::Nonsense => set("topic_id", json!("top_nonsense")),
    }
    if let Some(answered) = line.answers {
        set("in_reply_to", json!(world.said.messages.get(&answered)?.id));
    }
    if let Some(says) = line.says {
        set("state", json!(state(says)));
    }
    if !line.waiting_for.is_empty() {
        set("waiting_for", json!(to(&line.waiting_for)));
    }
    if line.keyed {
        set("idempotency_key", json!(format!("step {n}")));
    }
    match line.forged {
        None | Some(Forged::NoObject) => {}
        Some(Forged::Sender) => set("from", json!("system.ygg")),
        Some(Forged::Charge) => set("charged", json!(-1_000)),
        Some(Forged::Hop) => set("hop", json!(0)),
        Some(Forged::WrongTypes) => {
            set("state", json!(["done"]));
            set("in_reply_to", json!(7));
        }
        Some(Forged::OldKey) => set("idempotency_key", json!("an old key")),
    }
    Some(Value::Object(fields))
}

/// None within where it is left out; none at all where it repeats what was never said.
fn text(said: &Said, n: u32, by: Who, line: &Line) -> Option<Option<String>> {
    Some(match line.words {
        Words::Own => Some(format!("step {n} by {by}")),
        Words::Same(which) => Some(format!("The same again, {which}!")),
        Words::Echo(message) => Some(said.messages.get(&message)?.text.clone()),
        Words::Long(chars) => {
            let begins = format!("step {n} by {by} ");
            let rest = usize::try_from(chars).unwrap_or(0).saturating_sub(begins.chars().count());
            Some(begins + &"é".repeat(rest))
        }
        Words::Nothing => None,
    })
}

/// The text that it has, for whoever sends it back.
pub fn words(said: &Said, n: u32, by: Who, line: &Line) -> String {
    text(said, n, by, line).flatten().unwrap_or_default()
}

fn to(whom: &[To]) -> Vec<String> {
    let address = |to: &To| match to {
        To::Agent(number) => format!("a{number}"),
        To::Person(number) => format!("@p{number}"),
        To::Group(number) => format!("group:g{number}"),
        To::Conversation => "conversation".to_owned(),
        To::Backend => "system.ygg".to_owned(),
        To::Nobody => "@nobody".to_owned(),
    };
    whom.iter().map(address).collect()
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Request => "request",
        Kind::Response => "response",
        Kind::Inform => "inform",
        Kind::Question => "question",
    }
}

pub fn state(says: Says) -> &'static str {
    match says {
        Says::Working => "working",
        Says::Waiting => "waiting",
        Says::NeedsHuman => "needs_human",
        Says::Done => "done",
        Says::Finished => "finished",
    }
}
