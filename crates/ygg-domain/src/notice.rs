//! Notices of the backend: told, never owed an answer [K5].

use crate::id::{MessageId, NoticeId, TopicId};
use crate::name::ParticipantId;

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
