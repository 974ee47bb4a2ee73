//! A topic closes: agents of it that left something undone are reminded of it, once [K4].

use crate::change::Change;
use crate::id::{Ids, TopicId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling};
use crate::time::Timestamp;

/// An agent with unfinished tasks, debts, or another topic where it said that it works; and with no unanswered wake
/// that would have it look anyway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    pub agent: ParticipantId,
}

pub fn remind(
    unfinished: &[Unfinished],
    closed: TopicId,
    by: &ParticipantId,
    origin: Origin,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    for Unfinished { agent } in unfinished.iter().filter(|left| left.agent != *by) {
        let telling = Telling {
            kind: NoticeKind::Resume,
            recipient: agent,
            topic: Some(closed),
            about: None,
            message: None,
        };
        telling.wake(None, origin, ids, now, changes);
    }
}
