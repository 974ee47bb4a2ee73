//! Topics: one unit of work, its parties and their states [W5, S1].

pub mod close;
pub mod open;
pub mod state;
pub mod title;

use crate::conversation::Kind;
use crate::id::{ConversationId, TopicId};
use crate::message::Debt;
use crate::name::ParticipantId;
use crate::time::Timestamp;
use crate::wake::Wake;

/// Why a topic stands still; at least one reason holds [W5].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paused {
    NeedsHuman,
    Credits,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Open,
    Paused(Paused),
    /// Final: archived, readable, searchable.
    Closed,
}

impl Status {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Open, "open"),
        (Self::Paused(Paused::NeedsHuman), "paused:needs_human"),
        (Self::Paused(Paused::Credits), "paused:credits"),
        (Self::Paused(Paused::Both), "paused:both"),
        (Self::Closed, "closed"),
    ];

    /// The stored form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paused(Paused::NeedsHuman) => "paused:needs_human",
            Self::Paused(Paused::Credits) => "paused:credits",
            Self::Paused(Paused::Both) => "paused:both",
            Self::Closed => "closed",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, stored)| *stored == name).map(|(status, _)| status)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    pub id: TopicId,
    pub conversation: ConversationId,
    /// None until the first agent writes in a topic that a person opened [T2].
    pub title: Option<String>,
    pub opener: ParticipantId,
    pub status: Status,
    pub opened_at: Timestamp,
    pub closed_at: Option<Timestamp>,
}

/// Where a party stands with its part [S1].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Was only informed: never asked, never wrote.
    Informed,
    Working,
    /// On whom; nobody named means nobody is nudged [S2].
    Waiting(Vec<ParticipantId>),
    NeedsHuman,
    Done,
}

impl State {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Informed => "informed",
            Self::Working => "working",
            Self::Waiting(_) => "waiting",
            Self::NeedsHuman => "needs_human",
            Self::Done => "done",
        }
    }

    pub fn read(name: &str, waiting_for: Vec<ParticipantId>) -> Option<Self> {
        match name {
            "informed" => Some(Self::Informed),
            "working" => Some(Self::Working),
            "waiting" => Some(Self::Waiting(waiting_for)),
            "needs_human" => Some(Self::NeedsHuman),
            "done" => Some(Self::Done),
            _ => None,
        }
    }
}

/// Somebody with a part in a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    pub participant: ParticipantId,
    pub state: State,
}

/// A topic and all that stands open in it, whoever looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub topic: Topic,
    /// Of the conversation that it lives in.
    pub kind: Kind,
    pub parties: Vec<Party>,
    /// Unanswered ones, of every agent in it.
    pub wakes: Vec<Wake>,
    /// Every answer owed here: loaded where what is decided may close the topic.
    pub debts: Vec<Debt>,
}

/// Whether nobody has a part left, so that the topic closes at once [S5]. The merely informed are given time by
/// [S6] and so keep it open.
pub fn all_done<'a>(mut states: impl Iterator<Item = &'a State>) -> bool {
    states.all(|state| *state == State::Done)
}
