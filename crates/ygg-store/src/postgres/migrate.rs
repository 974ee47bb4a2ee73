//! Brings a database to the newest shape: forward only, each step in a transaction, one node at a time [O1].

use super::conn::PostgresConn;
use crate::sql::{Conn, Enough};
use crate::{Error, Result};

/// The same steps as SQLite's, by the same names. Never edited once released.
const STEPS: [&str; 1] = [include_str!("../../migrations/postgres/0001_first.sql")];

/// Kept apart from the locks of workspaces, whose keys are positive.
const LOCK: &str = "SELECT pg_advisory_xact_lock(-1);";

pub fn migrate(conn: &PostgresConn) -> Result<()> {
    let known = STEPS.len() as i64;
    loop {
        conn.batch(&format!(
            "BEGIN; {LOCK} CREATE TABLE IF NOT EXISTS ygg_schema (version BIGINT NOT NULL)"
        ))?;
        let found = version(conn)?;
        if found > known {
            conn.batch("ROLLBACK")?;
            return Err(Error::Newer { found, known });
        }
        let Some(step) = usize::try_from(found).ok().and_then(|at| STEPS.get(at)) else {
            return conn.batch("COMMIT");
        };
        let reached = found + 1;
        conn.batch(&format!(
            "{step}; DELETE FROM ygg_schema; INSERT INTO ygg_schema VALUES ({reached}); COMMIT"
        ))?;
    }
}

fn version(conn: &PostgresConn) -> Result<i64> {
    let mut version = None;
    conn.query("SELECT max(version) FROM ygg_schema", &[], &mut |row| {
        version = row.int(0)?;
        Ok(Enough::Yes)
    })?;
    Ok(version.unwrap_or(0))
}
