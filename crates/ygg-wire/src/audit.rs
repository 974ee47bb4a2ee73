//! The audit log as it is shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use ygg_domain::audit::{Datum, Entry};
use ygg_domain::id::AuditId;
use ygg_domain::time::Timestamp;

use crate::time;

/// One act. Entries that are the same, such as one sender's refusals for one reason in one topic, are one that counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditView {
    pub id: String,
    /// What was done, such as `key_made` or `send_refused`.
    pub kind: String,
    /// Who did it; `server` for the server's operator.
    pub by: String,
    /// The last time.
    pub at: String,
    pub first_at: String,
    pub times: i64,
    /// Whom it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// Ids, names and numbers; nothing that somebody wrote.
    #[schema(value_type = Object)]
    pub data: BTreeMap<String, Value>,
}

impl AuditView {
    /// `when`: the first time, the last time, and how many there were.
    pub fn new(id: AuditId, entry: &Entry, when: (Timestamp, Timestamp, i64)) -> Self {
        let (first_at, at, times) = when;
        let value = |datum: &Datum| match datum {
            Datum::Name(name) => Value::from(name.as_str()),
            Datum::Number(number) => Value::from(*number),
        };
        Self {
            id: id.to_string(),
            kind: entry.kind.name().to_owned(),
            by: entry.by.as_ref().map_or_else(|| "server".to_owned(), ToString::to_string),
            at: time::text(at),
            first_at: time::text(first_at),
            times,
            participant: entry.participant.as_ref().map(ToString::to_string),
            conversation_id: entry.conversation.map(|id| id.to_string()),
            topic_id: entry.topic.map(|id| id.to_string()),
            data: entry.data.iter().map(|(name, datum)| (name.clone(), value(datum))).collect(),
        }
    }
}
