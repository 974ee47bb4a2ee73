//! Topics: one unit of work, its parties and their states [W5, S1].

pub mod close;
pub mod due;
pub mod open;
pub mod pause;
pub mod silence;
pub mod state;
pub mod timer;
pub mod title;
pub mod waits;

use crate::conversation::Kind;
use crate::fault::{Fault, planted};
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

    fn of(needs_human: bool, credits: bool) -> Self {
        match (needs_human, credits) {
            (false, false) => Self::Open,
            (true, false) => Self::Paused(Paused::NeedsHuman),
            (false, true) => Self::Paused(Paused::Credits),
            (true, true) => Self::Paused(Paused::Both),
        }
    }

    pub fn needs_human(self) -> bool {
        matches!(self, Self::Paused(Paused::NeedsHuman | Paused::Both))
    }

    pub fn lacks_credits(self) -> bool {
        matches!(self, Self::Paused(Paused::Credits | Paused::Both))
    }

    /// Closed is final: nothing is made of it any more.
    #[must_use]
    pub fn with_needs_human(self, holds: bool) -> Self {
        if self == Self::Closed { self } else { Self::of(holds, self.lacks_credits()) }
    }

    #[must_use]
    pub fn with_lacking_credits(self, holds: bool) -> Self {
        if self == Self::Closed { self } else { Self::of(self.needs_human(), holds) }
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
    /// When its last pause ended: its clocks start afresh then [S3].
    pub resumed_at: Option<Timestamp>,
    /// Somebody waits on one whom three nudges did not move [S2].
    pub stalled: bool,
    /// A loop was suspected: people are shown it once [L3].
    pub looped: bool,
    /// When a timer of it may fall due; never later than the first that does.
    pub due: Option<Timestamp>,
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
    /// When it came into this state, or declared its wait again.
    pub since: Timestamp,
    /// It said `working` in a message of its own [K4].
    pub declared: bool,
    /// When it was asked whether it is done too: once [S6].
    pub asked_at: Option<Timestamp>,
    /// When it answered that by a word to the backend [K5].
    pub replied_at: Option<Timestamp>,
}

impl Party {
    pub fn new(participant: ParticipantId, state: State, since: Timestamp) -> Self {
        Self { participant, state, since, declared: false, asked_at: None, replied_at: None }
    }
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
    let early = |state: &State| *state == State::Informed && planted(Fault::ClosesTooEarly);
    states.all(|state| *state == State::Done || early(state))
}
