//! Turns: what is handed to a taker, one topic at a time [U0-U2]. A live session's turn begins when its inbox
//! hands it something and ends when it asks again; a supervised one has a lease, and an end that is reported.

pub mod begin;
pub mod end;
pub mod fail;
pub mod lapse;
pub mod left;
pub mod retry;
pub mod stop;

use std::time::Duration;

use crate::id::{ConversationId, TopicId, TurnId};
use crate::key::KeyHash;
use crate::limits;
use crate::message::{ContextReason, Effect, Message};
use crate::name::ParticipantId;
use crate::notice::Notice;
use crate::participant::{Trust, WakeBy};
use crate::time::Timestamp;
use crate::wake::{Wake, WakeKind};

/// Who runs a turn [U0].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taker {
    /// A session that reads its inbox by itself.
    Live,
    Relay,
    Builtin,
    Webhook,
}

impl Taker {
    pub const ALL: [Self; 4] = [Self::Live, Self::Relay, Self::Builtin, Self::Webhook];

    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Relay => "relay",
            Self::Builtin => "builtin",
            Self::Webhook => "webhook",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|taker| taker.name() == name)
    }

    /// The backend knows when a turn of it begins and ends [U2].
    pub fn is_supervised(self) -> bool {
        self != Self::Live
    }

    /// The way of waking that this taker is.
    pub fn wakes(self) -> WakeBy {
        match self {
            Self::Live => WakeBy::None,
            Self::Relay => WakeBy::Relay,
            Self::Builtin => WakeBy::Builtin,
            Self::Webhook => WakeBy::Webhook,
        }
    }
}

/// One run of one agent [U1].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    pub id: TurnId,
    pub agent: ParticipantId,
    pub taker: Taker,
    /// None: only context of several topics, or a wake that belongs to none.
    pub topic: Option<TopicId>,
    pub conversation: Option<ConversationId>,
    pub began_at: Timestamp,
    /// By when it has to be looked at: the end of its lease, or of a live session's attention.
    pub due: Timestamp,
    /// Of the key that is good for this turn alone.
    pub key: Option<KeyHash>,
}

impl Turn {
    /// Whether its taker has given no sign in time. A lease that ends farther ahead than any lasts was given before the
    /// clock was set back.
    pub fn is_dead(&self, now: Timestamp) -> bool {
        self.due <= now || self.due > longest_lease(now)
    }

    /// Its lease, once it is renewed. It is never made shorter: two that renew at once do not cut each other off.
    pub fn renewed(&self, lease: Duration, now: Timestamp) -> Timestamp {
        self.due.min(longest_lease(now)).max(now.after(lease))
    }
}

fn longest_lease(now: Timestamp) -> Timestamp {
    now.after(Duration::from_secs(*limits::LEASE_SECONDS.end()))
}

/// How a turn stands, or came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnStatus {
    Running,
    Ended,
    /// It reported a failure, or its lease ran out: what it took is tried again [K6].
    Failed,
    /// A live session's attention ended [K6].
    Lapsed,
    /// A person stopped it: what it took is not taken again [G2].
    Stopped,
    /// Its agent was removed.
    Gone,
}

impl TurnStatus {
    pub const ALL: [Self; 6] =
        [Self::Running, Self::Ended, Self::Failed, Self::Lapsed, Self::Stopped, Self::Gone];

    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ended => "ended",
            Self::Failed => "failed",
            Self::Lapsed => "lapsed",
            Self::Stopped => "stopped",
            Self::Gone => "gone",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What a taker tells of a turn that is over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub exit_code: Option<i64>,
    /// Millionths of a US dollar.
    pub usd_micros: Option<i64>,
    pub tokens: Option<i64>,
    /// What went wrong, in the taker's words.
    pub problem: Option<String>,
}

impl Report {
    pub fn has_cost(&self) -> bool {
        self.usd_micros.is_some() || self.tokens.is_some()
    }

    /// What it cost, in US dollars.
    pub fn usd(&self) -> Option<f64> {
        self.usd_micros.map(|micros| micros as f64 / 1e6)
    }
}

/// A turn and how it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Where in the log it began.
    pub seq: i64,
    pub turn: Turn,
    pub status: TurnStatus,
    pub ended_at: Option<Timestamp>,
    /// It ended without a word in the topic that woke it [K5b].
    pub silent: bool,
    pub report: Report,
}

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

/// Why nothing is handed over although something may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandsStill {
    /// A person paused it [K5c].
    Agent,
    Workspace,
    /// Another turn of the agent runs [U1]; since when.
    Busy(Timestamp),
    /// A live session has the agent's attention [V2]; until when, if it gives no further sign.
    Attended(Timestamp),
    /// What waits has failed before and is tried again then [K6].
    Retried(Timestamp),
    /// It failed so often that a person is to look at it first.
    Failing,
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
    /// What a reminder among the notices lists [K4].
    pub left: Option<left::Left>,
    /// Nothing is handed over while this holds; what waits is kept.
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
/// A supervised turn leaves what has failed before until its time has come; `wanted` names the one topic to serve.
pub fn next(pending: &[Wake], taker: Taker, wanted: Option<TopicId>, now: Timestamp) -> Option<&Wake> {
    let may = |wake: &&Wake| {
        (wanted.is_none() || wake.topic == wanted) && (!taker.is_supervised() || retry::is_ready(wake, now))
    };
    pending.iter().filter(may).min_by_key(|wake| !wake.operator)
}
