//! Errors of the API as `application/problem+json`, and refusals as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use ygg_domain::{Refusal, limits};

use crate::Receipt;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// `/errors/<reason>`: the page that explains it.
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub status: u16,
    /// The permanent code.
    pub reason: String,
    /// One sentence that says what to do.
    pub help: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub facts: BTreeMap<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who_can_lift: Option<String>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// By which the server's log has this request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// For a refused send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Box<Receipt>>,
}

impl Problem {
    pub fn new(status: u16, reason: &str, help: impl Into<String>) -> Self {
        Self {
            kind: format!("/errors/{reason}"),
            title: title(reason),
            status,
            reason: reason.to_owned(),
            help: help.into(),
            facts: BTreeMap::new(),
            who_can_lift: None,
            retry_after: None,
            request_id: None,
            receipt: None,
        }
    }
}

impl From<&Refusal> for Problem {
    fn from(refusal: &Refusal) -> Self {
        let mut problem = Self::new(status(refusal.code()), refusal.code(), refusal.help());
        problem.facts = facts(refusal);
        problem.who_can_lift = Some(refusal.who_can_lift().name().to_owned());
        problem.retry_after = retry_after(refusal);
        problem
    }
}

/// A refused send, with its whole receipt.
impl From<Receipt> for Problem {
    fn from(receipt: Receipt) -> Self {
        let reason = receipt.reason.clone().unwrap_or_default();
        let mut problem = Self::new(status(&reason), &reason, receipt.help.clone().unwrap_or_default());
        problem.facts.clone_from(&receipt.facts);
        problem.who_can_lift.clone_from(&receipt.who_can_lift);
        problem.retry_after = receipt.retry_after;
        problem.receipt = Some(Box::new(receipt));
        problem
    }
}

/// `topic_limit` → `Topic limit`.
fn title(reason: &str) -> String {
    let mut title = reason.replace('_', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    title
}

/// The HTTP status of a refusal's code (docs/errors).
pub fn status(code: &str) -> u16 {
    match code {
        "credits_exhausted" => 402,
        "forbidden" | "door_closed" => 403,
        "unknown_topic" | "not_found" => 404,
        "topic_limit"
        | "topic_closed"
        | "hop_limit"
        | "chain_limit"
        | "turn_limit"
        | "idempotency_conflict"
        | "agent_paused"
        | "workspace_paused"
        | "conflict"
        | "last_owner" => 409,
        "too_large" => 413,
        "rate_limited" => 429,
        _ => 422,
    }
}

pub fn retry_after(refusal: &Refusal) -> Option<u64> {
    refusal.retry_after().map(|wait| wait.as_secs().max(1))
}

/// What a refusal was decided on, by names that stay (docs/errors).
pub fn facts(refusal: &Refusal) -> BTreeMap<String, Value> {
    let facts = match refusal {
        Refusal::TopicRequired
        | Refusal::IdempotencyConflict
        | Refusal::InvalidMessage { .. }
        | Refusal::RateLimited { .. }
        | Refusal::AgentPaused
        | Refusal::WorkspacePaused
        | Refusal::NoSuchCode { .. }
        | Refusal::LastOwner => json!({}),
        Refusal::TitleRequired { problem } => json!({"max_chars": limits::TITLE_CHARS, "problem": problem}),
        Refusal::TopicLimit { limit, held } => json!({
            "limit_topics": limit,
            "topics": held.iter().map(|topic| topic.id.to_string()).collect::<Vec<_>>(),
        }),
        Refusal::TopicClosed { topic } => json!({"topic_id": topic.to_string()}),
        Refusal::CreditsExhausted { needed, balance, pot } => json!({
            "pot": pot,
            "needed_credits": needed,
            "available_credits": balance,
            "shortfall_credits": needed - balance,
        }),
        Refusal::UnknownRecipient { unknown } => json!({"names": unknown}),
        Refusal::UnknownTopic { topic } => json!({"topic_id": topic}),
        Refusal::TooLarge { what, size, limit, unit } => {
            json!({"what": what, "size": size, "limit": limit, "unit": unit.name()})
        }
        Refusal::Forbidden { needs } => json!({"needs": needs}),
        Refusal::NotFound { what } => json!({"what": what}),
        Refusal::Taken { name } => json!({"id": name}),
    };
    match facts {
        Value::Object(facts) => facts.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            BTreeMap::new()
        }
    }
}
