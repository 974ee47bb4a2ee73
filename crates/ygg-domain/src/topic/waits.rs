//! Waiting on somebody who is silent: nudges, a bounded number of them, and what the waiter is told at the end [S2].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::Ids;
use crate::name::ParticipantId;
use crate::notice::{Notice, NoticeKind, Telling};
use crate::time::Timestamp;
use crate::topic::timer::{Due, TimerFacts};
use crate::topic::{Party, State, Topic};
use crate::wake::{Wake, WakeKind, WakeStatus};

/// How often `on` was reminded of `waiter` in a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nudged {
    pub waiter: ParticipantId,
    pub on: ParticipantId,
    pub times: u32,
    pub last_at: Timestamp,
    /// The waiter was told that the last one did not help.
    pub told: bool,
}

/// Whether somebody wrote after `waiter` declared that it waits.
fn wrote_since(facts: &TimerFacts, waiter: &Party, on: &ParticipantId) -> bool {
    let declared = facts.declared(&waiter.participant);
    declared.is_some_and(|declared| facts.wrote_after(on, declared.seq).is_some())
}

/// Since when `on` owes `waiter` an answer, if it does.
fn owes_since(facts: &TimerFacts, waiter: &Party, on: &ParticipantId) -> Option<Timestamp> {
    let owed = facts.standing.debts.iter();
    owed.filter(|debt| debt.debtor == *on && debt.creditor == waiter.participant)
        .map(|debt| debt.asked_at)
        .min()
}

/// Whether the wait of `waiter` on `on` still stands.
pub fn stands(facts: &TimerFacts, waiter: &Party, on: &ParticipantId) -> bool {
    let owes = owes_since(facts, waiter, on).is_some();
    let wrote_since = wrote_since(facts, waiter, on);
    // One who is done is not nudged, and one who was removed is a party no more; a person who was only told something
    // is none yet.
    let party = facts.standing.parties.iter().find(|party| party.participant == *on);
    let listens = party.map_or_else(|| facts.told.contains(on), |party| party.state != State::Done);
    listens && (owes || !wrote_since)
}

/// Nudges that are due, and when the next one is.
pub fn fire(facts: &TimerFacts, due: &mut Due, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
    let topic = &facts.standing.topic;
    let mut stalled = false;
    for waiter in &facts.standing.parties {
        let State::Waiting(for_whom) = &waiter.state else { continue };
        for on in for_whom.iter().filter(|on| stands(facts, waiter, on)) {
            stalled |= match facts.nudged(&waiter.participant, on) {
                // Whoever wrote since took the topic out of its standstill.
                Some(nudged) if nudged.told => topic.stalled,
                Some(_) | None => one(facts, waiter, on, due, ids, changes),
            };
        }
    }
    if stalled != topic.stalled {
        changes.push(Change::TopicMarked(Topic { stalled, ..topic.clone() }));
    }
}

/// One wait; whether it has come to the end of its nudges.
fn one(
    facts: &TimerFacts,
    waiter: &Party,
    on: &ParticipantId,
    due: &mut Due,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) -> bool {
    let policy = &facts.policy;
    let nudged = facts.nudged(&waiter.participant, on);
    // A wait that was over stands again with what was asked since.
    let asked = owes_since(facts, waiter, on).filter(|_| wrote_since(facts, waiter, on));
    // The clock begins with the wait, and afresh with any message of the one waited for, and when a pause ends.
    let begun = [Some(waiter.since), facts.wrote(on), facts.standing.topic.resumed_at, asked];
    let begun = begun.into_iter().flatten().max().unwrap_or(waiter.since);
    let times = nudged.as_ref().map_or(0, |nudged| nudged.times);
    let next = match &nudged {
        Some(_) if planted(Fault::NudgesUnspaced) => Some(facts.now),
        Some(nudged) if nudged.last_at >= begun => facts.passed(on, nudged.last_at, policy.nudge_every),
        Some(_) | None => facts.passed(on, begun, policy.nudge_after),
    };
    // While it is at work here the clock stands; the end of its turn has the topic looked at.
    let Some(next) = next else { return false };
    if next > facts.now {
        due.at(next);
        return false;
    }
    let topic = &facts.standing.topic;
    let ended = times >= policy.nudge_max && !planted(Fault::NudgedWithoutEnd);
    let count = Nudged {
        waiter: waiter.participant.clone(),
        on: on.clone(),
        times: if ended { times } else { times + 1 },
        last_at: if ended { nudged.map_or(facts.now, |nudged| nudged.last_at) } else { facts.now },
        told: ended,
    };
    if ended {
        if !planted(Fault::WaiterNotTold) {
            tell_waiter(facts, waiter, on, ids, changes);
        }
    } else {
        nudge(facts, waiter, on, ids, changes);
        if planted(Fault::TimerFiresTwice) {
            nudge(facts, waiter, on, ids, changes);
        }
        due.at(facts.now.after(policy.nudge_every));
    }
    changes.push(Change::NudgeCounted { topic: topic.id, conversation: topic.conversation, nudged: count });
    ended
}

fn nudge(
    facts: &TimerFacts,
    waiter: &Party,
    on: &ParticipantId,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) {
    let (message, origin) = facts.wait_message(waiter);
    let telling = Telling {
        kind: NoticeKind::Nudge,
        recipient: on,
        topic: Some(facts.standing.topic.id),
        about: Some(&waiter.participant),
        message,
    };
    if !on.is_agent() {
        return telling.tell(ids, changes);
    }
    let made = changes.iter().find_map(|change| match change {
        Change::WakeCreated(wake) if wake.agent == *on => Some(wake),
        _ => None,
    });
    let pending = facts.pending(on).or(made).filter(|_| !planted(Fault::TimerFiresTwice)).cloned();
    telling.wake(pending.as_ref(), origin, ids, facts.now, changes);
}

/// Once, as context.
fn tell_waiter(
    facts: &TimerFacts,
    waiter: &Party,
    on: &ParticipantId,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) {
    let (message, _) = facts.wait_message(waiter);
    let telling = Telling {
        kind: NoticeKind::Unmoved,
        recipient: &waiter.participant,
        topic: Some(facts.standing.topic.id),
        about: Some(on),
        message,
    };
    telling.tell(ids, changes);
}

/// Nudges that nobody has read are of no use once their wait has ended: they go, and with them a wake that carries
/// nothing else.
pub fn withdraw(
    pending: &[Notice],
    wakes: &[Wake],
    over: impl Fn(&Notice) -> bool,
    others_carried: impl Fn(&Wake) -> bool,
    changes: &mut Vec<Change>,
) {
    let gone: Vec<_> =
        pending.iter().filter(|notice| notice.kind == NoticeKind::Nudge && over(notice)).collect();
    for notice in &gone {
        changes.push(Change::NoticeEnded { notice: notice.id, recipient: notice.recipient.clone() });
    }
    // One of another kind is there for something else.
    let nudging = |wake: &&Wake| wake.status == WakeStatus::Pending && wake.kind == WakeKind::Nudge;
    for wake in wakes.iter().filter(nudging) {
        let lost = gone.iter().any(|notice| notice.wake == Some(wake.id));
        let kept = pending
            .iter()
            .filter(|notice| !notice.kind.tells_of_its_wake())
            .any(|notice| notice.wake == Some(wake.id) && !gone.iter().any(|gone| gone.id == notice.id));
        if lost && !kept && !others_carried(wake) {
            changes.push(Change::WakeEnded {
                wake: wake.id,
                agent: wake.agent.clone(),
                topic: wake.topic,
                how: WakeStatus::Cancelled,
            });
        }
    }
}
