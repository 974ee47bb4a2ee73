//! What a send puts on the wire: the draft as its sender writes it, names of the file replaced by ids.

use serde_json::{Map, Value};

use super::bound::Bound;
use crate::scenario::{Draft, Names, Say, Word};

/// What the file leaves out is left out.
pub fn of_draft(draft: &Draft, bound: &Bound) -> Result<Value, String> {
    let word = |word: &Option<Word>| -> Result<Option<Value>, String> {
        Ok(match word {
            None => None,
            Some(Word::Plain(text)) => Some(Value::from(text.as_str())),
            Some(Word::Ref(named)) => Some(Value::from(bound.id(named)?)),
        })
    };
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    let names = |names: &Option<Names>| {
        names.as_ref().map(|names| match names {
            Names::One(name) => Value::from(name.as_str()),
            Names::Several(names) => Value::from(names.as_slice()),
        })
    };
    let fields = [
        ("to", names(&draft.to)),
        ("type", text(&draft.kind)),
        ("topic_id", word(&draft.topic)?),
        ("title", text(&draft.title)),
        ("text", text(&draft.text)),
        ("state", text(&draft.state)),
        ("waiting_for", names(&draft.waiting_for)),
        ("in_reply_to", word(&draft.in_reply_to)?),
        ("conversation_id", word(&draft.conversation)?),
        ("idempotency_key", text(&draft.key)),
    ];
    Ok(object(fields))
}

/// A line at a prompt is a request in the direct of the two.
pub fn of_say(say: &Say, bound: &Bound) -> Result<Value, String> {
    let topic = say.topic.as_ref().map_or(Ok("new"), |topic| bound.id(topic))?;
    Ok(object([
        ("to", Some(Value::from(say.to.as_str()))),
        ("type", Some(Value::from("request"))),
        ("topic_id", Some(Value::from(topic))),
        ("text", Some(Value::from(say.text.as_str()))),
    ]))
}

fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let named = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(named.collect::<Map<_, _>>())
}
