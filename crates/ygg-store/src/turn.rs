//! What is asked about turns.

use ygg_domain::change::Turn;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Turns {
    /// The agent's newest turn, and whether it still runs.
    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>>;
}
