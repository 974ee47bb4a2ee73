//! How many turns may still begin without another credit and without a person.

use ygg_domain::turn::retry::ATTEMPTS;
use ygg_domain::wake::WakeStatus;
use ygg_store::delivery::Step;

use super::Model;
use super::action::Who;
use super::cast::Agent;
use super::moment::{Delivery, Moment, Wake};

/// Turns that one wake of the agent can start: each of its attempts and a live session's look; and once more where a
/// live session let it lapse and its runner gets it.
pub fn of_a_wake(agent: &Agent) -> i64 {
    if agent.style.is_run() { 2 * (i64::from(ATTEMPTS) + 1) } else { 1 }
}

/// The most that one credit adds: for its recipient a wake, reminders afresh and a question whether it is done; the same
/// question for its sender; and for a topic that it opens a reminder of each agent when that closes.
pub fn of_a_credit(model: &Model) -> i64 {
    let most = model.cast.agents.iter().map(of_a_wake).max().unwrap_or(0);
    let agents = model.cast.agents.len() as i64;
    most * (1 + i64::from(model.cast.policy.nudge_max) + 1) + most + most * agents
}

/// The most that one act of a person adds, who may speak to all agents at once.
pub fn of_an_act(model: &Model) -> i64 {
    of_a_credit(model) * (model.cast.agents.len() as i64 + 1)
}

/// Turns that may still begin: the number that credits and people add to, that every turn takes from, and that nothing else
/// moves up. That this holds for every step of every path is the third part of the theorem [L4]: turns are at most a fixed
/// multiple of the credits that were paid, and so of those that were handed out, and of what people did.
pub fn left(model: &Model, moment: &Moment) -> i64 {
    wakes(model, moment) + deliveries(model, moment) + topics(model, moment)
}

fn wakes(model: &Model, moment: &Moment) -> i64 {
    let unanswered = moment.wakes.iter().filter(|wake| wake.status.is_unanswered());
    unanswered.map(|wake| of(model, moment, wake)).sum()
}

/// What is left of one wake.
fn of(model: &Model, moment: &Moment, wake: &Wake) -> i64 {
    let is_run = model.cast.agents[wake.agent].style.is_run();
    let attempts = if is_run { i64::from(ATTEMPTS.saturating_sub(wake.failed)) } else { 0 };
    let handed_on = if is_run && !wake.handed_on { i64::from(ATTEMPTS) + 1 } else { 0 };
    if wake.status == WakeStatus::Pending {
        return attempts + 1 + handed_on;
    }
    let turn = wake.turn.and_then(|turn| moment.turn(turn));
    match turn.is_some_and(|turn| turn.is_supervised) {
        // It comes back when the turn fails.
        true => (attempts - 1).max(0) + 1 + handed_on,
        false => handed_on,
    }
}

/// What lies folded or was held back, and may come up as a wake of its own.
fn deliveries(model: &Model, moment: &Moment) -> i64 {
    // What a turn was handed comes back when it fails.
    let returns = |row: &Delivery| {
        let turn = row.turn.and_then(|turn| moment.turn(turn));
        turn.is_some_and(|turn| turn.runs && turn.is_supervised)
    };
    let mut left = 0;
    for row in &moment.deliveries {
        let Who::Agent(place) = row.recipient else { continue };
        let folded = row.folded.is_some() && row.owes() && (row.step == Step::Pending || returns(row));
        let is_open = || moment.open_topics().any(|topic| topic.id == row.topic);
        if (folded || row.is_held_back()) && is_open() {
            left += of_a_wake(&model.cast.agents[place]);
        }
    }
    left
}

/// Reminders, questions whether somebody is done, and what closing a topic calls to mind.
fn topics(model: &Model, moment: &Moment) -> i64 {
    let agents = &model.cast.agents;
    let mut left = 0;
    for topic in moment.open_topics() {
        left += agents.iter().map(of_a_wake).sum::<i64>();
        for party in &topic.parties {
            let Who::Agent(place) = party.who else { continue };
            let one = of_a_wake(&agents[place]);
            left += if party.asked_at.is_none() { one } else { 0 };
            let waiters = (0..agents.len()).map(Who::Agent).chain([Who::Person]);
            for waiter in waiters.filter(|waiter| *waiter != party.who) {
                let Some(sent) = moment.last_sent(topic.id, waiter, party.who) else { continue };
                let times = topic.nudged.iter().find(|one| one.waiter == waiter && one.on == party.who);
                let times = times.filter(|one| sent <= one.last_at).map_or(0, |one| one.times);
                left += i64::from(model.cast.policy.nudge_max.saturating_sub(times)) * one;
            }
        }
    }
    left
}
