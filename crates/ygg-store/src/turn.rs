//! What is asked about turns, and about the attention of live sessions.

use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::timer::Worked;
use ygg_domain::turn::{Told, Turn};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A turn whose lease or attention may have ended, or will.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTurn {
    pub workspace: WorkspaceKey,
    pub turn: TurnId,
    pub at: Timestamp,
}

/// Whose turns, or over what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnsOf {
    Agent(ParticipantId),
    Topic(TopicId),
}

pub trait Turns {
    /// When each agent was last handed something of the topic, in order of id.
    fn last_served(&self, workspace: WorkspaceKey, topic: TopicId)
    -> Result<Vec<(ParticipantId, Timestamp)>>;
    /// The agent's newest turn, and whether it still runs.
    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>>;
    fn turn(&self, workspace: WorkspaceKey, id: TurnId) -> Result<Option<Told>>;
    /// The turn that this key was made for, in whatever workspace, over or not.
    fn turn_by_key(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Told)>>;
    /// Newest first, each with its place in the log, before `before`.
    fn turns(
        &self,
        workspace: WorkspaceKey,
        of: &TurnsOf,
        before: i64,
        limit: usize,
    ) -> Result<Vec<(i64, Told)>>;
    /// The newest turn of each agent that has had one, in order of agent.
    fn newest_turns(&self, workspace: WorkspaceKey) -> Result<Vec<Told>>;
    /// Running turns of all workspaces that are to be looked at by then, the earliest first.
    fn due_turns(&self, by: Timestamp, limit: usize) -> Result<Vec<DueTurn>>;
    /// When the next running turn of all workspaces is to be looked at.
    fn next_due_turn(&self) -> Result<Option<Timestamp>>;
    /// Supervised turns over the topic that did not end before then, by agent and in order.
    fn worked(&self, workspace: WorkspaceKey, topic: TopicId, since: Timestamp) -> Result<Vec<Worked>>;
    /// The last sign of a live session of the agent.
    fn attention(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<Timestamp>>;
    /// Of all agents, in order of id.
    fn attentions(&self, workspace: WorkspaceKey) -> Result<Vec<(ParticipantId, Timestamp)>>;
}
