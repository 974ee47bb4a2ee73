//! How a wake is answered, and what had folded into it comes up again [K2, K3].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId, TopicId, WakeId};
use crate::message::Origin;
use crate::message::send::TopicFacts;
use crate::name::ParticipantId;
use crate::time::Timestamp;
use crate::wake::{Folded, Wake, WakeKind, WakeStatus};

/// What a participant just did in a topic, as far as its own wakes there are concerned.
pub struct Act<'a> {
    pub by: &'a ParticipantId,
    /// The request that it answered.
    pub settled: Option<MessageId>,
    pub done: bool,
}

/// Ends the wakes that the act answers: taken ones, all when done, and a pending one when every request in it
/// is answered. Returns them.
pub fn end(topic: &TopicFacts, act: &Act<'_>, changes: &mut Vec<Change>) -> Vec<WakeId> {
    let mut ended = Vec::new();
    for wake in topic.standing.wakes.iter().filter(|wake| wake.agent == *act.by) {
        let spoke = wake.status == WakeStatus::Taken && !planted(Fault::WordAnswersNothing);
        if act.done || spoke || answers_last(topic, act, wake) {
            let how = WakeStatus::Answered;
            changes.push(Change::WakeEnded {
                wake: wake.id,
                agent: wake.agent.clone(),
                topic: wake.topic,
                how,
            });
            ended.push(wake.id);
        }
    }
    ended
}

/// Whether the answer just given was the last that this wake's requests were owed.
fn answers_last(topic: &TopicFacts, act: &Act<'_>, wake: &Wake) -> bool {
    topic.named.as_ref().is_some_and(|named| {
        act.settled == Some(named.debt.request) && named.debt.wake == Some(wake.id) && named.last_of_wake
    })
}

/// Requests that were folded into wakes now over and never handed become one pending wake.
pub fn rouse(
    topic: &TopicFacts,
    act: &Act<'_>,
    ended: &[WakeId],
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let up: Vec<&Folded> = topic
        .folded
        .iter()
        .filter(|fold| ended.contains(&fold.wake) && Some(fold.message) != act.settled)
        .filter(|_| !planted(Fault::FoldForgotten))
        .collect();
    let pending = topic.standing.wakes.iter().find(|wake| {
        wake.agent == *act.by && wake.status == WakeStatus::Pending && !ended.contains(&wake.id)
    });
    let up: Vec<Up> = up.into_iter().map(Up::from).collect();
    carry(&up, pending, act.by, topic.standing.topic.id, ids, now, changes);
}

/// A message that comes up again.
pub struct Up {
    pub message: MessageId,
    pub origin: Origin,
    /// It was read before.
    pub again: bool,
}

impl From<&Folded> for Up {
    fn from(fold: &Folded) -> Self {
        Self { message: fold.message, origin: fold.origin, again: false }
    }
}

/// One pending wake for all of `up`: the one that is there, or a new one.
pub fn carry(
    up: &[Up],
    pending: Option<&Wake>,
    agent: &ParticipantId,
    topic: TopicId,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let Some(farthest) = up.iter().map(|up| up.origin).max_by_key(|origin| origin.hop) else { return };
    let wake = match pending {
        Some(pending) => {
            if farthest.hop > pending.origin.hop {
                changes.push(Change::WakeMerged(Wake { origin: farthest, ..pending.clone() }));
            }
            pending.id
        }
        None => {
            let id = WakeId::fresh(ids);
            let wake = Wake::pending(id, agent, Some(topic), WakeKind::Request, farthest, now);
            changes.push(Change::WakeCreated(wake));
            id
        }
    };
    for Up { message, again, .. } in up {
        let (message, recipient, again) = (*message, agent.clone(), *again);
        changes.push(Change::DeliveryRoused { message, recipient, wake, again });
    }
}
