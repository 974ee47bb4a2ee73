//! What is asked about tasks.

use ygg_domain::name::ParticipantId;
use ygg_domain::task::Task;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Tasks {
    /// In their order.
    fn tasks(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Task>>;
}
