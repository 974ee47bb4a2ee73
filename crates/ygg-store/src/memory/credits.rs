//! Rows of accounts and the ledger.

use std::collections::BTreeMap;

use ygg_domain::credits::{Account, Entry};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::broken;
use super::{Space, World};
use crate::Result;
use crate::credits::{Booked, Credits};

#[derive(Clone, Default)]
pub struct Table {
    /// By name, which is their order.
    accounts: BTreeMap<String, (Account, i64)>,
    ledger: BTreeMap<i64, Booked>,
}

impl Credits for World {
    fn balance(&self, workspace: WorkspaceKey, account: &Account) -> Result<Option<i64>> {
        let accounts = &self.space(workspace).credits.accounts;
        Ok(accounts.get(&account.to_string()).map(|(_, balance)| *balance))
    }

    fn balances(&self, workspace: WorkspaceKey) -> Result<Vec<(Account, i64)>> {
        Ok(self.space(workspace).credits.accounts.values().cloned().collect())
    }

    fn ledger(&self, workspace: WorkspaceKey, before: i64, limit: usize) -> Result<Vec<Booked>> {
        let earlier = self.space(workspace).credits.ledger.range(..before).rev();
        Ok(earlier.take(limit).map(|(_, booked)| booked.clone()).collect())
    }

    /// Added up from the entries each time: a sum kept beside them could be wrong like a balance [C5].
    fn ledger_sums(&self, workspace: WorkspaceKey) -> Result<Vec<(Account, i64)>> {
        let mut sums: BTreeMap<String, (Account, i64)> = BTreeMap::new();
        for Booked { entry, .. } in self.space(workspace).credits.ledger.values() {
            sums.entry(entry.account.to_string()).or_insert_with(|| (entry.account.clone(), 0)).1 +=
                entry.amount;
        }
        Ok(sums.into_values().collect())
    }
}

impl Space {
    /// Books an entry: the line and the balance after it, together [C5].
    pub fn book(&mut self, seq: i64, at: Timestamp, entry: &Entry) -> Result<()> {
        if entry.balance < 0 {
            return Err(broken("accounts.balance"));
        }
        let Table { accounts, ledger } = &mut self.credits;
        ledger.insert(seq, Booked { seq, at, entry: entry.clone() });
        accounts.insert(entry.account.to_string(), (entry.account.clone(), entry.balance));
        Ok(())
    }
}
