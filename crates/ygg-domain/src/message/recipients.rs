//! From addresses to distinct participants, and where a new topic lives [M6, M7].

use crate::conversation::Kind;
use crate::conversation::access::{Ties, may_be_addressed};
use crate::limits;
use crate::name::{Address, GroupName, Kind as NameKind, ParticipantId};
use crate::participant::Participant;
use crate::refusal::{Refusal, Unit};

/// Somebody an address may mean, with what ties them to the conversation and topic in question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub participant: Participant,
    pub ties: Ties,
}

/// What stands behind one entry of `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    One(Candidate),
    /// A group's members, or everyone of the conversation.
    Many(Vec<Candidate>),
    Unknown,
}

pub type Addressed = Vec<(Address, Resolved)>;

/// Where a new topic goes when no conversation is named; `None` when nothing was resolved to place it by [M6].
pub fn place(sender: &ParticipantId, addressed: &Addressed) -> Option<Kind> {
    if let [(Address::Group(name), Resolved::Many(_))] = addressed.as_slice() {
        return Some(Kind::Group(name.clone()));
    }
    let mut founders = vec![sender.clone()];
    for (_, resolved) in addressed {
        let candidates = match resolved {
            Resolved::One(candidate) => std::slice::from_ref(candidate),
            Resolved::Many(candidates) => candidates,
            Resolved::Unknown => return None,
        };
        for candidate in candidates {
            if !candidate.participant.removed && !founders.contains(&candidate.participant.id) {
                founders.push(candidate.participant.id.clone());
            }
        }
    }
    match founders.as_slice() {
        [_] => None,
        [one, other] => Some(Kind::direct(one, other)),
        _ => Some(Kind::room(founders)),
    }
}

/// The participants a message reaches, each once, the sender left out. `within` is the conversation that its
/// topic lives in already, if it does.
pub fn resolve(
    sender: &ParticipantId,
    addressed: &Addressed,
    within: Option<&Kind>,
) -> Result<Vec<Participant>, Refusal> {
    let mut unknown = Vec::new();
    let mut recipients: Vec<Participant> = Vec::with_capacity(addressed.len());
    for (address, resolved) in addressed {
        let (candidates, skips_removed) = match resolved {
            Resolved::One(candidate) => (std::slice::from_ref(candidate), false),
            Resolved::Many(candidates) => (candidates.as_slice(), true),
            Resolved::Unknown => (&[][..], false),
        };
        if matches!(resolved, Resolved::Unknown) {
            unknown.push(address.to_string());
        }
        for Candidate { participant, ties } in candidates {
            if participant.id == *sender || skips_removed && participant.removed {
                continue;
            }
            let reachable = !participant.removed
                && participant.id.kind() != NameKind::System
                && within.is_none_or(|kind| may_be_addressed(participant, kind, *ties));
            if !reachable {
                unknown.push(name_of(address, &participant.id));
            } else if recipients.iter().all(|known| known.id != participant.id) {
                recipients.push(participant.clone());
            }
        }
    }
    if !unknown.is_empty() || recipients.is_empty() {
        return Err(Refusal::UnknownRecipient { unknown });
    }
    if recipients.len() > limits::RECIPIENTS {
        let (size, limit) = (recipients.len(), limits::RECIPIENTS);
        return Err(Refusal::TooLarge { what: "list of recipients", size, limit, unit: Unit::Entries });
    }
    Ok(recipients)
}

/// A member that a group brings in is named with its group, so that the sender finds the cause.
fn name_of(address: &Address, id: &ParticipantId) -> String {
    match address {
        Address::Group(group) => format!("{id} (in {})", group_name(group)),
        Address::Id(_) | Address::At(_) | Address::Conversation | Address::Nonsense(_) => address.to_string(),
    }
}

fn group_name(group: &GroupName) -> String {
    format!("group:{group}")
}
