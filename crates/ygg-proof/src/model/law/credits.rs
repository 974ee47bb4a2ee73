//! What is paid, and what a credit may set going [C1, C4, C5, L4].

use ygg_domain::wake::WakeStatus;

use super::{Step, status};
use crate::model::action::{Action, Line, Where, Who};
use crate::model::cast::name;
use crate::model::moment::Wake;
use crate::model::rights;

/// Balances are the sums of their entries, never negative, and grow by a person's hand alone [C3, C5].
pub fn balances(step: &Step<'_>) -> Option<String> {
    let (rows, workspace) = (step.stored.rows(), step.model.cast.workspace);
    let (before, after) = (step.before.pool, step.after.pool);
    if before == after {
        return None;
    }
    let (held, sums) = (rows.balances(workspace).ok()?, rows.ledger_sums(workspace).ok()?);
    if held != sums || held.iter().any(|(_, balance)| *balance < 0) {
        return Some(format!("balances {held:?}, entries {sums:?}"));
    }
    (after > before && *step.action != Action::Grant)
        .then(|| format!("the pool grew from {before} to {after}"))
}

/// What is taken is what is told; a message costs a credit for each recipient, and what is not delivered nothing but the
/// credit for no topic [C1, T1].
pub fn prices(step: &Step<'_>) -> Option<String> {
    if *step.action == Action::Grant {
        return None;
    }
    let taken = step.before.pool - step.after.pool;
    let reached = step.new_deliveries().count() as i64;
    let by_agent = step.sender().is_some();
    let nowhere = matches!(step.action, Action::Send(_, line) if line.place == Where::Nowhere);
    let price = match (by_agent, nowhere) {
        (true, true) if step.refused() == Some("topic_required") => step.before.pool.min(1),
        (true, true) => 0,
        (true, false) => reached,
        (false, _) => 0,
    };
    (taken != price || taken != step.charged())
        .then(|| format!("{taken} was taken and {} told, for {reached} recipients", step.charged()))
}

/// A message of an agent makes at most one wake for each recipient that was paid for, then or later: a wake that is no
/// notice carries something that no wake carried before, or is handed on, once [L4].
pub fn wakes_of_agents(step: &Step<'_>) -> Option<String> {
    let mut new = step.new_wakes().filter(|wake| !wake.kind.is_notice() && !wake.handed_on);
    let first = |place: usize| step.before.deliveries.get(place).is_none_or(|row| row.wake.is_none());
    let idle = new.find(|wake| !step.carried(wake.id).any(|(place, _)| first(place)))?;
    Some(format!("{} of {} carries nothing new", idle.id, name(idle.agent)))
}

/// Turns take from what credits and people gave, and nothing else gives [L4].
pub fn turns(step: &Step<'_>) -> Option<String> {
    let (before, after) = (rights::left(step.model, step.before), rights::left(step.model, step.after));
    let given = match step.by_person {
        true => rights::of_an_act(step.model),
        false => step.charged() * rights::of_a_credit(step.model),
    };
    let taken = |wake: &Wake| wake.status == WakeStatus::Taken;
    let took =
        step.wakes().any(|(before, after)| !taken(before) && taken(after)) || step.new_wakes().any(taken);
    (after > before + given - i64::from(took))
        .then(|| format!("{before} turns might still begin, {given} were given, and {after} may begin now"))
}

/// Whoever lacks credits in a topic has it stand still and a person told, once [C4].
pub fn short_of_credits(step: &Step<'_>) -> Option<String> {
    let sender = step.sender()?;
    if step.refused() != Some("credits_exhausted") {
        return None;
    }
    let here = match step.action {
        Action::Send(_, Line { place: Where::In(topic), .. }) => Some(*topic),
        _ => None,
    };
    let told = step.after.shortfalls.iter();
    let told = told.filter(|short| short.agent == Who::Agent(sender) && short.topic == here).count();
    if told != 1 {
        return Some(format!("{} lacks credits, and a person is told {told} times", name(sender)));
    }
    let topic = here.filter(|topic| !status(step.after, *topic).lacks_credits())?;
    Some(format!("{} lacks credits, and {topic} goes on", name(sender)))
}
