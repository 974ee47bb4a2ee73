//! A live session that gave no further sign: what it took folds nothing more, and what it owes goes once to the agent's
//! runner, where it has one [K6, V2].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, WakeId};
use crate::message::{Debt, MessageType, deliver};
use crate::time::Timestamp;
use crate::turn::end::{EndFacts, Ending, come_up, ended, over};
use crate::turn::{Report, TurnStatus};
use crate::wake::{Wake, WakeStatus};

pub struct LapseFacts {
    pub end: EndFacts,
    /// What the agent owes in the topic and was handed with the wakes of this turn.
    pub owed: Vec<Debt>,
    /// Something else than a live session can be woken for the agent.
    pub has_runner: bool,
}

pub fn decide(facts: &LapseFacts, ids: &mut dyn Ids, now: Timestamp) -> Vec<Change> {
    let LapseFacts { end, owed, has_runner } = facts;
    let mut changes: Vec<Change> = end.taken.iter().map(|wake| ended(wake, WakeStatus::Lapsed)).collect();
    let once = |debt: &&Debt| {
        let carried = end.taken.iter().find(|wake| debt.wake == Some(wake.id));
        carried.is_some_and(|wake| !wake.handed_on || planted(Fault::HandedOnAgain))
    };
    // One who is done is woken by people alone [S4].
    let owed: Vec<&Debt> = owed.iter().filter(once).filter(|_| *has_runner && !end.done).collect();
    match owed.iter().max_by_key(|debt| debt.origin.hop) {
        Some(farthest) => {
            let wake = hand_on(end, farthest, ids, now, &mut changes);
            for debt in &owed {
                let (message, recipient) = (debt.request, debt.debtor.clone());
                changes.push(Change::DeliveryRoused { message, recipient, wake, again: true });
            }
            for fold in &end.folded {
                let (message, recipient) = (fold.message, end.turn.agent.clone());
                changes.push(Change::DeliveryRoused { message, recipient, wake, again: false });
            }
        }
        None => come_up(end, ids, now, &mut changes),
    }
    let ending = Ending { status: TurnStatus::Lapsed, silent: false, report: Report::default() };
    changes.extend(over(&end.turn, ending));
    changes
}

/// The wake that carries it on: the one that is pending there, or a new one.
fn hand_on(
    end: &EndFacts,
    farthest: &Debt,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> WakeId {
    let operator = end.taken.iter().any(|wake| wake.operator);
    if let Some(pending) = &end.pending {
        let farther = farthest.origin.hop > pending.origin.hop;
        let origin = if farther { farthest.origin } else { pending.origin };
        let operator = operator || pending.operator;
        changes.push(Change::WakeMerged(Wake { origin, operator, handed_on: true, ..pending.clone() }));
        return pending.id;
    }
    // What it carries now is this request, also where a notice woke the agent for it before.
    let kind = deliver::kind(farthest.creditor.kind(), MessageType::Request);
    let fresh =
        Wake::pending(WakeId::fresh(ids), &end.turn.agent, end.turn.topic, kind, farthest.origin, now);
    let wake = Wake { operator, handed_on: true, ..fresh };
    let id = wake.id;
    changes.push(Change::WakeCreated(wake));
    id
}
