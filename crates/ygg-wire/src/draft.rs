//! A draft as callers send it. Reading it is lenient: what has the wrong type is told back, not rejected [M5].

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use ygg_domain::Refusal;
use ygg_domain::message::RawDraft;

/// One message to send.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct Draft {
    /// Participant ids, `@handle`, `group:<name>` or `conversation`; one string or a list.
    #[schema(value_type = Vec<String>)]
    pub to: Value,
    /// `request`, `response` or `inform`. Anything else becomes an inform.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// A topic's id, or `new`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// 1 to 120 characters on one line; owed by the first agent that writes in a topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// At most 256 KiB; kept byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// JSON that the backend does not interpret, at most 64 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub body: Option<Value>,
    /// Ids of files that were uploaded before, 16 at most. With them, the text may be left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<String>,
    /// The request that a response answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_reply_to: Option<String>,
    /// `working`, `waiting`, `needs_human` or `done`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Whom you wait for; one string or a list. Goes with `waiting`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub waiting_for: Option<Value>,
    /// Where a new topic goes, if not where its recipients say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// The same key again within 24 hours is the same send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// Fields in which an empty string is the same as none.
const LEFT_OUT: [&str; 4] = ["in_reply_to", "state", "conversation_id", "idempotency_key"];

/// Levels of arrays and objects in a body: every reader of JSON can take these.
const BODY_DEPTH: usize = 64;

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Reads a draft from whatever JSON came in.
pub fn read(value: Value) -> Result<RawDraft, Refusal> {
    let Value::Object(mut fields) = value else {
        return Err(Refusal::invalid("Send a JSON object with to, type, topic_id and text."));
    };
    if fields.get("body").is_some_and(|body| depth(body) > BODY_DEPTH) {
        return Err(Refusal::invalid(format!("Nest the body at most {BODY_DEPTH} levels deep.")));
    }
    let mut wrong = Vec::new();
    let mut raw = RawDraft {
        to: list(&mut fields, "to", &mut wrong),
        kind: text(&mut fields, "type", &mut wrong),
        topic_id: text(&mut fields, "topic_id", &mut wrong),
        title: text(&mut fields, "title", &mut wrong),
        text: text(&mut fields, "text", &mut wrong),
        body: fields.remove("body").filter(|body| !body.is_null()).map(|body| body.to_string()),
        attachments: attachments(&mut fields)?,
        in_reply_to: text(&mut fields, "in_reply_to", &mut wrong),
        state: text(&mut fields, "state", &mut wrong),
        waiting_for: list(&mut fields, "waiting_for", &mut wrong),
        conversation_id: text(&mut fields, "conversation_id", &mut wrong),
        idempotency_key: text(&mut fields, "idempotency_key", &mut wrong),
        wrong: Vec::new(),
        ignored: fields.into_iter().map(|(name, _)| name.chars().take(64).collect()).take(32).collect(),
    };
    raw.wrong = wrong;
    Ok(raw)
}

fn text(
    fields: &mut Map<String, Value>,
    name: &'static str,
    wrong: &mut Vec<&'static str>,
) -> Option<String> {
    match fields.remove(name) {
        None | Some(Value::Null) => None,
        // Some clients fill every field in: an empty string stands for none where it could stand for nothing else.
        Some(Value::String(text)) if text.is_empty() && LEFT_OUT.contains(&name) => None,
        Some(Value::String(text)) => Some(text),
        Some(_) => {
            wrong.push(name);
            None
        }
    }
}

/// One string or a list of strings.
fn list(fields: &mut Map<String, Value>, name: &'static str, wrong: &mut Vec<&'static str>) -> Vec<String> {
    match fields.remove(name) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(entries)) => {
            let whole = entries.len();
            let texts: Vec<String> = entries
                .into_iter()
                .filter_map(|entry| if let Value::String(text) = entry { Some(text) } else { None })
                .collect();
            if texts.len() < whole {
                wrong.push(name);
            }
            texts
        }
        Some(_) => {
            wrong.push(name);
            Vec::new()
        }
    }
}

/// One id or a list of them; what an upload was answered with stands for its id. Anything else is refused: a file that
/// was meant to go along must not be left behind.
fn attachments(fields: &mut Map<String, Value>) -> Result<Vec<String>, Refusal> {
    let entries = match fields.remove("attachments") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(one) => vec![one],
    };
    let id = |entry: Value| match entry {
        Value::String(id) => Some(id),
        Value::Object(mut file) => match file.remove("id") {
            Some(Value::String(id)) => Some(id),
            Some(_) | None => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    };
    entries.into_iter().map(id).collect::<Option<_>>().ok_or_else(|| {
        Refusal::invalid("Give attachments as a list of ids of files (fil_…). Nothing was sent.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_string_or_a_list_is_the_same() {
        let one = read(json!({"to": "b", "text": "x"})).expect("an object");
        let list = read(json!({"to": ["b"], "text": "x", "title": null})).expect("an object");
        assert_eq!(one, list);
    }

    #[test]
    fn wrong_types_and_unknown_fields_are_told_apart() {
        let raw = read(json!({"to": ["b", 7], "text": "x", "title": 5, "from": "ana", "hop": 0}))
            .expect("an object");
        assert_eq!(raw.to, ["b"]);
        assert_eq!(raw.wrong, ["to", "title"]);
        assert_eq!(raw.ignored, ["from", "hop"]);
        let blank = read(json!({"text": "x", "state": "", "in_reply_to": "", "idempotency_key": ""}))
            .expect("an object");
        assert_eq!((blank.state, blank.in_reply_to, blank.idempotency_key), (None, None, None));
        let files = |attachments: Value| read(json!({"text": "x", "attachments": attachments}));
        for list in [json!(["fil_1"]), json!("fil_1"), json!([{"id": "fil_1", "name": "a", "size": 1}])] {
            assert_eq!(files(list).expect("it reads").attachments, ["fil_1"]);
        }
        for none in [json!(null), json!([])] {
            assert!(files(none).expect("it reads").attachments.is_empty());
        }
        for bad in [json!(7), json!([7]), json!(["fil_1", null]), json!([{"name": "a"}]), json!([["fil_1"]])]
        {
            assert!(files(bad).is_err(), "a file is not lost without a word");
        }
        let deep = (0..65).fold(json!(1), |inner, _| json!([inner]));
        assert!(read(json!({"text": "x", "body": deep})).is_err());
        assert!(read(json!("hello")).is_err());
        assert!(read(json!([1])).is_err());
    }
}
