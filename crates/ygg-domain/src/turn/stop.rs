//! A person stops a turn: what it took is not taken again, and stays owed [G2, W3].

use crate::change::Change;
use crate::id::Ids;
use crate::participant::{Participant, Person, Right};
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::turn::end::{EndFacts, closing};
use crate::turn::{Report, Turn, TurnStatus};

const NEEDS_OPERATOR: &str = "stopping a turn needs a person who operates the agent, or an admin";
const NEEDS_SUPERVISED: &str =
    "a turn of a relay or runner can be stopped; what a session does is stopped where it runs";

/// Who stops it, if they may. Whoever runs a supervised turn is told of it when they renew; nobody runs a session's.
pub fn check<'a>(by: &'a Participant, agent: &Participant, turn: &Turn) -> Result<&'a Person, Refusal> {
    let may = by.may(Right::Operate) || by.may(Right::Write) && by.operates(agent);
    let person = by.as_person().filter(|_| may).ok_or(Refusal::Forbidden { needs: NEEDS_OPERATOR })?;
    if turn.taker.is_supervised() { Ok(person) } else { Err(Refusal::Forbidden { needs: NEEDS_SUPERVISED }) }
}

pub fn decide(by: &Person, facts: &EndFacts, ids: &mut dyn Ids, now: Timestamp) -> Vec<Change> {
    let report = Report { problem: Some(format!("stopped by @{}", by.handle)), ..Report::default() };
    closing(facts, TurnStatus::Stopped, report, ids, now)
}
