//! What a decision does: the rows that change. Each change is one event of the log, so that an old view and its
//! events equal a fresh read (docs/rules/mesh.md, A1).

use crate::conversation::{Conversation, Stint};
use crate::credits::Entry;
use crate::credits::shortfall::Shortfall;
use crate::cursor::Reading;
use crate::group::Group;
use crate::id::{
    ConversationId, InviteId, KeyId, MessageId, NoticeId, SessionId, TaskId, TopicId, TurnId, WakeId,
};
use crate::invite::Invite;
use crate::key::Key;
use crate::message::{Debt, Delivery, Fired, Message};
use crate::name::ParticipantId;
use crate::notice::Notice;
use crate::notification::Outlet;
use crate::participant::Participant;
use crate::policy::Policy;
use crate::session::Session;
use crate::task::Task;
use crate::topic::waits::Nudged;
use crate::topic::{Party, Topic};
use crate::turn::{Report, Turn, TurnStatus};
use crate::wake::{Wake, WakeStatus};

/// How an owed answer came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebtEnd {
    Settled(MessageId),
    /// The topic closed [S7].
    Closed,
    /// The debtor or the creditor was removed [W7].
    Gone,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    PolicySet(Box<Policy>),
    /// A person paused the workspace, or set it going again [K5c].
    WorkspacePaused(bool),
    ParticipantAdded(Participant),
    /// Description, display name, operators or role.
    ParticipantChanged(Participant),
    /// An agent left: nothing of it is left to whoever gets its id next [W7].
    ParticipantRemoved(Participant),
    GroupSet(Group),
    KeyMade(Key),
    KeyRevoked {
        key: KeyId,
        participant: ParticipantId,
    },
    SessionMade(Session),
    SessionEnded {
        session: SessionId,
        participant: ParticipantId,
    },
    InviteMade(Invite),
    InviteEnded {
        invite: InviteId,
        /// None: it was taken back.
        accepted_by: Option<ParticipantId>,
    },
    ConversationCreated(Conversation),
    ParticipantJoined(Stint),
    ParticipantLeft {
        conversation: ConversationId,
        participant: ParticipantId,
    },
    TopicOpened(Topic),
    TopicTitled {
        topic: TopicId,
        conversation: ConversationId,
        title: String,
    },
    TopicClosed {
        topic: TopicId,
        conversation: ConversationId,
        by: ParticipantId,
    },
    /// It paused or goes on, is stalled or no more, or a loop was suspected in it.
    TopicMarked(Topic),
    PartySet {
        topic: TopicId,
        conversation: ConversationId,
        party: Party,
    },
    /// It was removed from the workspace [W7].
    PartyLeft {
        topic: TopicId,
        conversation: ConversationId,
        participant: ParticipantId,
    },
    MessagePosted(Box<Posted>),
    DebtEnded {
        debt: Debt,
        topic: TopicId,
        conversation: ConversationId,
        how: DebtEnd,
    },
    WakeCreated(Wake),
    /// A message merged into a pending wake and changed what it is ranked by [K3].
    WakeMerged(Wake),
    WakeTaken {
        wake: WakeId,
        agent: ParticipantId,
        topic: Option<TopicId>,
        turn: TurnId,
    },
    WakeEnded {
        wake: WakeId,
        agent: ParticipantId,
        topic: Option<TopicId>,
        how: WakeStatus,
    },
    /// A delivery is carried by this wake from now on: it was folded, or did not fit its first one.
    DeliveryRoused {
        message: MessageId,
        recipient: ParticipantId,
        wake: WakeId,
        /// It was read before and is to be read once more.
        again: bool,
    },
    /// Of one topic.
    DeliveriesHanded {
        turn: TurnId,
        recipient: ParticipantId,
        conversation: ConversationId,
        topic: TopicId,
        messages: Vec<MessageId>,
        /// Shown by handing it over; else it is read when the turn ends [K5a].
        read: bool,
    },
    NoticesHanded {
        turn: TurnId,
        recipient: ParticipantId,
        notices: Vec<Notice>,
    },
    NoticeGiven(Notice),
    /// It is not to be read any more.
    NoticeEnded {
        notice: NoticeId,
        recipient: ParticipantId,
    },
    /// How often somebody was reminded that another waits [S2].
    NudgeCounted {
        topic: TopicId,
        conversation: ConversationId,
        nudged: Nudged,
    },
    TurnStarted(Turn),
    TurnEnded {
        turn: Box<Turn>,
        status: TurnStatus,
        /// It took a wake of its topic and said nothing there [K5b].
        silent: bool,
    },
    CreditsMoved(Entry),
    /// An agent's send was refused for want of credits: those who fund see one request for each topic [C4].
    ShortfallNoted(Shortfall),
    ShortfallEnded(Shortfall),
    TaskSet(Task),
    TaskRemoved {
        task: TaskId,
        agent: ParticipantId,
    },
    /// The turn that took it failed: it is pending again [K6].
    WakeReturned(Wake),
    /// What a failed turn was handed of one topic waits to be read once more.
    DeliveriesReturned {
        turn: TurnId,
        recipient: ParticipantId,
        conversation: ConversationId,
        topic: TopicId,
        messages: Vec<MessageId>,
    },
    NoticesReturned {
        turn: TurnId,
        recipient: ParticipantId,
        notices: Vec<NoticeId>,
    },
    /// How far a person has read a topic, and what that leaves unread [W6].
    CursorMoved {
        person: ParticipantId,
        reading: Reading,
    },
    /// What was addressed to a person in a topic is read, up to a place in the log [K5a].
    DeliveriesRead {
        recipient: ParticipantId,
        conversation: ConversationId,
        topic: TopicId,
        seq: i64,
    },
    /// Its words and files are gone from every row; a mark stands in their place [W6].
    MessageRedacted {
        message: MessageId,
        topic: TopicId,
        conversation: ConversationId,
        by: ParticipantId,
    },
    /// Where a person is told outside of Ygg.
    OutletSet(Box<Outlet>),
    OutletRemoved {
        person: ParticipantId,
    },
    /// What a supervised turn was handed of one topic has been shown to the model: the turn is over [K5a].
    DeliveriesShown {
        turn: TurnId,
        recipient: ParticipantId,
        conversation: ConversationId,
        topic: TopicId,
        messages: Vec<MessageId>,
    },
    /// What is told of a turn that is over, for those who see the agent's own matters.
    TurnReported {
        turn: TurnId,
        agent: ParticipantId,
        report: Report,
    },
}

/// A message with what it means for each recipient and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    pub message: Message,
    pub deliveries: Vec<Delivery>,
    pub fired: Vec<Fired>,
    /// What it is found by.
    pub index: String,
}

/// Who may learn of a change. There is no "everybody by default".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All participants of the workspace.
    Workspace,
    /// Who may read the conversation or that topic of it.
    Conversation(ConversationId, Option<TopicId>),
    /// Who may read the conversation, the one who left it, and those who read it for that one's sake.
    Departure(ConversationId, ParticipantId),
    /// The participant, and the people who may see its private matters.
    Participant(ParticipantId),
    /// The person alone.
    Own(ParticipantId),
    /// Admins and owners.
    Admins,
    /// Who may read the message.
    Message(MessageId),
}

impl Change {
    pub fn scope(&self) -> Scope {
        match self {
            Self::PolicySet(_)
            | Self::WorkspacePaused(_)
            | Self::ParticipantRemoved(_)
            | Self::ParticipantAdded(_)
            | Self::ParticipantChanged(_)
            | Self::GroupSet(_) => Scope::Workspace,
            Self::KeyMade(key) => Scope::Participant(key.participant.clone()),
            Self::KeyRevoked { participant, .. } => Scope::Participant(participant.clone()),
            Self::SessionMade(session) => Scope::Own(session.participant.clone()),
            Self::SessionEnded { participant, .. } => Scope::Own(participant.clone()),
            Self::InviteMade(_) | Self::InviteEnded { .. } => Scope::Admins,
            Self::ConversationCreated(conversation) => Scope::Conversation(conversation.id, None),
            Self::ParticipantJoined(stint) => Scope::Conversation(stint.conversation, None),
            Self::ParticipantLeft { conversation, participant } => {
                Scope::Departure(*conversation, participant.clone())
            }
            Self::TopicOpened(topic) | Self::TopicMarked(topic) => {
                Scope::Conversation(topic.conversation, Some(topic.id))
            }
            Self::TopicTitled { topic, conversation, .. }
            | Self::TopicClosed { topic, conversation, .. }
            | Self::PartySet { topic, conversation, .. }
            | Self::PartyLeft { topic, conversation, .. }
            | Self::NudgeCounted { topic, conversation, .. }
            | Self::MessageRedacted { topic, conversation, .. } => {
                Scope::Conversation(*conversation, Some(*topic))
            }
            Self::MessagePosted(posted) => {
                Scope::Conversation(posted.message.conversation, Some(posted.message.topic))
            }
            Self::DebtEnded { topic, conversation, .. }
            | Self::DeliveriesHanded { topic, conversation, .. }
            | Self::DeliveriesReturned { topic, conversation, .. }
            | Self::DeliveriesRead { topic, conversation, .. }
            | Self::DeliveriesShown { topic, conversation, .. } => {
                Scope::Conversation(*conversation, Some(*topic))
            }
            Self::WakeCreated(wake) | Self::WakeMerged(wake) | Self::WakeReturned(wake) => {
                Scope::Participant(wake.agent.clone())
            }
            Self::WakeTaken { agent, .. } | Self::WakeEnded { agent, .. } => {
                Scope::Participant(agent.clone())
            }
            // How far a message came is told to everybody who reads it, and so is that it goes back [K5a].
            Self::DeliveryRoused { message, again: true, .. } => Scope::Message(*message),
            Self::DeliveryRoused { recipient, .. }
            | Self::NoticesHanded { recipient, .. }
            | Self::NoticesReturned { recipient, .. } => Scope::Participant(recipient.clone()),
            // It names a topic, which may be one of two people.
            Self::NoticeGiven(Notice { recipient, .. }) if recipient.is_person() => {
                Scope::Own(recipient.clone())
            }
            Self::NoticeGiven(notice) => Scope::Participant(notice.recipient.clone()),
            Self::NoticeEnded { recipient, .. } if recipient.is_person() => Scope::Own(recipient.clone()),
            Self::NoticeEnded { recipient, .. } => Scope::Participant(recipient.clone()),
            Self::TurnStarted(turn) => turn_scope(turn),
            Self::TurnEnded { turn, .. } => turn_scope(turn),
            Self::CreditsMoved(entry) => entry_scope(entry),
            Self::ShortfallNoted(_) | Self::ShortfallEnded(_) => Scope::Admins,
            Self::TaskSet(task) => Scope::Participant(task.agent.clone()),
            Self::TaskRemoved { agent, .. } | Self::TurnReported { agent, .. } => {
                Scope::Participant(agent.clone())
            }
            Self::CursorMoved { person, .. } | Self::OutletRemoved { person } => Scope::Own(person.clone()),
            Self::OutletSet(outlet) => Scope::Own(outlet.person.clone()),
        }
    }
}

/// A wallet's owner sees it move; the pool and budgets are for those who fund.
fn entry_scope(entry: &Entry) -> Scope {
    match &entry.pot {
        crate::credits::Pot::Wallet(agent) => Scope::Participant(agent.clone()),
        crate::credits::Pot::Pool | crate::credits::Pot::Budget(_) => Scope::Admins,
    }
}

/// Readers of a topic see who is at work in it.
fn turn_scope(turn: &Turn) -> Scope {
    match turn.conversation {
        Some(conversation) => Scope::Conversation(conversation, turn.topic),
        None => Scope::Participant(turn.agent.clone()),
    }
}
