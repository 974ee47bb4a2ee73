//! A topic that stands still, and how it goes on [S3, C4].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::time::Timestamp;
use crate::topic::state::{self, state_of};
use crate::topic::{Standing, State, Status, Topic};
use crate::wake::WakeStatus;
use crate::wake::answer::{Up, carry};

/// A request or an answer that came to an agent while the topic stood still, and woke nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldBack {
    pub recipient: ParticipantId,
    pub message: MessageId,
    pub origin: Origin,
    /// It was read all the same.
    pub read: bool,
}

/// The topic with another status; nothing when it has it already.
pub fn mark(topic: &Topic, status: Status, now: Timestamp) -> Option<Topic> {
    let resumes = topic.status != Status::Open && status == Status::Open;
    // Its timers may have been looked at, and left, while it stood still.
    let (resumed_at, due) = if resumes { (Some(now), Some(now)) } else { (topic.resumed_at, topic.due) };
    (topic.status != status).then(|| Topic { status, resumed_at, due, ..topic.clone() })
}

/// Sets the topic going: whoever needed a person works again, and each agent to whom the pause held something back gets
/// one wake, but for those in `woken`, who get one anyway.
pub fn resume(
    standing: &mut Standing,
    held_back: &[HeldBack],
    woken: &[&ParticipantId],
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let Some(topic) = mark(&standing.topic, Status::Open, now) else { return };
    standing.topic = topic.clone();
    changes.push(Change::TopicMarked(topic));
    for party in &mut standing.parties {
        if party.state == State::NeedsHuman {
            state::enter(party, State::Working, now);
            changes.push(state::change(&standing.topic, party));
        }
    }
    let mut agents: Vec<&ParticipantId> = Vec::new();
    for held in held_back.iter().filter(|_| !planted(Fault::HeldBackLost)) {
        let done = state_of(&standing.parties, &held.recipient) == Some(&State::Done);
        if !done && !woken.contains(&&held.recipient) && !agents.contains(&&held.recipient) {
            agents.push(&held.recipient);
        }
    }
    for agent in agents {
        let theirs = held_back.iter().filter(|held| held.recipient == *agent);
        let theirs: Vec<_> =
            theirs.map(|held| Up { message: held.message, origin: held.origin, again: held.read }).collect();
        let pending =
            standing.wakes.iter().find(|wake| wake.agent == *agent && wake.status == WakeStatus::Pending);
        carry(&theirs, pending, agent, standing.topic.id, ids, now, changes);
    }
}
