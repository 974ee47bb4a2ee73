//! People and agents as they are shown, and the directory of a workspace.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::participant::{Agent, Participant};

use crate::group::GroupView;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PersonView {
    pub id: String,
    pub handle: String,
    pub display_name: String,
    /// `viewer`, `member`, `admin` or `owner`.
    pub role: String,
    /// Left the workspace; kept for history.
    pub removed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentView {
    pub id: String,
    pub display_name: String,
    /// Written by the agent's operators.
    pub description: String,
    /// `relay`, `builtin`, `webhook` or `none`.
    pub wake: String,
    pub operators: Vec<String>,
    pub paused: bool,
    /// Left the workspace; kept for history.
    pub removed: bool,
    /// Credits in its own wallet, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Directory {
    pub people: Vec<PersonView>,
    pub agents: Vec<AgentView>,
    pub groups: Vec<GroupView>,
    /// Of each agent. It changes with time alone, so no event tells of it.
    pub presence: BTreeMap<String, Presence>,
}

/// Whether an agent is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Presence {
    /// It was seen to take a wake by the way that it is woken now, or a live session has its attention.
    pub online: bool,
    /// When that was, or the session's last sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<String>,
}

impl PersonView {
    /// None for anybody who is no person.
    pub fn new(participant: &Participant) -> Option<Self> {
        let person = participant.as_person()?;
        Some(Self {
            id: participant.id.to_string(),
            handle: person.handle.to_string(),
            display_name: participant.display_name.clone(),
            removed: participant.removed,
            role: person.role.name().to_owned(),
        })
    }
}

impl AgentView {
    pub fn new(participant: &Participant, agent: &Agent, wallet: Option<i64>) -> Self {
        Self {
            id: participant.id.to_string(),
            display_name: participant.display_name.clone(),
            description: agent.description.clone(),
            wake: agent.wake_by.name().to_owned(),
            operators: agent.operators.iter().map(ToString::to_string).collect(),
            paused: agent.paused,
            removed: participant.removed,
            wallet,
        }
    }
}

/// An agent to add.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAgent {
    /// `[a-z][a-z0-9_-]{0,31}`; never renamed.
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// At most 300 characters on one line; other agents see it as data.
    #[serde(default)]
    pub description: String,
    /// `@handle` of each; empty for the default.
    #[serde(default)]
    pub operators: Vec<String>,
    /// `relay`, `builtin`, `webhook` or `none` (the default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake: Option<String>,
}

/// What is to be different about an agent; what is left out stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentEdit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operators: Option<Vec<String>>,
}

/// What is to be different about a person; what is left out stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonEdit {
    /// `viewer`, `member`, `admin` or `owner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}
