//! Notices of the backend: told, never owed an answer [K5].

use crate::change::Change;
use crate::id::{Ids, MessageId, NoticeId, TopicId};
use crate::name::ParticipantId;
use crate::topic::state::state_of;
use crate::topic::{Standing, State};

/// What a notice tells as context. Notices that wake are kinds of wakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// A party said done and owed this answer [S4].
    DoneUnanswered,
}

impl NoticeKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::DoneUnanswered => "done_unanswered",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::DoneUnanswered].into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub id: NoticeId,
    pub recipient: ParticipantId,
    pub topic: TopicId,
    pub kind: NoticeKind,
    /// Whom it is about.
    pub about: ParticipantId,
    pub message: MessageId,
}

/// Whoever says done and still owes an answer: its askers are told, once, as context [S4].
pub fn tell_askers(
    topic: &Standing,
    done: &ParticipantId,
    settled: Option<MessageId>,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) {
    if state_of(&topic.parties, done) == Some(&State::Done) {
        return;
    }
    for debt in topic.debts.iter().filter(|debt| debt.debtor == *done && Some(debt.request) != settled) {
        changes.push(Change::NoticeGiven(Notice {
            id: NoticeId::fresh(ids),
            recipient: debt.creditor.clone(),
            topic: topic.topic.id,
            kind: NoticeKind::DoneUnanswered,
            about: done.clone(),
            message: debt.request,
        }));
    }
}
