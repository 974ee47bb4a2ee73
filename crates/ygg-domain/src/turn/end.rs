//! The end of a live session's turn: what it took and did not answer is spent, what had folded in comes up [K2].

use crate::change::{Change, Turn};
use crate::id::Ids;
use crate::time::Timestamp;
use crate::wake::answer::{Up, carry};
use crate::wake::{Folded, Wake, WakeStatus};

pub struct EndFacts {
    pub turn: Turn,
    /// Wakes that the turn took and that are still unanswered.
    pub taken: Vec<Wake>,
    /// Requests folded into those and not handed yet.
    pub folded: Vec<Folded>,
    /// A pending wake of the agent in the same topic.
    pub pending: Option<Wake>,
}

pub fn decide(facts: &EndFacts, ids: &mut dyn Ids, now: Timestamp) -> Vec<Change> {
    let mut changes = Vec::new();
    for wake in &facts.taken {
        let (wake, agent, topic) = (wake.id, wake.agent.clone(), wake.topic);
        changes.push(Change::WakeEnded { wake, agent, topic, how: WakeStatus::Spent });
    }
    if let Some(topic) = facts.turn.topic {
        let folded: Vec<Up> = facts.folded.iter().map(Up::from).collect();
        carry(&folded, facts.pending.as_ref(), &facts.turn.agent, topic, ids, now, &mut changes);
    }
    changes.push(Change::TurnEnded { turn: facts.turn.id, agent: facts.turn.agent.clone() });
    changes
}
