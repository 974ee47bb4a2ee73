//! Rows of pots and the ledger.

use std::collections::BTreeMap;

use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::credits::{Entry, Pot};
use ygg_domain::id::TopicId;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::broken;
use super::{Space, World};
use crate::Result;
use crate::credits::{Booked, Credits};

#[derive(Clone, Default)]
pub struct Table {
    /// By name, which is their order.
    pots: BTreeMap<String, (Pot, i64)>,
    ledger: BTreeMap<i64, Booked>,
    shortfalls: BTreeMap<(ParticipantId, Option<TopicId>), Shortfall>,
}

impl Credits for World {
    fn shortfalls(&self, workspace: WorkspaceKey) -> Result<Vec<Shortfall>> {
        let mut found: Vec<Shortfall> = self.space(workspace).credits.shortfalls.values().cloned().collect();
        found.sort_by_key(|short| (short.at, short.agent.clone(), short.topic));
        Ok(found)
    }

    fn balance(&self, workspace: WorkspaceKey, pot: &Pot) -> Result<Option<i64>> {
        let pots = &self.space(workspace).credits.pots;
        Ok(pots.get(&pot.to_string()).map(|(_, balance)| *balance))
    }

    fn balances(&self, workspace: WorkspaceKey) -> Result<Vec<(Pot, i64)>> {
        Ok(self.space(workspace).credits.pots.values().cloned().collect())
    }

    fn ledger(&self, workspace: WorkspaceKey, before: i64, limit: usize) -> Result<Vec<Booked>> {
        let earlier = self.space(workspace).credits.ledger.range(..before).rev();
        Ok(earlier.take(limit).map(|(_, booked)| booked.clone()).collect())
    }

    /// Added up from the entries each time: a sum kept beside them could be wrong like a balance [C5].
    fn ledger_sums(&self, workspace: WorkspaceKey) -> Result<Vec<(Pot, i64)>> {
        let mut sums: BTreeMap<String, (Pot, i64)> = BTreeMap::new();
        for Booked { entry, .. } in self.space(workspace).credits.ledger.values() {
            sums.entry(entry.pot.to_string()).or_insert_with(|| (entry.pot.clone(), 0)).1 += entry.amount;
        }
        Ok(sums.into_values().collect())
    }
}

impl Space {
    pub fn put_shortfall(&mut self, short: &Shortfall) {
        self.credits.shortfalls.insert((short.agent.clone(), short.topic), short.clone());
    }

    pub fn delete_shortfall(&mut self, short: &Shortfall) {
        self.credits.shortfalls.remove(&(short.agent.clone(), short.topic));
    }

    pub fn delete_wallet(&mut self, agent: &ParticipantId) {
        self.credits.pots.remove(&Pot::Wallet(agent.clone()).to_string());
    }

    /// Books an entry: the line and the balance after it, together [C5].
    pub fn book(&mut self, seq: i64, at: Timestamp, entry: &Entry) -> Result<()> {
        if entry.balance < 0 {
            return Err(broken("pots.balance"));
        }
        let Table { pots, ledger, .. } = &mut *self.credits;
        ledger.insert(seq, Booked { seq, at, entry: entry.clone() });
        pots.insert(entry.pot.to_string(), (entry.pot.clone(), entry.balance));
        Ok(())
    }
}
