//! What is asked about wakes.

use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::wake::Wake;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Wakes {
    /// Pending and taken ones of a topic, in order of making.
    fn unanswered_wakes(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Wake>>;
    /// In order of making.
    fn pending_wakes(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Wake>>;
    /// Those that a turn took and that nothing has answered yet, in order of making.
    fn taken_wakes(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Wake>>;
    /// Whether the agent has an unanswered wake in any topic but this one, or in none.
    fn is_wanted_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool>;
    /// Pending ones of the agent that belong to no topic, in order of making.
    fn loose_wakes(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Wake>>;
    /// Agents with a pending wake that supervised turns have given up [K6], in order of id.
    fn failing_agents(&self, workspace: WorkspaceKey) -> Result<Vec<ParticipantId>>;
    /// The wakes that carry a message to its recipients, or that it was folded into, whatever became of them; in order of
    /// recipient.
    fn wakes_of(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Wake>>;
    /// How many are pending in all workspaces, and when the oldest was made: what the server's operator watches.
    fn pending_everywhere(&self) -> Result<(i64, Option<Timestamp>)>;
}
