//! The audit log.

use ygg_wire::Page;
use ygg_wire::audit::AuditView;

use crate::{Client, Result};

/// Which acts, the last first.
#[derive(Debug, Clone, Default)]
pub struct WhichActs {
    pub kind: Option<String>,
    pub by: Option<String>,
    /// The `next` of the page before.
    pub after: Option<String>,
    pub limit: Option<usize>,
}

impl Client {
    pub async fn audit(&self, which: &WhichActs) -> Result<Page<AuditView>> {
        let query = [
            ("kind", which.kind.clone()),
            ("by", which.by.clone()),
            ("after", which.after.clone()),
            ("limit", which.limit.map(|limit| limit.to_string())),
        ];
        self.get(&["audit"], &query).await
    }
}
