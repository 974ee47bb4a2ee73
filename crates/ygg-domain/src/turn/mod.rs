//! Turns: what is handed to a taker, one topic at a time [U0-U2]. A live session's turn begins when its inbox
//! hands it something and ends when it asks again.

pub mod begin;
pub mod end;

use crate::id::{TopicId, TurnId};
use crate::message::{ContextReason, Effect, Message};
use crate::notice::Notice;
use crate::participant::Trust;
use crate::wake::{Wake, WakeKind};

/// A message that waits for a reader or was handed to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub message: Message,
    pub effect: Effect,
    pub trust: Trust,
    /// The handle, when a person wrote it.
    pub handle: Option<String>,
    /// It waits for the reader's one answer.
    pub owes: bool,
    pub why: Why,
}

/// Why an item is shown: as a wake, or as context and for which reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Wake(WakeKind),
    Context(ContextReason),
    /// It was a wake, and was answered or its topic closed before it was read.
    Ended,
    /// Addressed to a person.
    Notify,
}

impl Why {
    pub fn name(self) -> &'static str {
        match self {
            Self::Wake(kind) => kind.name(),
            Self::Context(reason) => reason.name(),
            Self::Ended => "wake_ended",
            Self::Notify => "notify",
        }
    }
}

/// What a person has paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandsStill {
    Agent,
    Workspace,
}

/// What one reading of the inbox hands over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    pub turn: Option<TurnId>,
    /// The topic served, with its title; none when there is only context.
    pub topic: Option<(TopicId, Option<String>)>,
    pub wakes: Vec<Item>,
    /// Wakes that a notice of the backend made; what they tell stands in `notices`.
    pub noticed: Vec<Wake>,
    pub context: Vec<Item>,
    /// Those with a wake belong to what woke, the others are context.
    pub notices: Vec<Notice>,
    /// Nothing is handed over while this holds; what waits is kept [K5c].
    pub stands_still: Option<StandsStill>,
    /// Further topics with wakes.
    pub more_topics: usize,
    /// Further unread messages than fit.
    pub more_messages: bool,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.wakes.is_empty() && self.noticed.is_empty() && self.context.is_empty() && self.notices.is_empty()
    }
}

/// The wake whose topic is served next: operator lines first, then the oldest [U1]. `pending` is in order of making.
pub fn next(pending: &[Wake]) -> Option<&Wake> {
    pending.iter().min_by_key(|wake| !wake.operator)
}
