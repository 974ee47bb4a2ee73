//! What is asked about the audit log.

use ygg_domain::audit::{Entry, Kind};
use ygg_domain::id::AuditId;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// An entry as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub id: AuditId,
    pub first_at: Timestamp,
    /// The last time.
    pub at: Timestamp,
    pub times: i64,
    /// Without what makes it the same as another.
    pub entry: Entry,
}

/// Which entries; all without any word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Which {
    pub kind: Option<Kind>,
    /// The inner none is the server's operator.
    pub by: Option<Option<ParticipantId>>,
}

/// Where a page ended.
pub type Place = (Timestamp, AuditId);

pub trait Audits {
    /// The last ones first, before that place.
    fn audit(
        &self,
        workspace: WorkspaceKey,
        which: &Which,
        before: Option<Place>,
        limit: usize,
    ) -> Result<Vec<Kept>>;
    /// When the entry that is the same was last written to.
    fn kept_at(&self, workspace: WorkspaceKey, same: &str) -> Result<Option<Timestamp>>;
}
