//! What is asked about notices.

use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Notices {
    /// Not handed yet, oldest first.
    fn pending_notices(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        limit: usize,
    ) -> Result<Vec<Notice>>;
    /// Notices of the topic that nobody has read, oldest first for each of these.
    fn pending_here(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        recipients: &[ParticipantId],
    ) -> Result<Vec<Notice>>;
    /// Handed in that turn, oldest first.
    fn handed_notices(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Notice>>;
}
