//! Rows of accounts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ygg_domain::account::Account;
use ygg_domain::id::AccountId;
use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::workspace::WorkspaceKey;

use super::World;
use super::row::broken;
use crate::Result;
use crate::account::Accounts;

#[derive(Clone, Default)]
pub struct Table(BTreeMap<AccountId, Account>);

impl Accounts for World {
    fn account(&self, id: AccountId) -> Result<Option<Account>> {
        Ok(self.accounts.0.get(&id).cloned())
    }

    fn account_by_handle(&self, handle: &Handle) -> Result<Option<Account>> {
        Ok(self.accounts.0.values().find(|account| account.handle == *handle).cloned())
    }

    fn participants_of(&self, account: AccountId) -> Result<Vec<(WorkspaceKey, ParticipantId)>> {
        let mut found = Vec::new();
        for (workspace, space) in &self.spaces {
            let people = space.participants.rows.values();
            let mine = people.filter(|one| one.as_person().is_some_and(|person| person.account == account));
            found.extend(mine.map(|one| (*workspace, one.id.clone())));
        }
        Ok(found)
    }
}

impl World {
    pub fn put_account_row(&mut self, account: &Account) -> Result<()> {
        if self.account_by_handle(&account.handle)?.is_some_and(|held| held.id != account.id) {
            return Err(broken("accounts.handle"));
        }
        match self.accounts.0.entry(account.id) {
            Entry::Vacant(place) => drop(place.insert(account.clone())),
            Entry::Occupied(mut held) => held.get_mut().password.clone_from(&account.password),
        }
        Ok(())
    }
}
