//! A topic whose time has come: nudges for those waited for, polls for those who have not said that they are done, and
//! silence that counts as done [S2, S6]. Everything is computed from the rows as they are now, so a look that comes too
//! early, or days late, does what is right.

use std::time::Duration;

use crate::change::Change;
use crate::id::{Ids, MessageId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::policy::Policy;
use crate::time::Timestamp;
use crate::topic::waits::Nudged;
use crate::topic::{Party, Standing, Status, silence, waits};
use crate::wake::{Wake, WakeStatus};

pub struct TimerFacts {
    pub policy: Policy,
    pub now: Timestamp,
    /// With its debts.
    pub standing: Standing,
    /// When each party last wrote here.
    pub wrote: Vec<(ParticipantId, Timestamp)>,
    /// When each party was last handed something here.
    pub served: Vec<(ParticipantId, Timestamp)>,
    /// Supervised turns of each party over the topic, in order: when they began and ended.
    pub turns: Vec<Worked>,
    /// The last message here of each party that waits, with its origin.
    pub waits: Vec<(ParticipantId, MessageId, Origin)>,
    /// Since the waiter last sent the other something that it paid for.
    pub nudged: Vec<Nudged>,
    /// Pending wakes that carry a request or an answer.
    pub unhanded: Vec<Wake>,
    /// The farthest waking message of the topic [H3].
    pub farthest: Option<Origin>,
    /// Agents of the topic with something left to do elsewhere, should it close [K4].
    pub unfinished: Vec<ParticipantId>,
}

/// One run of an agent over the topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worked {
    pub agent: ParticipantId,
    pub from: Timestamp,
    /// None while it runs.
    pub to: Option<Timestamp>,
}

impl TimerFacts {
    /// When `span` has passed since `from` for somebody who is waited for: the time of its supervised turns over the
    /// topic does not count [S2]. None while one runs.
    pub fn passed(&self, who: &ParticipantId, from: Timestamp, span: Duration) -> Option<Timestamp> {
        let mut at = from.after(span);
        for worked in self.turns.iter().filter(|worked| worked.agent == *who) {
            let began = worked.from.max(from);
            if at <= began {
                break;
            }
            let ended = worked.to?;
            if ended > began {
                at = at.after(ended.since(began));
            }
        }
        Some(at)
    }

    pub fn wrote(&self, who: &ParticipantId) -> Option<Timestamp> {
        at(&self.wrote, who)
    }

    pub fn served(&self, who: &ParticipantId) -> Option<Timestamp> {
        at(&self.served, who)
    }

    pub fn nudged(&self, waiter: &ParticipantId, on: &ParticipantId) -> Option<Nudged> {
        self.nudged.iter().find(|nudged| nudged.waiter == *waiter && nudged.on == *on).cloned()
    }

    /// When anybody last wrote, or the topic went on after a pause.
    pub fn last_heard(&self) -> Timestamp {
        let wrote = self.wrote.iter().map(|(_, at)| *at).max();
        let topic = &self.standing.topic;
        [wrote, topic.resumed_at].into_iter().flatten().max().unwrap_or(topic.opened_at)
    }

    pub fn pending(&self, agent: &ParticipantId) -> Option<&Wake> {
        self.standing.wakes.iter().find(|wake| wake.agent == *agent && wake.status == WakeStatus::Pending)
    }

    /// The message by which the party began to wait.
    pub fn wait_message(&self, waiter: &Party) -> (Option<MessageId>, Origin) {
        let found = self.waits.iter().find(|(who, ..)| *who == waiter.participant);
        match found {
            Some((_, message, origin)) => (Some(*message), *origin),
            None => (None, self.origin()),
        }
    }

    /// Where what the topic's own clocks make comes from.
    pub fn origin(&self) -> Origin {
        self.farthest.unwrap_or(Origin::NONE)
    }
}

fn at(of: &[(ParticipantId, Timestamp)], who: &ParticipantId) -> Option<Timestamp> {
    of.iter().find(|(one, _)| one == who).map(|(_, at)| *at)
}

/// The first moment at which there is something to do again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Due(pub Option<Timestamp>);

impl Due {
    pub fn at(&mut self, at: Timestamp) {
        self.0 = Some(self.0.map_or(at, |before| before.min(at)));
    }
}

pub struct Fired {
    pub changes: Vec<Change>,
    /// None: nothing ever falls due in it by itself.
    pub next: Option<Timestamp>,
}

pub fn fire(facts: &TimerFacts, ids: &mut dyn Ids) -> Fired {
    let (mut changes, mut due) = (Vec::new(), Due::default());
    match facts.standing.topic.status {
        // The clocks of a topic that stands still do too, and start afresh when it goes on [S3].
        Status::Closed | Status::Paused(_) => {}
        Status::Open => {
            if silence::fire(facts, &mut due, ids, &mut changes) {
                return Fired { changes, next: None };
            }
            waits::fire(facts, &mut due, ids, &mut changes);
        }
    }
    Fired { changes, next: due.0 }
}
