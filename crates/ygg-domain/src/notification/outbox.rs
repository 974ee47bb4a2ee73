//! What of a person's matters goes out, once for each: what is new, what is over before it was told, what is to be tried
//! again and when it is given up.

use std::time::Duration;

use crate::id::{Ids, OutgoingId, TopicId};
use crate::limits;
use crate::name::ParticipantId;
use crate::notification::Subject;
use crate::time::Timestamp;

/// From one reminder to the next [S3].
const DAY: Duration = Duration::from_secs(24 * 3600);
/// How long what is over is remembered.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// After each attempt that failed; after the last there is none.
const TRIES: [Duration; 4] = [
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(2 * 3600),
];
/// How long whoever takes one up has to carry it. When it passes, nobody knows whether it arrived: it goes once more.
pub const LEASE: Duration = Duration::from_secs(60);

/// Something to tell. The same matter is the same item, however often it is looked at; when it comes up anew, it is
/// another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub key: String,
    pub subject: Subject,
    pub topic: Option<TopicId>,
    /// Whom it is about.
    pub about: Option<ParticipantId>,
}

/// One message to one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    pub id: OutgoingId,
    pub person: ParticipantId,
    pub item: Item,
    /// 0, and 1 up for each reminder.
    pub round: u32,
    pub step: Step,
    pub attempts: u32,
    pub made_at: Timestamp,
    /// When it is to be tried; none once there is nothing to try.
    pub due_at: Option<Timestamp>,
    /// Why the last attempt failed.
    pub trouble: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Waiting,
    Sent,
    GivenUp,
    /// It needed nobody any more before it was sent.
    Over,
}

impl Step {
    pub const ALL: [Self; 4] = [Self::Waiting, Self::Sent, Self::GivenUp, Self::Over];

    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::GivenUp => "given_up",
            Self::Over => "over",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }
}

/// What is written to an outbox. Nobody but its owner sees it, and no event tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    Add(Box<Outgoing>),
    Withdraw(OutgoingId),
    Forget(OutgoingId),
    /// Not before then.
    Postpone(OutgoingId, Timestamp),
    /// What came of an attempt; of no other than this one.
    Settle {
        id: OutgoingId,
        attempt: u32,
        step: Step,
        due_at: Option<Timestamp>,
        trouble: Option<String>,
    },
    /// Notices up to that place in the log have been looked at.
    Seen(ParticipantId, i64),
}

/// What is looked at for one person.
pub struct LookFacts {
    pub person: ParticipantId,
    /// What stands now.
    pub standing: Vec<Item>,
    /// What was said since the last look.
    pub notices: Vec<Item>,
    /// The place of the last of them.
    pub seen: Option<i64>,
    /// All that there is for the person so far.
    pub outbox: Vec<Outgoing>,
    /// Of what waits: notices that are not to be read any more.
    pub ended: Vec<OutgoingId>,
}

pub fn decide(facts: &LookFacts, ids: &mut dyn Ids, now: Timestamp) -> Vec<Act> {
    let mut acts = Vec::new();
    let stands = |key: &str| facts.standing.iter().any(|item| item.key == key);
    for row in &facts.outbox {
        let is_over = row.item.subject.stands() && !stands(&row.item.key) || facts.ended.contains(&row.id);
        match row.step {
            Step::Waiting if is_over => acts.push(Act::Withdraw(row.id)),
            Step::Waiting => {}
            Step::Sent | Step::GivenUp | Step::Over => {
                if now.since(row.made_at) >= KEPT && !stands(&row.item.key) {
                    acts.push(Act::Forget(row.id));
                }
            }
        }
    }
    let waiting = facts.outbox.iter().filter(|row| row.step == Step::Waiting).count();
    let room = limits::OUTBOX_WAITING.saturating_sub(waiting);
    let notices = facts.notices.iter().map(|item| (item, 0));
    let new = facts.standing.iter().filter_map(|item| Some((item, next_round(facts, item, now)?)));
    // What does not fit is looked at again when there is room; a notice is then in the log all the same.
    for (item, round) in notices.chain(new).take(room) {
        acts.push(Act::Add(Box::new(Outgoing {
            id: OutgoingId::fresh(ids),
            person: facts.person.clone(),
            item: item.clone(),
            round,
            step: Step::Waiting,
            attempts: 0,
            made_at: now,
            due_at: Some(now),
            trouble: None,
        })));
    }
    acts.extend(facts.seen.map(|seq| Act::Seen(facts.person.clone(), seq)));
    acts
}

/// The round in which an item is to be told now, if it is.
fn next_round(facts: &LookFacts, item: &Item, now: Timestamp) -> Option<u32> {
    let rounds = facts.outbox.iter().filter(|row| row.item.key == item.key);
    let Some(last) = rounds.max_by_key(|row| row.round) else { return Some(0) };
    let again = match last.step {
        Step::Waiting => false,
        Step::Over => true,
        Step::Sent | Step::GivenUp => item.subject.is_daily() && now.since(last.made_at) >= DAY,
    };
    again.then_some(last.round + 1)
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    Arrived,
    /// Trying again may help.
    Failed(String),
    /// It never will.
    Refused(String),
}

/// What follows from an attempt.
pub fn settle(id: OutgoingId, attempt: u32, how: Attempt, now: Timestamp) -> Act {
    let tried = usize::try_from(attempt).unwrap_or(usize::MAX).saturating_sub(1);
    let (step, due_at, trouble) = match how {
        Attempt::Arrived => (Step::Sent, None, None),
        Attempt::Refused(trouble) => (Step::GivenUp, None, Some(trouble)),
        Attempt::Failed(trouble) => match TRIES.get(tried) {
            Some(wait) => (Step::Waiting, Some(now.after(*wait)), Some(trouble)),
            None => (Step::GivenUp, None, Some(trouble)),
        },
    };
    Act::Settle { id, attempt, step, due_at, trouble }
}

#[cfg(test)]
#[path = "outbox_tests.rs"]
mod tests;
