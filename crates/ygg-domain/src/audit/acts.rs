//! Which changes are acts that the audit log keeps, and what is kept of each.

use crate::audit::{By, Entry, Kind};
use crate::change::Change;
use crate::credits::{Entry as Booked, Pot, Reason};
use crate::group::Group;
use crate::invite::Invite;
use crate::name::ParticipantId;
use crate::participant::{Nature, Participant};
use crate::turn::TurnStatus;

/// What is seen where it happens, or follows from an act that is kept: a new change has to be put on one of the sides.
macro_rules! follows_or_is_no_act {
    () => {
        Change::ParticipantRemoved(_)
            | Change::SessionMade(_)
            | Change::ConversationCreated(_)
            | Change::ParticipantJoined(_)
            | Change::ParticipantLeft { .. }
            | Change::TopicOpened(_)
            | Change::TopicMarked(_)
            | Change::PartySet { .. }
            | Change::PartyLeft { .. }
            | Change::MessagePosted(_)
            | Change::DebtEnded { .. }
            | Change::WakeCreated(_)
            | Change::WakeMerged(_)
            | Change::WakeTaken { .. }
            | Change::WakeEnded { .. }
            | Change::DeliveryRoused { .. }
            | Change::DeliveriesHanded { .. }
            | Change::NoticesHanded { .. }
            | Change::NoticeGiven(_)
            | Change::NoticeEnded { .. }
            | Change::NudgeCounted { .. }
            | Change::TurnStarted(_)
            | Change::ShortfallNoted(_)
            | Change::ShortfallEnded(_)
            | Change::TaskSet(_)
            | Change::WakeReturned(_)
            | Change::DeliveriesReturned { .. }
            | Change::NoticesReturned { .. }
            | Change::TaskRemoved { .. }
            | Change::CursorMoved { .. }
            | Change::DeliveriesRead { .. }
            | Change::OutletSet(_)
            | Change::OutletRemoved { .. }
            | Change::DeliveriesShown { .. }
            | Change::TurnReported { .. }
    };
}

/// What is kept of changes that were written together. `before`: participants as they were, where they change.
pub fn entries(by: &By, changes: &[Change], before: &[Participant]) -> Vec<Entry> {
    // Agents decide nothing that is kept, and what a message brings about is in its topic to be seen.
    let is_agents = matches!(by, By::Participant(id) if id.is_agent());
    if is_agents || changes.iter().any(|change| matches!(change, Change::MessagePosted(_))) {
        return Vec::new();
    }
    // Keys, groups and the like go with whoever is removed.
    if let Some(removal) = changes.iter().find_map(|change| removed(by, change)) {
        return vec![removal];
    }
    changes.iter().flat_map(|change| of(by, change, before)).collect()
}

/// Who acted, where the change is about a participant.
fn acting(by: &By, participant: &ParticipantId) -> Option<ParticipantId> {
    match by {
        By::Server => None,
        By::Themselves => Some(participant.clone()),
        By::Participant(id) => Some(id.clone()),
    }
}

fn removed(by: &By, change: &Change) -> Option<Entry> {
    let (kind, gone) = if let Change::ParticipantRemoved(agent) = change {
        (Kind::AgentRemoved, agent)
    } else if let Change::ParticipantChanged(person) = change
        && person.removed
    {
        (Kind::PersonRemoved, person)
    } else {
        return None;
    };
    Some(Entry::new(kind, acting(by, &gone.id)).about(&gone.id))
}

fn of(by: &By, change: &Change, before: &[Participant]) -> Vec<Entry> {
    let whoever = match by {
        By::Participant(id) => Some(id.clone()),
        By::Server | By::Themselves => None,
    };
    let new = |kind| Entry::new(kind, whoever.clone());
    let over =
        |kind, participant: &ParticipantId| Entry::new(kind, acting(by, participant)).about(participant);
    let one = match change {
        Change::PolicySet(_) => Some(new(Kind::PolicySet)),
        Change::WorkspacePaused(true) => Some(new(Kind::WorkspacePaused)),
        Change::WorkspacePaused(false) => Some(new(Kind::WorkspaceResumed)),
        Change::ParticipantAdded(added) => came(by, added),
        Change::ParticipantChanged(after) => {
            let before = before.iter().find(|before| before.id == after.id);
            return before.map(|before| edited(by, before, after)).unwrap_or_default();
        }
        Change::GroupSet(Group { name, members }) => {
            let members = i64::try_from(members.len()).unwrap_or(i64::MAX);
            Some(new(Kind::GroupSet).name("group", name).number("members", members))
        }
        Change::KeyMade(key) => Some(over(Kind::KeyMade, &key.participant).name("key_id", key.id)),
        Change::KeyRevoked { key, participant } => {
            Some(over(Kind::KeyRevoked, participant).name("key_id", key))
        }
        Change::SessionEnded { session, participant } => {
            let own = acting(by, participant).as_ref() == Some(participant);
            (!own).then(|| over(Kind::SessionEnded, participant).name("session_id", session))
        }
        Change::InviteMade(Invite { id, role, .. }) => {
            Some(new(Kind::InviteMade).name("invite_id", id).name("role", role.name()))
        }
        Change::InviteEnded { invite, accepted_by } => Some(match accepted_by {
            Some(_) => Entry::new(Kind::InviteAccepted, accepted_by.clone()).name("invite_id", invite),
            None => new(Kind::InviteRevoked).name("invite_id", invite),
        }),
        Change::TopicTitled { topic, conversation, .. } => {
            Some(new(Kind::TopicRetitled).at(*topic, *conversation))
        }
        Change::TopicClosed { topic, conversation, by } => {
            by.is_person().then(|| Entry::new(Kind::TopicClosed, Some(by.clone())).at(*topic, *conversation))
        }
        Change::MessageRedacted { message, topic, conversation, by } => {
            let entry = Entry::new(Kind::MessageRedacted, Some(by.clone())).at(*topic, *conversation);
            Some(entry.name("message_id", message))
        }
        Change::TurnEnded { turn, status: TurnStatus::Stopped, .. } => {
            let entry = over(Kind::TurnStopped, &turn.agent).name("turn_id", turn.id);
            Some(Entry { topic: turn.topic, conversation: turn.conversation, ..entry })
        }
        Change::TurnEnded { .. } => None,
        Change::CreditsMoved(booked) => (booked.reason == Reason::Grant).then(|| granted(booked)),
        follows_or_is_no_act!() => None,
    };
    one.into_iter().collect()
}

fn came(by: &By, added: &Participant) -> Option<Entry> {
    let over = |kind| Entry::new(kind, acting(by, &added.id)).about(&added.id);
    match &added.nature {
        Nature::Agent(_) => Some(over(Kind::AgentAdded)),
        Nature::Person(person) => Some(over(Kind::PersonAdded).name("role", person.role.name())),
        Nature::Hook | Nature::System => None,
    }
}

/// What is different about somebody who is here.
fn edited(by: &By, before: &Participant, after: &Participant) -> Vec<Entry> {
    let new = |kind| Entry::new(kind, acting(by, &after.id)).about(&after.id);
    let mut entries = Vec::new();
    let renamed = before.display_name != after.display_name;
    match (&before.nature, &after.nature) {
        (Nature::Person(was), Nature::Person(is)) => {
            if was.role != is.role {
                let entry = new(Kind::RoleChanged).name("from", was.role.name());
                entries.push(entry.name("to", is.role.name()));
            }
            entries.extend(renamed.then(|| new(Kind::PersonEdited).name("changed", "display_name")));
        }
        (Nature::Agent(was), Nature::Agent(is)) => {
            if was.paused != is.paused {
                entries.push(new(if is.paused { Kind::AgentPaused } else { Kind::AgentResumed }));
            }
            let fields = [
                ("display_name", renamed),
                ("description", was.description != is.description),
                ("operators", was.operators != is.operators),
                ("wake", was.wake_by != is.wake_by),
            ];
            let changed: Vec<&str> =
                fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
            if !changed.is_empty() {
                entries.push(new(Kind::AgentEdited).name("changed", changed.join(" ")));
            }
        }
        (Nature::Person(_) | Nature::Agent(_) | Nature::Hook | Nature::System, _) => {}
    }
    entries
}

fn granted(booked: &Booked) -> Entry {
    let entry = Entry::new(Kind::CreditsGranted, Some(booked.by.clone()));
    let entry = entry.name("pot", &booked.pot).number("credits", booked.amount);
    let entry = entry.number("balance", booked.balance);
    match &booked.pot {
        Pot::Pool => entry,
        Pot::Wallet(agent) => entry.about(agent),
        Pot::Budget(topic) => Entry { topic: Some(*topic), ..entry },
    }
}

#[cfg(test)]
#[path = "acts_tests.rs"]
mod tests;
