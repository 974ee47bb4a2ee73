//! A topic closes: agents of it that left something undone are reminded of it, once [K4].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, TopicId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling};
use crate::time::Timestamp;

/// `unfinished`: agents with unfinished tasks, debts, or another topic where they said that they work; and with no
/// unanswered wake that would have them look anyway.
pub fn remind(
    unfinished: &[ParticipantId],
    closed: TopicId,
    origin: Origin,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    for agent in unfinished.iter().filter(|_| !planted(Fault::NobodyReminded)) {
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
