//! Rows of `pots` and `ledger`.

use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::credits::{Entry, Pot, Reason};
use ygg_domain::id::TopicId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, params};
use crate::Result;
use crate::credits::{Booked, Credits};

impl<C: Conn> Credits for Db<C> {
    fn shortfalls(&self, workspace: WorkspaceKey) -> Result<Vec<Shortfall>> {
        let all = "SELECT agent, topic, pot, needed, at FROM shortfalls WHERE workspace = ?1 ORDER BY at, agent, topic";
        self.known(
            |known| &known.shortfalls,
            workspace,
            || {
                self.many(all, params![workspace.0], |row| {
                    let topic: String = row.get(1)?;
                    Ok(Shortfall {
                        agent: row.parsed(0, "participant id")?,
                        topic: if topic.is_empty() { None } else { Some(row.parsed(1, "topic id")?) },
                        pot: row.parsed(2, "pot")?,
                        needed: row.get(3)?,
                        at: row.at(4)?,
                    })
                })
            },
        )
    }

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
    pub fn put_shortfall(&self, workspace: WorkspaceKey, short: &Shortfall) -> Result<()> {
        self.run(
            "INSERT INTO shortfalls (workspace, agent, topic, pot, needed, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (workspace, agent, topic) DO UPDATE SET
                 pot = excluded.pot, needed = excluded.needed, at = excluded.at",
            params![
                workspace.0,
                short.agent.as_str(),
                named(short.topic),
                short.pot.to_string(),
                short.needed,
                short.at.0,
            ],
        )
    }

    pub fn delete_shortfall(&self, workspace: WorkspaceKey, short: &Shortfall) -> Result<()> {
        self.run(
            "DELETE FROM shortfalls WHERE workspace = ?1 AND agent = ?2 AND topic = ?3",
            params![workspace.0, short.agent.as_str(), named(short.topic)],
        )
    }

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

/// A topic that never came to be has no name.
fn named(topic: Option<TopicId>) -> String {
    topic.map(|topic| topic.to_string()).unwrap_or_default()
}
