//! Messages: what is said, to whom, with which effect [M1-M8].

pub mod absorb;
pub mod deliver;
pub mod draft;
pub mod effect;
pub mod fired;
mod going;
pub mod post;
pub mod recipients;
pub mod record;
pub mod redact;
pub mod send;

pub use draft::{Draft, RawDraft, Repair};
pub use effect::{ContextReason, Effect};
pub use fired::Fired;

use crate::file::Attachment;
use crate::id::{ConversationId, MessageId, TopicId, TurnId, WakeId};
use crate::loops::Mark;
use crate::name::ParticipantId;
use crate::participant::Trust;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::topic::{Party, State, Status};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageType {
    /// Needs an answer or an action: the only type by which an agent wakes another [M3].
    Request,
    Response,
    Inform,
}

impl MessageType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Inform => "inform",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::Request, Self::Response, Self::Inform].into_iter().find(|kind| kind.name() == name)
    }
}

/// How far a message is from what a person said, and which line that was [H1].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    pub message: MessageId,
    pub hop: u32,
}

impl Origin {
    /// Of what no message led to.
    pub const NONE: Self = Self { message: MessageId::NONE, hop: 0 };
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub id: MessageId,
    pub topic: TopicId,
    pub conversation: ConversationId,
    pub sender: ParticipantId,
    pub kind: MessageType,
    /// Byte for byte as it was sent [M2].
    pub text: String,
    /// Of an agent's text: people are in no loop [L3].
    pub mark: Option<Mark>,
    /// JSON that the backend does not interpret.
    pub body: Option<String>,
    /// In the order in which its sender named them.
    pub attachments: Vec<Attachment>,
    pub in_reply_to: Option<MessageId>,
    /// The state it declared, if it declared one that stood.
    pub state: Option<State>,
    pub origin: Origin,
    pub charged: i64,
    pub sent_at: Timestamp,
    /// The supervised turn that it was sent in.
    pub turn: Option<TurnId>,
    /// Its words and files were taken out: the text is `REDACTED`, and body and files are none.
    pub redacted: Option<Redacted>,
}

/// Who took a message's words out, and when [W6].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    pub by: ParticipantId,
    pub at: Timestamp,
}

/// What stands in place of a text that was taken out.
pub const REDACTED: &str = "[redacted]";

/// What a message means for one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub recipient: ParticipantId,
    pub effect: Effect,
    pub trust: Trust,
    /// A request: the recipient owes an answer [M4].
    pub owes: bool,
    /// The wake that carries it.
    pub wake: Option<WakeId>,
    /// The wake it was folded into [K3].
    pub folded: Option<WakeId>,
}

/// An answer that is owed: one per request and addressee [M4].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debt {
    pub request: MessageId,
    pub debtor: ParticipantId,
    pub creditor: ParticipantId,
    pub origin: Origin,
    /// The wake that carries the request to the debtor.
    pub wake: Option<WakeId>,
    pub asked_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Delivered,
    Absorbed,
    Refused(Refusal),
}

/// What the sender is told (docs/rules/protocol.md, Receipt).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub outcome: Outcome,
    pub message: Option<MessageId>,
    pub topic: Option<TopicId>,
    pub conversation: Option<ConversationId>,
    pub notes: Vec<Repair>,
    pub recipients: Vec<(ParticipantId, Effect)>,
    pub charged: i64,
    /// What the paying pot holds afterwards; none for people, who pay nothing.
    pub balance: Option<i64>,
    pub after: Option<TopicAfter>,
}

/// A topic as a send left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicAfter {
    pub status: Status,
    pub parties: Vec<Party>,
}
