//! Credits: what there is, how it moved, and grants.

use ygg_wire::Page;
use ygg_wire::credits::{CreditsView, EntryView, Grant};

use crate::{Client, Result};

impl Client {
    pub async fn credits(&self) -> Result<CreditsView> {
        self.get(&["credits"], &[]).await
    }

    /// Newest first, after the `next` of the page before.
    pub async fn ledger(&self, after: Option<&str>, limit: Option<usize>) -> Result<Page<EntryView>> {
        let query = [("after", after.map(str::to_owned)), ("limit", limit.map(|limit| limit.to_string()))];
        self.get(&["credits", "ledger"], &query).await
    }

    pub async fn grant(&self, to: &str, credits: i64) -> Result<EntryView> {
        self.post(&["credits", "grants"], &Grant { to: to.to_owned(), credits }).await
    }
}
