//! The effect of a message on each recipient: the table of docs/rules/protocol.md §6, first match wins.

use crate::fault::{Fault, planted};
use crate::message::MessageType;
use crate::name::Kind;
use crate::participant::Participant;
use crate::topic::State;

/// Why a message disturbs nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextReason {
    Inform,
    RecipientDone,
    TopicPaused,
    OrphanResponse,
    LoopSuspected,
    HopLimit,
    WakeCoalesced,
}

impl ContextReason {
    pub const ALL: [Self; 7] = [
        Self::Inform,
        Self::RecipientDone,
        Self::TopicPaused,
        Self::OrphanResponse,
        Self::LoopSuspected,
        Self::HopLimit,
        Self::WakeCoalesced,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Inform => "context_inform",
            Self::RecipientDone => "recipient_done",
            Self::TopicPaused => "topic_paused",
            Self::OrphanResponse => "orphan_response",
            Self::LoopSuspected => "loop_suspected",
            Self::HopLimit => "hop_limit",
            Self::WakeCoalesced => "wake_coalesced",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Wake,
    Context(ContextReason),
    /// For people; a quiet one only counts.
    Notify {
        quiet: bool,
    },
}

impl Effect {
    pub fn name(self) -> &'static str {
        match self {
            Self::Wake => "wake",
            Self::Context(_) => "context",
            Self::Notify { .. } => "notify",
        }
    }

    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Context(reason) => Some(reason.name()),
            Self::Wake | Self::Notify { .. } => None,
        }
    }
}

/// What the table looks at, for one recipient.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    pub sender: &'a Participant,
    pub recipient: &'a Participant,
    pub kind: MessageType,
    pub answers: Answers,
    /// None: not a party yet.
    pub state: Option<&'a State>,
    /// The topic stands still.
    pub paused: bool,
    /// A request that looks like one of a loop [L1, L2].
    pub loop_suspected: bool,
    pub has_unanswered_wake: bool,
}

/// What a response is to this recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// Settles what the sender owed them.
    Debt,
    /// Answers somebody else's request.
    Another,
    /// Names no request, or one that is answered already.
    Nothing,
}

pub fn decide(row: &Row<'_>) -> Effect {
    match row.recipient.id.kind() {
        Kind::Agent => {}
        Kind::Person => return Effect::Notify { quiet: row.kind == MessageType::Inform },
        Kind::Hook | Kind::System => return Effect::Context(ContextReason::Inform),
    }
    // People wake whom they address, whatever the rows below say [K1].
    let shielded = row.state == Some(&State::Done) && planted(Fault::PersonShielded);
    if row.sender.id.is_person() && !shielded {
        return Effect::Wake;
    }
    let to_another = row.kind == MessageType::Response && row.answers == Answers::Another;
    let inform = row.kind == MessageType::Inform && !planted(Fault::InformWakes);
    if inform || to_another {
        return Effect::Context(ContextReason::Inform);
    }
    if row.state == Some(&State::Done) && !planted(Fault::ShieldLeftOut) {
        return Effect::Context(ContextReason::RecipientDone);
    }
    if row.paused && !planted(Fault::PauseIgnored) {
        return Effect::Context(ContextReason::TopicPaused);
    }
    if row.kind == MessageType::Response {
        let settles = row.answers == Answers::Debt || planted(Fault::OrphanWakes);
        return if settles { Effect::Wake } else { Effect::Context(ContextReason::OrphanResponse) };
    }
    if row.loop_suspected {
        return Effect::Context(ContextReason::LoopSuspected);
    }
    if row.has_unanswered_wake && !planted(Fault::SecondWake) {
        return Effect::Context(ContextReason::WakeCoalesced);
    }
    Effect::Wake
}
