//! Every statement, one file per noun with its rows, written once for all databases: `?1` stands for the first
//! value, and each database puts its own mark for it.

mod account;
mod conversation;
mod credits;
mod delivery;
mod group;
mod invite;
mod key;
mod log;
mod message;
mod notice;
mod participant;
pub mod row;
mod sent;
mod session;
mod task;
mod topic;
mod turn;
mod tx;
mod wake;
mod workspace;

use std::collections::HashMap;

use ygg_domain::workspace::WorkspaceKey;

pub(crate) use row::params;
pub use row::{Cells, Row, Value};

use crate::Result;

/// A connection with a transaction open.
pub trait Conn {
    /// Hands each row to `each` until it says that it has seen enough.
    fn query(
        &self,
        sql: &'static str,
        params: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<Enough>,
    ) -> Result<()>;

    fn execute(&self, sql: &'static str, params: &[Value<'_>]) -> Result<()>;
}

/// Whether a reader of rows wants more of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    Yes,
    No,
}

/// The questions and changes of the store over one connection. The writer's also counts each workspace's log.
pub struct Db<C> {
    pub conn: C,
    seqs: HashMap<WorkspaceKey, i64>,
}

impl<C: Conn> Db<C> {
    pub fn new(conn: C) -> Self {
        Self { conn, seqs: HashMap::new() }
    }

    /// After a rollback, or when another may have written: the counts are read again.
    pub fn forget_seqs(&mut self) {
        self.seqs.clear();
    }

    fn one<T>(
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

    fn many<T>(
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
