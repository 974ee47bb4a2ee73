//! The ordered event log of a workspace.

use ygg_domain::Scope;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

#[derive(Debug, Clone, PartialEq)]
pub struct Logged {
    pub seq: i64,
    pub at: Timestamp,
    pub kind: String,
    pub scope: Scope,
    /// JSON.
    pub data: String,
}

pub trait Log {
    /// The place of the last event; 0 when there is none.
    fn last_seq(&self, workspace: WorkspaceKey) -> Result<i64>;
    /// Oldest first, after `after`.
    fn events(&self, workspace: WorkspaceKey, after: i64, limit: usize) -> Result<Vec<Logged>>;
}
