//! What comes by the clock: reminders, and the question whether somebody is done [S2, S6].

use std::time::Duration;

use ygg_domain::id::TopicId;
use ygg_domain::wake::WakeStatus;
use ygg_store::delivery::Step as Stage;

use super::{Step, is_done};
use crate::model::action::{Action, Who};
use crate::model::moment::{Nudged, Part};

/// Reminders come after their time, one at a time, and no more than the policy allows [S2].
pub fn reminders(step: &Step<'_>) -> Option<String> {
    let (policy, now) = (&step.model.cast.policy, step.after.now);
    for topic in &step.after.topics {
        let before = step.before.topic(topic.id);
        for nudged in &topic.nudged {
            let earlier = before.and_then(|topic| {
                topic.nudged.iter().find(|one| (one.waiter, one.on) == (nudged.waiter, nudged.on))
            });
            // What is told at the end is no reminder.
            if earlier
                .is_some_and(|earlier| earlier == nudged || nudged.told && earlier.last_at == nudged.last_at)
            {
                continue;
            }
            let waiter = step.before.party(topic.id, nudged.waiter);
            let waited = waiter.is_some_and(|party| {
                matches!(party.part, Part::Waiting(on) if on.has(nudged.on))
                    && now.since(party.since) >= policy.nudge_after
            });
            let again = earlier.is_none_or(|one| now.since(one.last_at) >= policy.nudge_every);
            let counted = nudged.times == 1 || earlier.is_some_and(|one| nudged.times == one.times + 1);
            let done = is_done(step.before, topic.id, nudged.on);
            if !waited || !again || !counted || done || nudged.times > policy.nudge_max {
                let Nudged { waiter, on, times, .. } = nudged;
                return Some(format!("{on} was reminded of {waiter} wrongly, {times} times"));
            }
        }
    }
    None
}

/// Whoever was asked whether it is done is not asked again; nobody who has an unread request is counted done within a
/// week; only the clock asks and counts [S6].
pub fn questions(step: &Step<'_>) -> Option<String> {
    let by_clock = *step.action == Action::Wait;
    for topic in &step.after.topics {
        for party in &topic.parties {
            let before = step.before.party(topic.id, party.who);
            let asked = before.and_then(|party| party.asked_at);
            if party.asked_at.is_some() && party.asked_at != asked && (asked.is_some() || !by_clock) {
                return Some(format!("{} was asked again in {}", party.who, topic.id));
            }
            let was_done = before.is_some_and(|party| party.part == Part::Done);
            if by_clock && party.part == Part::Done && !was_done && is_unread(step, topic.id, party.who) {
                return Some(format!("{} was counted done before it was handed a request", party.who));
            }
        }
    }
    None
}

/// Something that a wake of this week carries was never handed to it.
fn is_unread(step: &Step<'_>, topic: TopicId, who: Who) -> bool {
    const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
    let mut here = step.before.deliveries.iter().filter(|row| row.topic == topic && row.recipient == who);
    here.any(|row| {
        let wake = row.wake.and_then(|wake| step.before.wake(wake));
        let waits = wake.is_some_and(|wake| {
            wake.status == WakeStatus::Pending && step.after.now.since(wake.made_at) < WEEK
        });
        row.step == Stage::Pending && waits
    })
}
