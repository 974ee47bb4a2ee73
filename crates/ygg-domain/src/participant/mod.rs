//! Participants: people, agents, hooks and the backend itself [W2, W3].

pub mod add;
pub mod pause;
pub mod person;
pub mod remove;
pub mod role;

pub use role::{Right, Role};

use crate::id::AccountId;
use crate::name::{Handle, ParticipantId};

/// How an agent is woken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeBy {
    Relay,
    Builtin,
    Webhook,
    /// It polls or listens by itself.
    None,
}

impl WakeBy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Relay => "relay",
            Self::Builtin => "builtin",
            Self::Webhook => "webhook",
            Self::None => "none",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::Relay, Self::Builtin, Self::Webhook, Self::None].into_iter().find(|by| by.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub account: AccountId,
    /// The account's.
    pub handle: Handle,
    pub role: Role,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    pub wake_by: WakeBy,
    /// The operator's words about it; shown to others as data.
    pub description: String,
    /// People named as its operators; empty means the default of [W3].
    pub operators: Vec<ParticipantId>,
    pub connected_by: Option<ParticipantId>,
    pub paused: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nature {
    Person(Person),
    Agent(Agent),
    Hook,
    System,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    pub id: ParticipantId,
    pub display_name: String,
    pub nature: Nature,
    /// Left the workspace; the name stays in history [W7].
    pub removed: bool,
}

impl Participant {
    pub fn as_agent(&self) -> Option<&Agent> {
        match &self.nature {
            Nature::Agent(agent) => Some(agent),
            Nature::Person(_) | Nature::Hook | Nature::System => None,
        }
    }

    pub fn as_person(&self) -> Option<&Person> {
        match &self.nature {
            Nature::Person(person) => Some(person),
            Nature::Agent(_) | Nature::Hook | Nature::System => None,
        }
    }

    /// Whether this participant may use a right in general [W3]. Agents have none of them.
    pub fn may(&self, right: Right) -> bool {
        !self.removed && self.as_person().is_some_and(|person| person.role.may(right))
    }

    /// Whether this person operates that agent [W3].
    pub fn operates(&self, other: &Participant) -> bool {
        let (Some(person), Some(agent)) = (self.as_person(), other.as_agent()) else { return false };
        if self.removed {
            return false;
        }
        if !agent.operators.is_empty() {
            return agent.operators.contains(&self.id);
        }
        match agent.wake_by {
            WakeBy::Relay => person.role >= Role::Admin || agent.connected_by.as_ref() == Some(&self.id),
            WakeBy::Builtin | WakeBy::Webhook | WakeBy::None => person.role >= Role::Member,
        }
    }
}

/// How far what somebody wrote may be trusted by the agent that reads it [P1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    Public,
    Participant,
    Operator,
}

impl Trust {
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Participant => "participant",
            Self::Operator => "operator",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::Public, Self::Participant, Self::Operator].into_iter().find(|trust| trust.name() == name)
    }

    /// The trust that `reader` may give to a line of `writer`. No path raises it later.
    pub fn between(writer: &Participant, reader: &Participant) -> Self {
        match &writer.nature {
            Nature::Person(_) if writer.operates(reader) => Self::Operator,
            Nature::Person(_) | Nature::Agent(_) | Nature::System => Self::Participant,
            Nature::Hook => Self::Public,
        }
    }
}
