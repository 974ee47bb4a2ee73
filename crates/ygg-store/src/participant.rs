//! What is asked about participants.

use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::participant::Participant;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Participants {
    fn participant(&self, workspace: WorkspaceKey, id: &ParticipantId) -> Result<Option<Participant>>;
    fn person_by_handle(&self, workspace: WorkspaceKey, handle: &Handle) -> Result<Option<Participant>>;
    /// All of them, removed ones too, in order of id.
    fn participants(&self, workspace: WorkspaceKey) -> Result<Vec<Participant>>;
    /// The place of the log at which whoever has the id now was added; 0 when that was before such places were kept.
    fn came(&self, workspace: WorkspaceKey, id: &ParticipantId) -> Result<i64>;
    /// Agents that were not removed.
    fn agent_count(&self, workspace: WorkspaceKey) -> Result<usize>;
}
