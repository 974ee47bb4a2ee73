//! Groups: a name for several agents at once [W2].

use crate::limits;
use crate::name::{GroupName, ParticipantId};
use crate::participant::Participant;
use crate::refusal::Refusal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub name: GroupName,
    /// In the order in which they were named.
    pub members: Vec<ParticipantId>,
}

pub struct SetFacts {
    /// The members named, as far as they exist.
    pub members: Vec<(ParticipantId, Option<Participant>)>,
}

/// Checks what may stand as a group: agents of this workspace, each once.
pub fn check(name: &GroupName, facts: &SetFacts) -> Result<Group, Refusal> {
    if facts.members.len() > limits::GROUP_MEMBERS {
        return Err(Refusal::invalid(format!(
            "A group has at most {} members; this one names {}.",
            limits::GROUP_MEMBERS,
            facts.members.len()
        )));
    }
    let mut members: Vec<ParticipantId> = Vec::with_capacity(facts.members.len());
    for (id, found) in &facts.members {
        let stands = found.as_ref().is_some_and(|member| member.id.is_agent() && !member.removed);
        if !stands {
            return Err(Refusal::UnknownRecipient { unknown: vec![id.to_string()] });
        }
        if !members.contains(id) {
            members.push(id.clone());
        }
    }
    Ok(Group { name: name.clone(), members })
}
