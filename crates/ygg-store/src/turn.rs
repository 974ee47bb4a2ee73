//! What is asked about turns.

use ygg_domain::change::Turn;
use ygg_domain::id::TopicId;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Turns {
    /// When each agent was last handed something of the topic, in order of id.
    fn last_served(&self, workspace: WorkspaceKey, topic: TopicId)
    -> Result<Vec<(ParticipantId, Timestamp)>>;
    /// The agent's newest turn, and whether it still runs.
    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>>;
}
