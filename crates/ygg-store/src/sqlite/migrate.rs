//! Brings a database to the newest shape: forward only, each step in a transaction [O1].

use rusqlite::Connection;

use crate::{Error, Result};

/// Never edited once released: a change of shape is a further step.
const STEPS: [&str; 1] = [include_str!("../../migrations/sqlite/0001_first.sql")];

pub fn migrate(conn: &mut Connection) -> Result<()> {
    let found: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = STEPS.len() as i64;
    if found > known {
        return Err(Error::Newer { found, known });
    }
    for (version, step) in (1..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0)) {
        let tx = conn.transaction()?;
        tx.execute_batch(step)?;
        tx.pragma_update(None, "user_version", version)?;
        tx.commit()?;
    }
    Ok(())
}
