//! Closing: final, and everything that was pending in the topic ends with it, in one step [S7].

use crate::change::{Change, DebtEnd};
use crate::credits::shortfall::Shortfall;
use crate::fault::{Fault, planted};
use crate::id::Ids;
use crate::message::{Debt, Origin};
use crate::name::ParticipantId;
use crate::participant::{Participant, Right};
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::topic::{Status, Topic};
use crate::wake::resume;
use crate::wake::{Wake, WakeStatus};

/// What stands open in a topic that closes.
pub struct Pending<'a> {
    pub wakes: &'a [Wake],
    pub debts: &'a [Debt],
    /// Agents of it with something left to do elsewhere, but for whoever closes it [K4].
    pub unfinished: &'a [ParticipantId],
    /// What its agents lacked for a send [C4].
    pub shortfalls: &'a [Shortfall],
    /// The farthest waking message of the topic [H3].
    pub farthest: Option<Origin>,
}

/// The changes of closing. Wakes already taken end with it too [K2].
pub fn changes(
    topic: &Topic,
    by: &ParticipantId,
    pending: &Pending<'_>,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    for wake in pending.wakes.iter().filter(|_| !planted(Fault::ClosedKeepsWakes)) {
        let how = match wake.status {
            WakeStatus::Taken => WakeStatus::Answered,
            WakeStatus::Pending => WakeStatus::Cancelled,
            WakeStatus::Answered | WakeStatus::Spent | WakeStatus::Lapsed | WakeStatus::Cancelled => continue,
        };
        changes.push(Change::WakeEnded { wake: wake.id, agent: wake.agent.clone(), topic: wake.topic, how });
    }
    for debt in pending.debts.iter().filter(|_| !planted(Fault::ClosedKeepsDebts)) {
        changes.push(Change::DebtEnded {
            debt: debt.clone(),
            topic: topic.id,
            conversation: topic.conversation,
            how: DebtEnd::Closed,
        });
    }
    changes.extend(pending.shortfalls.iter().cloned().map(Change::ShortfallEnded));
    changes.push(Change::TopicClosed { topic: topic.id, conversation: topic.conversation, by: by.clone() });
    let origin = pending.farthest.unwrap_or(Origin::NONE);
    resume::remind(pending.unfinished, topic.id, origin, ids, now, changes);
}

/// A party person or one who may fund closes by hand [S7, W3].
pub fn by_hand(
    topic: &Topic,
    by: &Participant,
    is_party: bool,
    pending: &Pending<'_>,
    ids: &mut dyn Ids,
    now: Timestamp,
) -> Result<Vec<Change>, Refusal> {
    let may = by.id.is_person() && (by.may(Right::Fund) || is_party && by.may(Right::Write));
    if !may {
        return Err(Refusal::Forbidden { needs: "closing needs a person who takes part, or an admin" });
    }
    if topic.status == Status::Closed {
        return Err(Refusal::TopicClosed { topic: topic.id });
    }
    let mut closing = Vec::with_capacity(1 + pending.wakes.len() + pending.debts.len());
    changes(topic, &by.id, pending, ids, now, &mut closing);
    Ok(closing)
}
