//! Credits: pots, the ledger, grants.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::credits::Entry;
use ygg_domain::time::Timestamp;

use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreditsView {
    pub pool: i64,
    /// Agent id to the credits of its own wallet.
    pub wallets: BTreeMap<String, i64>,
    /// Topic id to what is left of its budget.
    pub budgets: BTreeMap<String, i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EntryView {
    pub seq: i64,
    pub at: String,
    /// `pool`, `wallet:<agent>` or `budget:<topic>`.
    pub pot: String,
    pub amount: i64,
    /// What the pot held after it.
    pub balance: i64,
    /// `opening`, `grant`, `message` or `no_topic`.
    pub reason: String,
    pub by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
}

impl EntryView {
    pub fn new(seq: i64, at: Timestamp, entry: &Entry) -> Self {
        Self {
            seq,
            at: time::text(at),
            pot: entry.pot.to_string(),
            amount: entry.amount,
            balance: entry.balance,
            reason: entry.reason.name().to_owned(),
            by: entry.by.to_string(),
            message_id: entry.message.map(|id| id.to_string()),
        }
    }
}

/// Credits to hand out. An agent that is funded by itself gets a wallet of its own.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// `pool`, an agent's id or a topic's id; or the pot's own name, such as `wallet:codex`.
    pub to: String,
    /// A whole number from 1 up; 0 opens the empty wallet of an agent that has none.
    pub credits: i64,
}
