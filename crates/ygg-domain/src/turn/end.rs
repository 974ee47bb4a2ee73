//! The end of a turn that went well: what it took and did not answer is spent, what had folded in comes up, and a turn
//! that said nothing where it was woken is told to whoever waits [K2, K5b].

use crate::change::Change;
use crate::id::{Ids, TopicId};
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling};
use crate::time::Timestamp;
use crate::turn::{Report, Turn, TurnStatus};
use crate::wake::answer::{Up, carry};
use crate::wake::{Folded, Wake, WakeStatus};

pub struct EndFacts {
    pub turn: Turn,
    /// Wakes that the turn took and that are still unanswered.
    pub taken: Vec<Wake>,
    /// It is done with its part in the topic.
    pub done: bool,
    /// Requests folded into those and not handed yet.
    pub folded: Vec<Folded>,
    /// A pending wake of the agent in the same topic.
    pub pending: Option<Wake>,
    /// Who waits on the agent there, or is owed an answer by it.
    pub waiting: Vec<ParticipantId>,
}

/// How a turn came to its end.
pub struct Ending {
    pub status: TurnStatus,
    pub silent: bool,
    pub report: Report,
}

pub fn decide(facts: &EndFacts, report: Report, ids: &mut dyn Ids, now: Timestamp) -> Vec<Change> {
    closing(facts, TurnStatus::Ended, report, ids, now)
}

/// What it took is dealt with, however it came to its end.
pub fn closing(
    facts: &EndFacts,
    status: TurnStatus,
    report: Report,
    ids: &mut dyn Ids,
    now: Timestamp,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for wake in &facts.taken {
        changes.push(ended(wake, WakeStatus::Spent));
    }
    come_up(facts, ids, now, &mut changes);
    // Any word there would have answered what it took.
    let woken_in: Option<TopicId> = facts.taken.iter().find_map(|wake| wake.topic);
    if let Some(topic) = woken_in.filter(|_| facts.turn.taker.is_supervised()) {
        tell(facts, topic, ids, &mut changes);
    }
    let ending = Ending { status, silent: woken_in.is_some(), report };
    changes.push(over(&facts.turn, ending));
    changes
}

/// Requests that had folded into what the turn took become a wake of their own [K3].
pub fn come_up(facts: &EndFacts, ids: &mut dyn Ids, now: Timestamp, changes: &mut Vec<Change>) {
    // One who is done is woken by people alone [S4].
    let Some(topic) = facts.turn.topic.filter(|_| !facts.done) else { return };
    let folded: Vec<Up> = facts.folded.iter().map(Up::from).collect();
    carry(&folded, facts.pending.as_ref(), &facts.turn.agent, topic, ids, now, changes);
}

/// As context: an end that disturbs nobody else.
fn tell(facts: &EndFacts, topic: TopicId, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
    for waiting in facts.waiting.iter().filter(|id| **id != facts.turn.agent) {
        let telling = Telling {
            kind: NoticeKind::SilentEnd,
            recipient: waiting,
            topic: Some(topic),
            about: Some(&facts.turn.agent),
            message: None,
        };
        telling.tell(ids, changes);
    }
}

pub fn ended(wake: &Wake, how: WakeStatus) -> Change {
    Change::WakeEnded { wake: wake.id, agent: wake.agent.clone(), topic: wake.topic, how }
}

pub fn over(turn: &Turn, ending: Ending) -> Change {
    let Ending { status, silent, report } = ending;
    Change::TurnEnded { turn: Box::new(turn.clone()), status, silent, report }
}
