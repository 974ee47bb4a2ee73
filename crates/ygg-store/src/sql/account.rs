//! Rows of `accounts`.

use ygg_domain::account::{Account, PasswordHash};
use ygg_domain::id::AccountId;
use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, Row, params};
use crate::Result;
use crate::account::Accounts;

impl<C: Conn> Accounts for Db<C> {
    fn account(&self, id: AccountId) -> Result<Option<Account>> {
        self.one("SELECT id, handle, password, made_at FROM accounts WHERE id = ?1", params![id], read)
    }

    fn account_by_handle(&self, handle: &Handle) -> Result<Option<Account>> {
        self.one(
            "SELECT id, handle, password, made_at FROM accounts WHERE handle = ?1",
            params![handle.as_str()],
            read,
        )
    }

    fn participants_of(&self, account: AccountId) -> Result<Vec<(WorkspaceKey, ParticipantId)>> {
        self.many(
            "SELECT workspace, id FROM participants WHERE account = ?1 ORDER BY workspace, id",
            params![account],
            |row| Ok((WorkspaceKey(row.get(0)?), row.parsed(1, "participant id")?)),
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn put_account_row(&self, account: &Account) -> Result<()> {
        self.run(
            "INSERT INTO accounts (id, handle, password, made_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO UPDATE SET password = excluded.password",
            params![
                account.id,
                account.handle.as_str(),
                account.password.as_ref().map(PasswordHash::as_str),
                account.made_at.0
            ],
        )
    }
}

fn read(row: &Row<'_>) -> Result<Account> {
    Ok(Account {
        id: row.parsed(0, "account id")?,
        handle: row.parsed(1, "handle")?,
        password: row.get::<Option<String>>(2)?.map(PasswordHash::new),
        made_at: row.at(3)?,
    })
}
