//! A topic whose time has come: nudges for those waited for, polls for those who have not said that they are done, and
//! silence that counts as done [S2, S6]. Everything is computed from the rows as they are now, so a look that comes too
//! early, or days late, does what is right.

use std::time::Duration;

use crate::change::Change;
use crate::fault::{Fault, planted};
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
    pub wrote: Vec<Wrote>,
    /// When each party was last handed something here.
    pub served: Vec<(ParticipantId, Timestamp)>,
    /// Supervised turns of each party over the topic, in order: when they began and ended.
    pub turns: Vec<Worked>,
    /// Of each party that waits.
    pub waits: Vec<Declared>,
    /// Where in the log each party that was asked whether it is done was asked.
    pub asked: Vec<(ParticipantId, i64)>,
    /// People who are waited for and have no part in the topic: they were only told something.
    pub told: Vec<ParticipantId>,
    /// Counted since the waiter last sent the other something that it paid for.
    pub nudged: Vec<Nudged>,
    /// Pending wakes that carry a request or an answer.
    pub unhanded: Vec<Wake>,
    /// The farthest waking message of the topic [H3].
    pub farthest: Option<Origin>,
    /// Agents of the topic with something left to do elsewhere, should it close [K4].
    pub unfinished: Vec<ParticipantId>,
}

/// When somebody last wrote in a topic. What came first is told by the place in the log: clocks are set back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrote {
    pub who: ParticipantId,
    pub at: Timestamp,
    pub seq: i64,
}

/// The last message in a topic by which somebody declared that it waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    pub waiter: ParticipantId,
    pub message: MessageId,
    pub origin: Origin,
    pub seq: i64,
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
        self.wrote.iter().find(|wrote| wrote.who == *who).map(|wrote| wrote.at)
    }

    /// When the party last wrote, if that was after this place in the log.
    pub fn wrote_after(&self, who: &ParticipantId, seq: i64) -> Option<Timestamp> {
        self.wrote.iter().find(|wrote| wrote.who == *who && wrote.seq > seq).map(|wrote| wrote.at)
    }

    pub fn served(&self, who: &ParticipantId) -> Option<Timestamp> {
        self.served.iter().find(|(one, _)| one == who).map(|(_, at)| *at)
    }

    /// Where in the log the party was asked whether it is done.
    pub fn asked(&self, who: &ParticipantId) -> Option<i64> {
        self.asked.iter().find(|(one, _)| one == who).map(|(_, seq)| *seq)
    }

    /// The message by which the party began to wait, or declared it again.
    pub fn declared(&self, waiter: &ParticipantId) -> Option<&Declared> {
        self.waits.iter().find(|declared| declared.waiter == *waiter)
    }

    pub fn nudged(&self, waiter: &ParticipantId, on: &ParticipantId) -> Option<Nudged> {
        self.nudged.iter().find(|nudged| nudged.waiter == *waiter && nudged.on == *on).cloned()
    }

    /// When anybody last wrote, or the topic went on after a pause.
    pub fn last_heard(&self) -> Timestamp {
        let wrote = self.wrote.iter().map(|wrote| wrote.at).max();
        let topic = &self.standing.topic;
        [wrote, topic.resumed_at].into_iter().flatten().max().unwrap_or(topic.opened_at)
    }

    pub fn pending(&self, agent: &ParticipantId) -> Option<&Wake> {
        self.standing.wakes.iter().find(|wake| wake.agent == *agent && wake.status == WakeStatus::Pending)
    }

    /// The message by which the party began to wait.
    pub fn wait_message(&self, waiter: &Party) -> (Option<MessageId>, Origin) {
        match self.declared(&waiter.participant) {
            Some(declared) => (Some(declared.message), declared.origin),
            None => (None, self.origin()),
        }
    }

    /// Where what the topic's own clocks make comes from.
    pub fn origin(&self) -> Origin {
        self.farthest.unwrap_or(Origin::NONE)
    }
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

pub fn fire(mut facts: TimerFacts, ids: &mut dyn Ids) -> Fired {
    let (mut changes, mut due) = (Vec::new(), Due::default());
    match facts.standing.topic.status {
        // The clocks of a topic that stands still do too, and start afresh when it goes on [S3].
        Status::Closed => {}
        Status::Paused(_) if !planted(Fault::PausedClocksRun) => {}
        Status::Open | Status::Paused(_) => {
            match silence::fire(&facts, &mut due, ids, &mut changes) {
                // Nobody waits on one who has just been counted done.
                Some(standing) => facts.standing = standing,
                None => return Fired { changes, next: None },
            }
            waits::fire(&facts, &mut due, ids, &mut changes);
        }
    }
    Fired { changes, next: due.0 }
}
