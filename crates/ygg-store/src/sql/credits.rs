//! Rows of `pots` and `ledger`.

use ygg_domain::credits::{Entry, Pot, Reason};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, params};
use crate::Result;
use crate::credits::{Booked, Credits};

impl<C: Conn> Credits for Db<C> {
    fn balance(&self, workspace: WorkspaceKey, pot: &Pot) -> Result<Option<i64>> {
        let by_name = "SELECT balance FROM pots WHERE workspace = ?1 AND pot = ?2";
        self.known(
            |known| &known.balances,
            (workspace, pot.clone()),
            || self.one(by_name, params![workspace.0, pot.to_string()], |row| row.get(0)),
        )
    }

    fn balances(&self, workspace: WorkspaceKey) -> Result<Vec<(Pot, i64)>> {
        self.many(
            "SELECT pot, balance FROM pots WHERE workspace = ?1 ORDER BY pot",
            params![workspace.0],
            |row| Ok((row.parsed(0, "pot")?, row.get(1)?)),
        )
    }

    fn ledger(&self, workspace: WorkspaceKey, before: i64, rows: usize) -> Result<Vec<Booked>> {
        self.many(
            "SELECT seq, at, pot, amount, balance, reason, by_id, message FROM ledger
             WHERE workspace = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
            params![workspace.0, before, limit(rows)],
            |row| {
                let entry = Entry {
                    pot: row.parsed(2, "pot")?,
                    amount: row.get(3)?,
                    balance: row.get(4)?,
                    reason: row.named(5, "ledger reason", Reason::read)?,
                    by: row.parsed(6, "participant id")?,
                    message: row.parsed_if(7, "message id")?,
                };
                Ok(Booked { seq: row.get(0)?, at: row.at(1)?, entry })
            },
        )
    }

    fn ledger_sums(&self, workspace: WorkspaceKey) -> Result<Vec<(Pot, i64)>> {
        self.many(
            "SELECT pot, CAST(sum(amount) AS BIGINT) FROM ledger WHERE workspace = ?1 GROUP BY pot ORDER BY pot",
            params![workspace.0],
            |row| Ok((row.parsed(0, "pot")?, row.get(1)?)),
        )
    }
}

impl<C: Conn> Db<C> {
    /// Books an entry: the line and the balance after it, together [C5].
    pub fn book(&self, workspace: WorkspaceKey, seq: i64, at: Timestamp, entry: &Entry) -> Result<()> {
        let pot = entry.pot.to_string();
        self.run(
            "INSERT INTO ledger (workspace, seq, pot, amount, balance, reason, by_id, message, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                workspace.0,
                seq,
                &pot,
                entry.amount,
                entry.balance,
                entry.reason.name(),
                entry.by.as_str(),
                entry.message,
                at.0,
            ],
        )?;
        self.run(
            "INSERT INTO pots (workspace, pot, balance) VALUES (?1, ?2, ?3)
             ON CONFLICT (workspace, pot) DO UPDATE SET balance = excluded.balance",
            params![workspace.0, &pot, entry.balance],
        )?;
        Ok(())
    }
}
