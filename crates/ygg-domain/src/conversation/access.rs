//! Who may read and write where: the one place that answers it [W3, W4].

use crate::conversation::{Conversation, Kind};
use crate::name::ParticipantId;
use crate::participant::{Participant, Right};

/// What ties a reader to a conversation or topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ties {
    /// Has a current stint in the conversation.
    pub stint: bool,
    /// Is a party of the topic in question.
    pub party: bool,
    /// A person who operates an agent that is in it.
    pub operates: bool,
}

/// Whether everyone of role member and above may read along: groups, agent-to-agent directs, open rooms.
pub fn is_shared(kind: &Kind) -> bool {
    match kind {
        Kind::General | Kind::Group(_) => true,
        Kind::Direct(first, second) => first.is_agent() && second.is_agent(),
        Kind::Room { private, .. } | Kind::OwnRoom { private, .. } => !private,
    }
}

fn between_people(kind: &Kind) -> bool {
    matches!(kind, Kind::Direct(first, second) if first.is_person() && second.is_person())
}

pub fn may_read(reader: &Participant, conversation: &Conversation, ties: Ties) -> bool {
    if reader.removed {
        return false;
    }
    if ties.stint || ties.party {
        return true;
    }
    // A direct of two people is read by those two.
    if !reader.id.is_person() || between_people(&conversation.kind) {
        return false;
    }
    matches!(conversation.kind, Kind::General)
        || is_shared(&conversation.kind) && reader.may(Right::ReadShared)
        || reader.may(Right::ReadPrivate)
        || ties.operates && reader.may(Right::ReadShared)
}

/// Whether whoever reads it does so by their role, or by operating an agent of it, where others talk in private: such a
/// look is kept in the audit log [W3].
pub fn is_audited(reader: &Participant, conversation: &Conversation, ties: Ties) -> bool {
    let shared = matches!(conversation.kind, Kind::General)
        || is_shared(&conversation.kind) && reader.may(Right::ReadShared);
    reader.id.is_person() && !ties.stint && !ties.party && !shared && may_read(reader, conversation, ties)
}

/// Whether a person may step into a topic of it that they have no part in yet.
pub fn may_step_in(person: &Participant, kind: &Kind) -> bool {
    person.id.is_person() && is_shared(kind) && person.may(Right::Write)
}

pub fn may_write(writer: &Participant, kind: &Kind, ties: Ties) -> bool {
    if writer.removed {
        return false;
    }
    let tied = ties.stint || ties.party;
    match writer.as_person() {
        Some(_) => writer.may(Right::Write) && (tied || may_step_in(writer, kind)),
        None => tied,
    }
}

/// Whether a draft in this conversation may be addressed to `other` [M6].
pub fn may_be_addressed(other: &Participant, kind: &Kind, ties: Ties) -> bool {
    !other.removed && (ties.stint || ties.party || may_step_in(other, kind))
}

/// The participants that a conversation of this kind begins with, where that follows from the kind alone.
pub fn first_stints(kind: &Kind) -> Vec<ParticipantId> {
    match kind {
        Kind::General | Kind::Group(_) | Kind::OwnRoom { .. } => Vec::new(),
        Kind::Direct(first, second) => vec![first.clone(), second.clone()],
        Kind::Room { founders, .. } => founders.clone(),
    }
}

#[cfg(test)]
#[path = "access_tests.rs"]
mod tests;
