//! What happened, held against the rules, a step at a time: by what was stored before and after it, and by what was told.
//! Each check is a sentence of the rules, said of rows; none asks the code that decided.

mod clocks;
mod credits;
mod wakes;
mod words;

use ygg_domain::id::{TopicId, WakeId};
use ygg_domain::topic::Status;
use ygg_store::memory::Snapshot;

use super::Model;
use super::action::{Action, Line, Where, Who};
use super::cast::name;
use super::moment::{Delivery, Moment, Part, Wake};
use super::perform::Came;
use super::state::{State, Wrong};

/// The first rule that the step did not keep.
pub fn broken(model: &Model, before: &State, after: &State, action: &Action, came: &Came) -> Option<Wrong> {
    let step = Step {
        model,
        before: &before.moment,
        after: &after.moment,
        by_person: after.acts > before.acts,
        stored: &after.stored,
        action,
        came,
    };
    CHECKS.iter().find_map(|(rule, check)| check(&step).map(|what| Wrong { rule, what }))
}

/// The rule, and what is wrong, if anything is.
type Check = (&'static str, fn(&Step<'_>) -> Option<String>);

const CHECKS: &[Check] = &[
    ("M2", nothing_is_forgotten),
    ("C5", credits::balances),
    ("C1", credits::prices),
    ("L4", credits::wakes_of_agents),
    ("L4", credits::turns),
    ("M4", words::debts),
    ("M4", words::answers),
    ("S4", wakes::done_is_shielded),
    ("S3", wakes::a_pause_makes_no_wakes),
    ("S7", closed_is_final),
    ("K1", words::informs_wake_nobody),
    ("K2", words::a_word_answers),
    ("K3", wakes::one_wake_waits),
    ("K3", wakes::nothing_folded_is_forgotten),
    ("S3", wakes::what_was_held_back_wakes),
    ("K6", wakes::no_wake_is_lost),
    ("K6", wakes::one_turn_runs),
    ("S2", clocks::reminders),
    ("S6", clocks::questions),
    ("C4", credits::short_of_credits),
];

struct Step<'a> {
    model: &'a Model,
    before: &'a Moment,
    after: &'a Moment,
    /// By the person, or the person's doing.
    by_person: bool,
    stored: &'a Snapshot,
    action: &'a Action,
    came: &'a Came,
}

impl Step<'_> {
    /// The agent whose send this is.
    fn sender(&self) -> Option<usize> {
        match self.action {
            Action::Send(Who::Agent(place), _) | Action::Tell(place, ..) => Some(*place),
            _ => None,
        }
    }

    /// The topic that the send is in.
    fn said_in(&self) -> Option<TopicId> {
        match self.action {
            Action::Send(_, Line { place: Where::In(topic), .. }) | Action::Tell(_, topic, _) => Some(*topic),
            _ => None,
        }
    }

    /// Why it was refused.
    fn refused(&self) -> Option<&str> {
        match self.came {
            Came::Receipt(receipt) => receipt.reason.as_deref(),
            Came::Turn(_) | Came::Nothing => None,
        }
    }

    fn charged(&self) -> i64 {
        match self.came {
            Came::Receipt(receipt) => receipt.charged,
            Came::Turn(_) | Came::Nothing => 0,
        }
    }

    /// Deliveries that were there, as they were and as they are. Both lists only grow at their end.
    fn deliveries(&self) -> impl Iterator<Item = (&Delivery, &Delivery)> {
        self.before.deliveries.iter().zip(&self.after.deliveries)
    }

    fn new_deliveries(&self) -> impl Iterator<Item = &Delivery> {
        self.after.deliveries.iter().skip(self.before.deliveries.len())
    }

    /// Wakes that were there, as they were and as they are.
    fn wakes(&self) -> impl Iterator<Item = (&Wake, &Wake)> {
        self.before.wakes.iter().zip(&self.after.wakes)
    }

    fn new_wakes(&self) -> impl Iterator<Item = &Wake> {
        self.after.wakes.iter().skip(self.before.wakes.len())
    }

    /// What a wake carries, by places.
    fn carried(&self, wake: WakeId) -> impl Iterator<Item = (usize, &Delivery)> {
        self.after.deliveries.iter().enumerate().filter(move |(_, row)| row.wake == Some(wake))
    }
}

fn is_done(moment: &Moment, topic: TopicId, who: Who) -> bool {
    moment.party(topic, who).is_some_and(|party| party.part == Part::Done)
}

fn status(moment: &Moment, topic: TopicId) -> Status {
    moment.topic(topic).map_or(Status::Open, |topic| topic.status)
}

/// The lists of before are the beginnings of those of after: every other check goes by that.
fn nothing_is_forgotten(step: &Step<'_>) -> Option<String> {
    let messages = step
        .deliveries()
        .all(|(before, after)| (before.message, before.recipient) == (after.message, after.recipient));
    let wakes = step.wakes().all(|(before, after)| before.id == after.id);
    let longer = step.before.deliveries.len() <= step.after.deliveries.len()
        && step.before.wakes.len() <= step.after.wakes.len();
    (!(messages && wakes && longer)).then(|| "a message or a wake is gone".to_owned())
}

/// Nothing is open, said or awaited in a closed topic [S7, W5, T4].
fn closed_is_final(step: &Step<'_>) -> Option<String> {
    let closed = |moment: &Moment, id| status(moment, id) == Status::Closed;
    let topics = step.before.topics.iter();
    let reopened =
        topics.clone().find(|topic| topic.status == Status::Closed && !closed(step.after, topic.id));
    if let Some(topic) = reopened {
        return Some(format!("{} was closed and is not any more", topic.id));
    }
    if let Some(row) = step.new_deliveries().find(|row| closed(step.before, row.topic)) {
        return Some(format!("{} was said in a closed topic", row.message));
    }
    let waits = |wake: &&Wake| {
        wake.status.is_unanswered() && wake.topic.is_some_and(|topic| closed(step.after, topic))
    };
    if let Some(wake) = step.after.wakes.iter().find(waits) {
        return Some(format!("{} of {} waits in a closed topic", wake.id, name(wake.agent)));
    }
    let owed = step.after.deliveries.iter().find(|row| row.owes() && closed(step.after, row.topic))?;
    Some(format!("{} is owed in a closed topic", owed.message))
}
