//! Every statement, one file per noun with its rows, written once for all databases: `?1` stands for the first
//! value, and each database puts its own mark for it.

mod account;
mod audit;
mod claim;
mod conversation;
mod credits;
mod cursor;
mod decision;
mod delivery;
mod file;
mod group;
mod invite;
mod key;
mod known;
mod log;
mod message;
mod notice;
mod outbox;
mod participant;
pub mod row;
pub mod search;
mod sent;
mod session;
mod task;
mod topic;
mod turn;
mod tx;
mod wake;
mod workspace;

use std::hash::Hash;

use known::{Answer, Answers, Known};
use ygg_domain::Change;
use ygg_domain::id::TopicId;
use ygg_domain::workspace::WorkspaceKey;

pub(crate) use row::params;
pub use row::{Cells, Row, Value};

use crate::{Result, Within};

/// Whose language a connection speaks, where the two differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// A connection with a transaction open.
pub trait Conn {
    fn dialect(&self) -> Dialect;

    /// Hands each row to `each` until it says that it has seen enough.
    fn query(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<Enough>,
    ) -> Result<()>;

    fn execute(&self, sql: &'static str, params: &[Value<'_>]) -> Result<()>;

    /// What was overwritten or deleted in this transaction is to leave the files as well, where that is ours to do.
    fn erased(&self) {}
}

/// Whether a reader of rows wants more of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    Yes,
    No,
}

/// The questions and changes of the store over one connection.
pub struct Db<C> {
    pub conn: C,
    /// The writer's alone: what a reader knows another may have changed.
    known: Option<Known>,
}

impl<C: Conn> Db<C> {
    pub fn of_reader(conn: C) -> Self {
        Self { conn, known: None }
    }

    pub fn of_writer(conn: C) -> Self {
        Self { conn, known: Some(Known::default()) }
    }

    /// At the beginning of a transaction where others may write too: who changed what is known wrote an event, so a
    /// log that ends where we left it says that nobody did.
    pub fn forget_what_others_wrote(&mut self, within: &[Within]) -> Result<()> {
        for within in within {
            let Within::Workspace(workspace) = within else {
                self.forget();
                return Ok(());
            };
            let left_at = self.known.as_ref().and_then(|known| known.seqs.get(workspace));
            let ends_at = self.end_of_log(*workspace)?;
            if left_at != Some(ends_at) {
                self.forget();
                self.learn_seq(*workspace, ends_at);
            }
        }
        Ok(())
    }

    /// After a rollback: everything is read again.
    pub fn forget(&mut self) {
        self.known = self.known.take().map(|_| Known::default());
    }

    fn learn(&self, workspace: WorkspaceKey, change: &Change) {
        if let Some(known) = &self.known {
            known.learn(workspace, change);
        }
    }

    /// It was made: whoever asked for it before was told that there is none.
    fn learn_of_workspace(&self, key: WorkspaceKey) {
        if let Some(known) = &self.known {
            known.workspaces.drop(&key);
        }
    }

    /// Something of it moved that no event tells of.
    fn learn_of_topic(&self, workspace: WorkspaceKey, topic: TopicId) {
        if let Some(known) = &self.known {
            known.topics.drop(&(workspace, topic));
        }
    }

    fn learn_seq(&self, workspace: WorkspaceKey, last: i64) {
        if let Some(known) = &self.known {
            known.seqs.keep(workspace, last);
        }
    }

    /// What is known already, or the answer to `ask`, known from now on.
    fn known<K: Eq + Hash, V: Clone + Answer>(
        &self,
        of: impl FnOnce(&Known) -> &Answers<K, V>,
        key: K,
        ask: impl FnOnce() -> Result<V>,
    ) -> Result<V> {
        match &self.known {
            Some(known) => of(known).or_ask(key, ask),
            None => ask(),
        }
    }

    pub fn one<T>(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        read: impl Fn(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        told(sql, params);
        let mut found = None;
        self.conn.query(sql, params, &mut |row| {
            found = Some(read(row)?);
            Ok(Enough::Yes)
        })?;
        Ok(found)
    }

    /// Whether there is a row.
    pub fn any(&self, sql: &'static str, params: &[Value<'_>]) -> Result<bool> {
        Ok(self.one(sql, params, |_| Ok(()))?.is_some())
    }

    pub fn many<T>(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        read: impl Fn(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        told(sql, params);
        let mut found = Vec::new();
        self.conn.query(sql, params, &mut |row| {
            found.push(read(row)?);
            Ok(Enough::No)
        })?;
        Ok(found)
    }

    fn run(&self, sql: &'static str, params: &[Value<'_>]) -> Result<()> {
        told(sql, params);
        self.conn.execute(sql, params)
    }
}

#[cfg(feature = "statements")]
use crate::statements::told;

/// Nobody listens to a build that ships.
#[cfg(not(feature = "statements"))]
#[inline(always)]
fn told(_: &'static str, _: &[Value<'_>]) {}
