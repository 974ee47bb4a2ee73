//! What is said, owed and answered [M3, M4, K1, K2].

use ygg_domain::message::{Effect, MessageType};
use ygg_domain::wake::WakeStatus;

use super::Step;
use crate::model::action::Who;
use crate::model::cast::name;
use crate::model::moment::Delivery;

/// A debt is owed from its request on and ends once [M4].
pub fn debts(step: &Step<'_>) -> Option<String> {
    let mut again = step.deliveries().filter(|(before, after)| {
        let stays = (before.debt, before.settled_by) == (after.debt, after.settled_by);
        !(stays || before.owes())
    });
    if let Some((row, _)) = again.next() {
        return Some(format!("what {} owed for {} had ended before", row.recipient, row.message));
    }
    let wrong = step.new_deliveries().find(|row| (row.kind == MessageType::Request) != row.debt.is_some());
    wrong.map(|row| format!("{} of {} is owed wrongly", row.message, row.recipient))
}

/// A response wakes whoever it settles a debt to, and nobody else [M4, M3].
pub fn answers(step: &Step<'_>) -> Option<String> {
    step.sender()?;
    let response = |row: &&Delivery| row.kind == MessageType::Response && row.effect == Effect::Wake;
    let mut responses = step.new_deliveries().filter(response);
    let wrong = responses.find(|row| {
        let answered = |(before, after): (&Delivery, &Delivery)| {
            Some(before.message) == row.in_reply_to
                && (before.recipient, before.sender) == (row.sender, row.recipient)
                && before.owes()
                && after.settled_by == Some(row.message)
        };
        !step.deliveries().any(answered)
    })?;
    Some(format!("{} wakes {} and answers nothing that is owed", wrong.message, wrong.recipient))
}

/// An inform of an agent wakes nobody; what a person addresses to an agent does [K1, M3].
pub fn informs_wake_nobody(step: &Step<'_>) -> Option<String> {
    let wrong = step.new_deliveries().find(|row| {
        let wakes = row.effect == Effect::Wake;
        match (row.sender, row.recipient) {
            (Who::Agent(_), _) => row.kind == MessageType::Inform && wakes,
            (Who::Person, Who::Agent(_)) => !wakes,
            (Who::Person, Who::Person) => false,
        }
    })?;
    Some(format!("{} has the effect {:?} on {}", wrong.message, wrong.effect, wrong.recipient))
}

/// What an agent took in a topic is answered by its next message there [K2].
pub fn a_word_answers(step: &Step<'_>) -> Option<String> {
    let sender = step.sender()?;
    let said = step.new_deliveries().next()?.topic;
    let mut taken = step.wakes().filter(|(before, _)| {
        before.agent == sender && before.topic == Some(said) && before.status == WakeStatus::Taken
    });
    let (wake, _) = taken.find(|(_, after)| after.status.is_unanswered())?;
    Some(format!("{} has spoken in {said}, and {} is not answered", name(sender), wake.id))
}
