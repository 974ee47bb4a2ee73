//! What is asked about accounts and the ledger.

use ygg_domain::credits::{Account, Entry};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A line of the ledger with its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    pub seq: i64,
    pub at: Timestamp,
    pub entry: Entry,
}

pub trait Credits {
    /// None: there is no such account.
    fn balance(&self, workspace: WorkspaceKey, account: &Account) -> Result<Option<i64>>;
    /// Every account with what it holds, in order of name.
    fn balances(&self, workspace: WorkspaceKey) -> Result<Vec<(Account, i64)>>;
    /// Newest first, before `before`.
    fn ledger(&self, workspace: WorkspaceKey, before: i64, limit: usize) -> Result<Vec<Booked>>;
    /// For every account the sum of its entries: what its balance must equal [C5].
    fn ledger_sums(&self, workspace: WorkspaceKey) -> Result<Vec<(Account, i64)>>;
}
