//! Wakes and turns: whom none may come to, and that none is lost or shared [S3, S4, K3, K6].

use ygg_domain::id::{TopicId, WakeId};
use ygg_domain::topic::Status;
use ygg_domain::wake::{WakeKind, WakeStatus};
use ygg_store::delivery::Step as Stage;

use super::{Step, is_done, status};
use crate::model::action::Who;
use crate::model::cast::name;
use crate::model::moment::{Moment, Wake};

/// No wake comes to a done party but by a person's hand [S4].
pub fn done_is_shielded(step: &Step<'_>) -> Option<String> {
    if step.by_person {
        return None;
    }
    let again =
        step.wakes().filter(|(before, after)| !before.status.is_unanswered() && after.status.is_unanswered());
    let fresh = step.new_wakes().filter(|wake| wake.status.is_unanswered());
    let mut woken = fresh.chain(again.map(|(_, after)| after));
    let wrong = woken.find(|wake| {
        let done = |moment| wake.topic.is_some_and(|topic| is_done(moment, topic, Who::Agent(wake.agent)));
        done(step.before) && done(step.after)
    })?;
    Some(format!("{} was done and is woken by {}", name(wrong.agent), wrong.id))
}

/// While a topic stands still nothing makes a wake in it but a person [S3, C4]; what was there before comes up.
pub fn a_pause_makes_no_wakes(step: &Step<'_>) -> Option<String> {
    let stays = |topic| {
        let (before, after) = (status(step.before, topic), status(step.after, topic));
        before.needs_human() && after.needs_human() || before.lacks_credits() && after.lacks_credits()
    };
    let comes_up = |wake: &Wake| {
        let mut places = step.carried(wake.id).map(|(place, _)| place).peekable();
        places.peek().is_some() && places.all(|place| place < step.before.deliveries.len())
    };
    let made = step.new_wakes().filter(|wake| wake.status == WakeStatus::Pending && !step.by_person);
    let mut wrong = made.filter(|wake| wake.topic.is_some_and(stays) && !comes_up(wake));
    wrong
        .next()
        .map(|wake| format!("{} of {} was made while its topic stood still", wake.id, name(wake.agent)))
}

/// No second wake is made where one is pending: for an agent in a topic, or without one [K3, K2]. One that comes back
/// from a turn that failed may find another there.
pub fn one_wake_waits(step: &Step<'_>) -> Option<String> {
    let pending = |wake: &Wake| wake.status == WakeStatus::Pending;
    let mut made: Vec<(usize, Option<TopicId>)> = Vec::new();
    for wake in step.new_wakes().filter(|wake| pending(wake)) {
        let place = (wake.agent, wake.topic);
        let mut before = step.wakes().filter(|(before, after)| pending(before) && pending(after));
        if before.any(|(one, _)| (one.agent, one.topic) == place) || made.contains(&place) {
            return Some(format!("{} is a second wake of {} there", wake.id, name(wake.agent)));
        }
        made.push(place);
    }
    None
}

/// A pending wake is taken, or ends with its topic or its agent's part there, by its agent's own word, or as a reminder that
/// has no use any more [K2, K6, S2, S4].
pub fn no_wake_is_lost(step: &Step<'_>) -> Option<String> {
    let pending = step.wakes().filter(|(before, _)| before.status == WakeStatus::Pending);
    let mut lost = pending.filter(|(before, after)| {
        let closed = before.topic.is_some_and(|topic| status(step.after, topic) == Status::Closed);
        let excused = after.status.is_unanswered()
            || closed
            || before.topic.is_some_and(|topic| is_done(step.after, topic, Who::Agent(before.agent)))
            || step.sender() == Some(before.agent) && step.said_in() == before.topic
            || before.kind == WakeKind::Nudge && !step.before.carries_unread(before.id);
        !excused
    });
    lost.next().map(|(wake, _)| format!("{} of {} was lost", wake.id, name(wake.agent)))
}

/// An agent has one turn at a time, and what is taken is taken by one that runs [K6, U1].
pub fn one_turn_runs(step: &Step<'_>) -> Option<String> {
    let after = step.after;
    for place in 0..step.model.cast.agents.len() {
        let running = after.turns.iter().filter(|turn| turn.agent == place && turn.runs).count();
        if running > 1 {
            return Some(format!("{running} turns of {} run", name(place)));
        }
    }
    let mut taken = after.wakes.iter().filter(|wake| wake.status == WakeStatus::Taken);
    let runs = |wake: &&Wake| wake.turn.and_then(|turn| after.turn(turn)).is_some_and(|turn| turn.runs);
    taken.find(|wake| !runs(wake)).map(|wake| format!("{} is taken by a turn that does not run", wake.id))
}

/// A request that was folded into a wake and never handed comes up when that is over, unless its agent is done or the topic
/// is closed [K3].
pub fn nothing_folded_is_forgotten(step: &Step<'_>) -> Option<String> {
    let waits_in = |moment: &Moment, wake| moment.wake(wake).is_some_and(|wake| wake.status.is_unanswered());
    let waits = |wake: WakeId| waits_in(step.after, wake);
    let ends = |wake: WakeId| waits_in(step.before, wake) && !waits(wake);
    let mut rows = step.after.deliveries.iter().filter(|row| row.owes() && row.step == Stage::Pending);
    let lost = rows.find(|row| {
        let over = row.folded.is_some_and(ends) && !row.wake.is_some_and(waits);
        let open = status(step.after, row.topic) != Status::Closed;
        over && open && !is_done(step.after, row.topic, row.recipient)
    })?;
    Some(format!("{} was folded, and nothing tells {} of it any more", lost.message, lost.recipient))
}

/// When a topic goes on, each agent to whom something was held back has a wake there [S3, C4].
pub fn what_was_held_back_wakes(step: &Step<'_>) -> Option<String> {
    let goes_on = |topic| {
        let before = matches!(status(step.before, topic), Status::Paused(_));
        before && status(step.after, topic) == Status::Open
    };
    let wakes = |topic: TopicId, who: Who| {
        let mut wakes = step.after.wakes.iter();
        let theirs = |wake: &Wake| Who::Agent(wake.agent) == who && wake.topic == Some(topic);
        wakes.any(|wake| theirs(wake) && wake.status == WakeStatus::Pending)
    };
    let mut held = step.before.deliveries.iter().filter(|row| row.is_held_back() && goes_on(row.topic));
    let lost =
        held.find(|row| !is_done(step.after, row.topic, row.recipient) && !wakes(row.topic, row.recipient))?;
    Some(format!("{} was held back from {}, and the topic goes on without it", lost.message, lost.recipient))
}
