//! What may stand as a new participant: names that are free and texts that are short [W2].

use crate::account::Account;
use crate::key::contains_key;
use crate::limits;
use crate::name::ParticipantId;
use crate::participant::{Agent, Nature, Participant, Person, Role, WakeBy};
use crate::refusal::{Refusal, Unit};

/// What already answers to the name that is asked for.
pub struct AddFacts {
    pub by_id: Option<Participant>,
    pub by_handle: Option<Participant>,
    pub agents: usize,
}

/// A person comes with an account, whose handle nobody else may answer to here. Whoever was here before is the same
/// participant again [W1, W4].
pub fn person(
    id: ParticipantId,
    account: &Account,
    role: Role,
    facts: &AddFacts,
) -> Result<Participant, Refusal> {
    let handle = account.handle.clone();
    let taken = || Refusal::Taken { name: handle.to_string() };
    if facts.by_id.is_some() {
        return Err(taken());
    }
    let (id, display_name) = match &facts.by_handle {
        None => (id, handle.to_string()),
        Some(held) if held.removed => (held.id.clone(), held.display_name.clone()),
        Some(_) => return Err(taken()),
    };
    let nature = Nature::Person(Person { account: account.id, handle, role });
    Ok(Participant { id, display_name, nature, removed: false })
}

pub struct NewAgent {
    pub id: ParticipantId,
    pub display_name: Option<String>,
    pub description: String,
    pub operators: Vec<ParticipantId>,
    pub wake_by: WakeBy,
    pub connected_by: Option<ParticipantId>,
}

/// An id that was removed may be taken again and starts from nothing [W7].
pub fn agent(new: NewAgent, facts: &AddFacts) -> Result<Participant, Refusal> {
    if facts.by_handle.is_some() || facts.by_id.as_ref().is_some_and(|held| !held.removed) {
        return Err(Refusal::Taken { name: new.id.to_string() });
    }
    if facts.agents >= limits::AGENTS {
        return Err(Refusal::TooLarge {
            what: "workspace's agents",
            size: facts.agents + 1,
            limit: limits::AGENTS,
            unit: Unit::Entries,
        });
    }
    check_line("description", &new.description, limits::DESCRIPTION_CHARS)?;
    let display_name = new.display_name.unwrap_or_else(|| new.id.to_string());
    check_line("display name", &display_name, limits::DISPLAY_NAME_CHARS)?;
    let nature = Nature::Agent(Agent {
        wake_by: new.wake_by,
        description: new.description,
        operators: new.operators,
        connected_by: new.connected_by,
        paused: false,
    });
    Ok(Participant { id: new.id, display_name, nature, removed: false })
}

/// One line without characters that hide or reorder text.
pub fn check_line(what: &'static str, text: &str, limit: usize) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if chars > limit {
        return Err(Refusal::TooLarge { what, size: chars, limit, unit: Unit::Chars });
    }
    if contains_key(text) {
        return Err(Refusal::invalid(format!(
            "The {what} contains a Ygg key and was not stored; take it out, and have that key revoked."
        )));
    }
    if text.chars().any(char::is_control) || crate::render::hides_something(text) {
        return Err(Refusal::invalid(format!(
            "The {what} must be one line without control, invisible or direction characters."
        )));
    }
    Ok(())
}
