//! Refusals as data: a permanent code, one sentence of help, the facts and who can lift it (docs/errors).

use std::time::Duration;

use crate::id::TopicId;
use crate::render::counted;

/// A topic named in a refusal. The title is data written by others: surfaces fence it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTopic {
    pub id: TopicId,
    pub title: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    TopicRequired,
    /// `problem`: why the title that was given does not do, if one was.
    TitleRequired {
        problem: Option<&'static str>,
    },
    TopicLimit {
        limit: u32,
        held: Vec<HeldTopic>,
    },
    TopicClosed {
        topic: TopicId,
    },
    CreditsExhausted {
        needed: i64,
        balance: i64,
        pot: String,
    },
    UnknownRecipient {
        unknown: Vec<String>,
    },
    UnknownTopic {
        topic: String,
    },
    InvalidMessage {
        problem: String,
    },
    TooLarge {
        what: &'static str,
        size: usize,
        limit: usize,
        unit: Unit,
    },
    IdempotencyConflict,
    RateLimited {
        retry_after: Duration,
    },
    AgentPaused,
    WorkspacePaused,
    /// `needs`: what would be needed, in words.
    Forbidden {
        needs: &'static str,
    },
    NotFound {
        what: &'static str,
    },
    /// A code that is good once, and is not good any more or never was. `help`: how to come by another.
    NoSuchCode {
        help: &'static str,
    },
    Taken {
        name: String,
    },
    /// A workspace has an owner at all times [W3].
    LastOwner,
}

/// What a size is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    /// Unicode scalar values.
    Chars,
    Entries,
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Chars => "characters",
            Self::Entries => "entries",
        }
    }
}

/// Who can lift a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifter {
    /// The sender itself, by sending differently or later.
    Sender,
    Operators,
    /// Admins and owners.
    Admins,
    Nobody,
}

impl Lifter {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Operators => "operators",
            Self::Admins => "admins",
            Self::Nobody => "nobody",
        }
    }
}

impl Refusal {
    pub fn invalid(problem: impl Into<String>) -> Self {
        Self::InvalidMessage { problem: problem.into() }
    }

    /// The permanent code; each has a page `docs/errors/<code>.md`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TopicRequired => "topic_required",
            Self::TitleRequired { .. } => "title_required",
            Self::TopicLimit { .. } => "topic_limit",
            Self::TopicClosed { .. } => "topic_closed",
            Self::CreditsExhausted { .. } => "credits_exhausted",
            Self::UnknownRecipient { .. } => "unknown_recipient",
            Self::UnknownTopic { .. } => "unknown_topic",
            Self::InvalidMessage { .. } => "invalid_message",
            Self::TooLarge { .. } => "too_large",
            Self::IdempotencyConflict => "idempotency_conflict",
            Self::RateLimited { .. } => "rate_limited",
            Self::AgentPaused => "agent_paused",
            Self::WorkspacePaused => "workspace_paused",
            Self::Forbidden { .. } => "forbidden",
            Self::NotFound { .. } | Self::NoSuchCode { .. } => "not_found",
            Self::Taken { .. } => "conflict",
            Self::LastOwner => "last_owner",
        }
    }

    /// The rule that refuses.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::TopicRequired => "T1",
            Self::TitleRequired { .. } => "T2",
            Self::TopicLimit { .. } => "T3",
            Self::TopicClosed { .. } => "T4",
            Self::CreditsExhausted { .. } => "C4",
            Self::UnknownRecipient { .. } => "M6",
            Self::UnknownTopic { .. } | Self::NotFound { .. } | Self::NoSuchCode { .. } => "W1",
            Self::InvalidMessage { .. } | Self::TooLarge { .. } => "M5",
            Self::IdempotencyConflict => "M8",
            Self::RateLimited { .. } => "O9",
            Self::AgentPaused | Self::WorkspacePaused => "K5c",
            Self::Forbidden { .. } | Self::LastOwner => "W3",
            Self::Taken { .. } => "W2",
        }
    }

    pub fn who_can_lift(&self) -> Lifter {
        match self {
            Self::TopicRequired
            | Self::TitleRequired { .. }
            | Self::TopicLimit { .. }
            | Self::UnknownRecipient { .. }
            | Self::UnknownTopic { .. }
            | Self::InvalidMessage { .. }
            | Self::TooLarge { .. }
            | Self::IdempotencyConflict
            | Self::RateLimited { .. }
            | Self::NotFound { .. }
            | Self::NoSuchCode { .. }
            | Self::Taken { .. }
            | Self::LastOwner => Lifter::Sender,
            Self::AgentPaused => Lifter::Operators,
            Self::CreditsExhausted { .. } | Self::WorkspacePaused | Self::Forbidden { .. } => Lifter::Admins,
            Self::TopicClosed { .. } => Lifter::Nobody,
        }
    }

    pub fn retry_after(&self) -> Option<Duration> {
        if let Self::RateLimited { retry_after } = self { Some(*retry_after) } else { None }
    }

    /// One sentence that says what to do.
    pub fn help(&self) -> String {
        match self {
            Self::TopicRequired => {
                "Name a topic: topic_id of the one you continue, or \"new\" with a title to open one.".into()
            }
            Self::TitleRequired { problem: None } => {
                "Give the topic a title of 1 to 120 characters on one line.".into()
            }
            Self::TitleRequired { problem: Some(problem) } => {
                format!("Give the topic another title: {problem}.")
            }
            Self::TopicLimit { limit, .. } => format!(
                "You hold {} that you opened; finish one with state \"done\", then open this one.",
                counted(i64::from(*limit), "topic")
            ),
            Self::TopicClosed { .. } => "This topic is closed for good; open a new one.".into(),
            Self::CreditsExhausted { needed, balance, pot } => format!(
                "This costs {} and the {pot} holds {balance}; ask a person to fund it, or send less.",
                counted(*needed, "credit")
            ),
            Self::UnknownRecipient { unknown } if unknown.is_empty() => {
                "Nobody is left to receive this; name somebody other than yourself.".into()
            }
            Self::UnknownRecipient { unknown } if unknown.iter().any(|name| name == "conversation") => {
                "A new topic to a conversation needs conversation_id; ygg_me lists yours.".into()
            }
            Self::UnknownRecipient { unknown } => {
                format!("No such recipient here: {}; ygg_directory lists who there is.", unknown.join(", "))
            }
            Self::UnknownTopic { .. } => {
                "There is no such topic that you take part in; ygg_me lists yours.".into()
            }
            Self::InvalidMessage { problem } => problem.clone(),
            Self::TooLarge { what, size, limit, unit } => {
                let remedy = match unit {
                    Unit::Bytes | Unit::Chars => "shorten or split it",
                    Unit::Entries => "have fewer in it",
                };
                let unit = unit.name();
                format!("The {what} is too large: {size} {unit}, and {limit} is the most; {remedy}.")
            }
            Self::IdempotencyConflict => {
                "This idempotency_key was used for another message; use a fresh key.".into()
            }
            Self::RateLimited { retry_after } => {
                format!("Too many requests; try again in {} s.", retry_after.as_secs().max(1))
            }
            Self::AgentPaused => "A person paused you; nothing is lost, wait to be resumed.".into(),
            Self::WorkspacePaused => "A person paused the workspace; nothing is lost, wait.".into(),
            Self::Forbidden { needs } => format!("You may not do this: {needs}."),
            Self::NotFound { what } => format!("There is no such {what}, or it is not yours to see."),
            Self::NoSuchCode { help } => (*help).to_owned(),
            Self::Taken { name } => format!("The name {name} is taken; choose another."),
            Self::LastOwner => "This is the last owner; make somebody else an owner first.".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let short = |needed| Refusal::CreditsExhausted { needed, balance: 0, pot: "pool".to_owned() }.help();
        assert!(short(1).starts_with("This costs 1 credit and"), "{}", short(1));
        assert!(short(2).starts_with("This costs 2 credits and"), "{}", short(2));
        let full = Refusal::TopicLimit { limit: 1, held: Vec::new() }.help();
        assert!(full.starts_with("You hold 1 topic that you opened;"), "{full}");
    }
}
