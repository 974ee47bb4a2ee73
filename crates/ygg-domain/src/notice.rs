//! Notices of the backend: told, never owed an answer [K5]. Some come with a wake, the rest are context of the next
//! turn.

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId, NoticeId, TopicId, WakeId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::time::Timestamp;
use crate::topic::state::state_of;
use crate::topic::{Standing, State};
use crate::wake::{Wake, WakeKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// A party said done and owed this answer [S4].
    DoneUnanswered,
    /// Somebody waits on the reader [S2].
    Nudge,
    /// The reader waits on one whom the last nudge did not move [S2].
    Unmoved,
    /// Whether the reader is done too [S6].
    ClosurePoll,
    /// A topic closed, and the reader has left something undone [K4].
    Resume,
    /// The credits that a send lacked are there [C4].
    Refilled,
    /// Whoever owed the reader an answer was removed [W7].
    RecipientGone,
    /// A turn of one that the reader waits on ended without a word [K5b].
    SilentEnd,
    /// An earlier turn over the same wake failed [K6].
    TriedBefore,
    /// And had sent this.
    AlreadySent,
}

impl NoticeKind {
    pub const ALL: [Self; 10] = [
        Self::DoneUnanswered,
        Self::Nudge,
        Self::Unmoved,
        Self::ClosurePoll,
        Self::Resume,
        Self::Refilled,
        Self::RecipientGone,
        Self::SilentEnd,
        Self::TriedBefore,
        Self::AlreadySent,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::DoneUnanswered => "done_unanswered",
            Self::Nudge => "nudge",
            Self::Unmoved => "unmoved",
            Self::ClosurePoll => "closure_poll",
            Self::Resume => "resume",
            Self::Refilled => "refilled",
            Self::RecipientGone => "recipient_gone",
            Self::SilentEnd => "silent_end",
            Self::TriedBefore => "tried_before",
            Self::AlreadySent => "already_sent",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The wake that a notice of this kind makes [K1].
    pub fn wakes(self) -> Option<WakeKind> {
        match self {
            Self::DoneUnanswered
            | Self::Unmoved
            | Self::SilentEnd
            | Self::TriedBefore
            | Self::AlreadySent => None,
            Self::Nudge => Some(WakeKind::Nudge),
            Self::ClosurePoll => Some(WakeKind::ClosurePoll),
            Self::Resume => Some(WakeKind::Resume),
            Self::Refilled => Some(WakeKind::Refilled),
            Self::RecipientGone => Some(WakeKind::RecipientGone),
        }
    }

    /// Whether it tells of its wake alone: of use only when that is taken again.
    pub fn tells_of_its_wake(self) -> bool {
        matches!(self, Self::TriedBefore | Self::AlreadySent)
    }

    /// Whether it asks for what may be done by the time it is read: then it is not shown when its wake has ended.
    pub fn passes_with_its_wake(self) -> bool {
        matches!(self, Self::Nudge | Self::ClosurePoll | Self::TriedBefore | Self::AlreadySent)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub id: NoticeId,
    pub recipient: ParticipantId,
    pub topic: Option<TopicId>,
    pub kind: NoticeKind,
    /// Whom it is about.
    pub about: Option<ParticipantId>,
    pub message: Option<MessageId>,
    /// The wake that carries it.
    pub wake: Option<WakeId>,
}

/// What a notice is to tell, and to whom.
pub struct Telling<'a> {
    pub kind: NoticeKind,
    pub recipient: &'a ParticipantId,
    pub topic: Option<TopicId>,
    pub about: Option<&'a ParticipantId>,
    pub message: Option<MessageId>,
}

impl Telling<'_> {
    /// As context, which disturbs nobody; the only way to a person.
    pub fn tell(&self, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
        self.give(None, ids, changes);
    }

    /// With a wake that is there already.
    pub fn with(&self, wake: WakeId, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
        self.give(Some(wake), ids, changes);
    }

    /// With a wake: the one that is pending for its reader in the topic already, or a new one [K3]. A notice launders
    /// nothing: its wake has the `origin` of what led to it [H3].
    pub fn wake(
        &self,
        pending: Option<&Wake>,
        origin: Origin,
        ids: &mut dyn Ids,
        now: Timestamp,
        changes: &mut Vec<Change>,
    ) -> Option<Wake> {
        let kind = self.kind.wakes()?;
        if let Some(pending) = pending {
            if origin.hop > pending.origin.hop {
                changes.push(Change::WakeMerged(Wake { origin, ..pending.clone() }));
            }
            self.give(Some(pending.id), ids, changes);
            return None;
        }
        let topic = self.topic.filter(|_| kind.is_of_a_topic());
        let wake = Wake::pending(WakeId::fresh(ids), self.recipient, topic, kind, origin, now);
        changes.push(Change::WakeCreated(wake.clone()));
        self.give(Some(wake.id), ids, changes);
        Some(wake)
    }

    fn give(&self, wake: Option<WakeId>, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
        changes.push(Change::NoticeGiven(Notice {
            id: NoticeId::fresh(ids),
            recipient: self.recipient.clone(),
            topic: self.topic,
            kind: self.kind,
            about: self.about.cloned(),
            message: self.message,
            wake,
        }));
    }
}

/// Whoever says done and still owes an answer: its askers are told, once, as context [S4].
pub fn tell_askers(
    topic: &Standing,
    done: &ParticipantId,
    settled: Option<MessageId>,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) {
    if state_of(&topic.parties, done) == Some(&State::Done) || planted(Fault::AskersNotTold) {
        return;
    }
    for debt in topic.debts.iter().filter(|debt| debt.debtor == *done && Some(debt.request) != settled) {
        let telling = Telling {
            kind: NoticeKind::DoneUnanswered,
            recipient: &debt.creditor,
            topic: Some(topic.topic.id),
            about: Some(done),
            message: Some(debt.request),
        };
        telling.tell(ids, changes);
    }
}
