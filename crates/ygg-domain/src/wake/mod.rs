//! Wakes: "someone needs you". What starts a turn of an agent [K1-K3].

pub mod answer;
pub mod resume;

use crate::id::{MessageId, TopicId, TurnId, WakeId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::time::Timestamp;

/// What made a wake, or one of several that a wake carries [K1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WakeKind {
    Request,
    Response,
    Human,
    Hook,
    Own,
    ClosurePoll,
    Nudge,
    Resume,
    Refilled,
    RecipientGone,
}

impl WakeKind {
    pub const ALL: [Self; 10] = [
        Self::Request,
        Self::Response,
        Self::Human,
        Self::Hook,
        Self::Own,
        Self::ClosurePoll,
        Self::Nudge,
        Self::Resume,
        Self::Refilled,
        Self::RecipientGone,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Human => "human",
            Self::Hook => "hook",
            Self::Own => "own",
            Self::ClosurePoll => "closure_poll",
            Self::Nudge => "nudge",
            Self::Resume => "resume",
            Self::Refilled => "refilled",
            Self::RecipientGone => "recipient_gone",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A notice of the backend made it; it may carry messages that merged into it later.
    pub fn is_notice(self) -> bool {
        matches!(self, Self::ClosurePoll | Self::Nudge | Self::Resume | Self::Refilled | Self::RecipientGone)
    }

    /// A reminder of what was left elsewhere belongs to no topic [K2].
    pub fn is_of_a_topic(self) -> bool {
        self != Self::Resume
    }
}

/// Where a wake stands. Pending and taken are the unanswered ones [K2].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeStatus {
    Pending,
    Taken,
    Answered,
    /// Its turn ended well without a word in its topic.
    Spent,
    /// A live session's attention ended before it answered [K6].
    Lapsed,
    /// Its topic closed or its agent left.
    Cancelled,
}

impl WakeStatus {
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Taken, Self::Answered, Self::Spent, Self::Lapsed, Self::Cancelled];

    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Taken => "taken",
            Self::Answered => "answered",
            Self::Spent => "spent",
            Self::Lapsed => "lapsed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    pub fn is_unanswered(self) -> bool {
        matches!(self, Self::Pending | Self::Taken)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wake {
    pub id: WakeId,
    pub agent: ParticipantId,
    /// None for notices and own wakes that belong to no topic [K2].
    pub topic: Option<TopicId>,
    pub kind: WakeKind,
    pub status: WakeStatus,
    /// A line of a person who operates the agent is among what it carries [U1].
    pub operator: bool,
    /// The farthest of what it carries [H1, H3].
    pub origin: Origin,
    pub made_at: Timestamp,
    pub turn: Option<TurnId>,
    /// Supervised turns that took it and failed [K6].
    pub failed: u32,
    /// No supervised turn takes it before.
    pub not_before: Option<Timestamp>,
    /// A live session had it before and let it lapse: that happens once.
    pub handed_on: bool,
}

impl Wake {
    /// One that nobody has taken yet.
    pub fn pending(
        id: WakeId,
        agent: &ParticipantId,
        topic: Option<TopicId>,
        kind: WakeKind,
        origin: Origin,
        made_at: Timestamp,
    ) -> Self {
        Self {
            id,
            agent: agent.clone(),
            topic,
            kind,
            status: WakeStatus::Pending,
            operator: false,
            origin,
            made_at,
            turn: None,
            failed: 0,
            not_before: None,
            handed_on: false,
        }
    }
}

/// A message that was folded into a wake, or waits behind one [K3].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    pub wake: WakeId,
    pub message: MessageId,
    pub origin: Origin,
}
