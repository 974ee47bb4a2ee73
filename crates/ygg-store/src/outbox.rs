//! What is asked about where people are told outside of Ygg, and what waits to be told there.

use ygg_domain::id::{NoticeId, OutgoingId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::notification::Outlet;
use ygg_domain::notification::outbox::Outgoing;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// Somebody who is told outside of Ygg.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub workspace: WorkspaceKey,
    pub person: ParticipantId,
    /// Where the workspace's log ends: nothing to look at while that does not move.
    pub last_seq: i64,
}

pub trait Outbox {
    /// Everybody of all workspaces who has an outlet.
    fn told(&self) -> Result<Vec<Told>>;
    /// The outlet with the place in the log up to which notices were looked at.
    fn outlet(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Option<(Outlet, i64)>>;
    /// In order of making.
    fn outbox(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Vec<Outgoing>>;
    fn outgoing(&self, workspace: WorkspaceKey, id: OutgoingId) -> Result<Option<Outgoing>>;
    /// Of all workspaces, what is to be tried by then, the earliest first.
    fn due_outgoing(&self, by: Timestamp, limit: usize) -> Result<Vec<(WorkspaceKey, OutgoingId)>>;
    /// Notices to a participant after a place of the log that are not read, oldest first, with their places.
    fn notices_after(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<(i64, Notice)>>;
    /// Whether the notice is still to be read.
    fn is_to_be_read(&self, workspace: WorkspaceKey, notice: NoticeId) -> Result<bool>;
}
