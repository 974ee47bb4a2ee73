//! What is asked about pots and the ledger.

use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::credits::{Entry, Pot};
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
    /// Everything that was refused for want of credits and still waits, oldest first [C4].
    fn shortfalls(&self, workspace: WorkspaceKey) -> Result<Vec<Shortfall>>;
    /// None: there is no such pot.
    fn balance(&self, workspace: WorkspaceKey, pot: &Pot) -> Result<Option<i64>>;
    /// Every pot with what it holds, in order of name.
    fn balances(&self, workspace: WorkspaceKey) -> Result<Vec<(Pot, i64)>>;
    /// Newest first, before `before`.
    fn ledger(&self, workspace: WorkspaceKey, before: i64, limit: usize) -> Result<Vec<Booked>>;
    /// For every pot the sum of its entries: what its balance must equal [C5].
    fn ledger_sums(&self, workspace: WorkspaceKey) -> Result<Vec<(Pot, i64)>>;
}
