//! Receipts: what the sender of a message is told (docs/rules/protocol.md, Receipt).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::message::{self, Outcome};
use ygg_domain::topic::Status;

use crate::problem;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    /// `delivered`, `held`, `refused` or `absorbed`.
    pub outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// Questions put to people before the message may go.
    pub question_ids: Vec<String>,
    /// The code of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What a refusal was decided on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Object)]
    pub facts: BTreeMap<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who_can_lift: Option<String>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// What was dropped from the draft, and why.
    pub notes: Vec<Note>,
    pub recipients: Vec<Recipient>,
    /// Credits.
    pub charged: i64,
    /// Credits left in the paying pot; absent for people, who pay nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<TopicAfter>,
    /// Place in the workspace's event log; 0 when nothing was written there.
    pub seq: i64,
    /// This send was made before under the same key; nothing was done again.
    pub duplicate: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Note {
    pub field: String,
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recipient {
    pub id: String,
    /// `wake`, `context`, `notify` or `held`.
    pub effect: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TopicAfter {
    /// `open`, `paused` or `closed`.
    pub status: String,
    /// Participant id to state.
    pub states: BTreeMap<String, String>,
}

/// `open`, `paused` or `closed`.
pub fn status_name(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Paused(_) => "paused",
        Status::Closed => "closed",
    }
}

impl From<message::Receipt> for Receipt {
    fn from(receipt: message::Receipt) -> Self {
        let id = |id: &dyn std::fmt::Display| id.to_string();
        let (outcome, refusal) = match &receipt.outcome {
            Outcome::Delivered => ("delivered", None),
            Outcome::Absorbed => ("absorbed", None),
            Outcome::Refused(refusal) => ("refused", Some(refusal)),
        };
        Self {
            outcome: outcome.to_owned(),
            message_id: receipt.message.as_ref().map(|at| id(at)),
            topic_id: receipt.topic.as_ref().map(|at| id(at)),
            conversation_id: receipt.conversation.as_ref().map(|at| id(at)),
            question_ids: Vec::new(),
            reason: refusal.map(|refusal| refusal.code().to_owned()),
            help: refusal.map(|refusal| refusal.help()),
            facts: refusal.map(problem::facts).unwrap_or_default(),
            who_can_lift: refusal.map(|refusal| refusal.who_can_lift().name().to_owned()),
            retry_after: refusal.and_then(problem::retry_after),
            notes: receipt
                .notes
                .into_iter()
                .map(|repair| Note { field: repair.field, note: repair.note })
                .collect(),
            recipients: receipt
                .recipients
                .into_iter()
                .map(|(id, effect)| Recipient {
                    id: id.to_string(),
                    effect: effect.name().to_owned(),
                    reason: effect.reason().map(str::to_owned),
                })
                .collect(),
            charged: receipt.charged,
            balance: receipt.balance,
            topic: receipt.after.map(|after| TopicAfter {
                status: status_name(after.status).to_owned(),
                states: after
                    .parties
                    .into_iter()
                    .map(|party| (party.participant.to_string(), party.state.name().to_owned()))
                    .collect(),
            }),
            seq: 0,
            duplicate: false,
        }
    }
}
