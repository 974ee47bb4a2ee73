//! Brings a database to the newest shape: forward only, all or nothing, one node at a time [O1].

use super::conn::PostgresConn;
use crate::sql::{Conn, Enough};
use crate::{Error, Result};

/// The same steps as SQLite's, by the same names. Never edited once released.
pub const STEPS: &[&str] = &[
    include_str!("../../migrations/postgres/0001_first.sql"),
    include_str!("../../migrations/postgres/0002_timers.sql"),
    include_str!("../../migrations/postgres/0003_turns.sql"),
    include_str!("../../migrations/postgres/0004_content.sql"),
    include_str!("../../migrations/postgres/0005_people.sql"),
];

/// Kept apart from the locks of workspaces, whose keys are positive.
const LOCK: &str = "SELECT pg_advisory_xact_lock(-1);";

pub fn migrate(conn: &mut PostgresConn, steps: &[&str]) -> Result<()> {
    // However long another node takes, and however many rows there are.
    conn.patiently(&format!(
        "BEGIN; SET LOCAL statement_timeout = 0; {LOCK}
         CREATE TABLE IF NOT EXISTS ygg_schema (version BIGINT NOT NULL)"
    ))
    .map_err(|error| conn.config().trouble(error))?;
    let outcome = forward(conn, steps);
    let ended = conn.patiently(if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" });
    outcome.and(ended)
}

fn forward(conn: &PostgresConn, steps: &[&str]) -> Result<()> {
    let (found, known) = (version(conn)?, steps.len() as i64);
    if found > known {
        return Err(Error::Newer { found, known });
    }
    if found == known {
        return Ok(());
    }
    if found > 0 {
        tracing::info!(from = found, to = known, "updating the database; ygg makes no copy of PostgreSQL");
    }
    let missing = steps.get(usize::try_from(found).unwrap_or(0)..).unwrap_or_default();
    let reached = format!("DELETE FROM ygg_schema; INSERT INTO ygg_schema VALUES ({known})");
    let update = missing.iter().copied().chain([reached.as_str()]);
    update.into_iter().try_for_each(|step| conn.patiently(step)).map_err(|error| Error::Update {
        what: conn.config().place(),
        from: found,
        to: known,
        problem: error.to_string(),
        copy: "ygg makes no copy of PostgreSQL: keep one with pg_dump".to_owned(),
    })
}

fn version(conn: &PostgresConn) -> Result<i64> {
    let mut version = None;
    conn.query("SELECT max(version) FROM ygg_schema", &[], &mut |row| {
        version = row.int(0)?;
        Ok(Enough::Yes)
    })?;
    Ok(version.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::{Postgres, Scratch};

    const LATER: &str = "CREATE TABLE later (n INTEGER)";
    const BROKEN: &str = "CREATE TABLE halfway (n INTEGER); INSERT INTO nowhere VALUES (1)";

    /// None where no server is named; CI always names one.
    fn scratch(name: &str) -> Option<Scratch> {
        let Ok(server) = std::env::var("YGG_TEST_POSTGRES") else {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI runs these tests on PostgreSQL too");
            return None;
        };
        Some(Scratch::create(&server, &format!("ygg_migrate_{}_{name}", std::process::id())).unwrap())
    }

    fn to(scratch: &Scratch, later: &[&str]) -> Result<()> {
        migrate(&mut PostgresConn::open(scratch.config())?, &[STEPS, later].concat())
    }

    fn has(scratch: &Scratch, table: &str) -> bool {
        let conn = PostgresConn::open(scratch.config()).unwrap();
        conn.batch(&format!("SELECT 1 FROM {table}")).is_ok()
    }

    #[test]
    fn an_older_database_is_brought_forward_and_a_newer_one_is_refused() {
        let Some(scratch) = scratch("forward") else { return };
        drop(Postgres::open(scratch.config()).unwrap());
        to(&scratch, &[LATER]).unwrap();
        assert!(has(&scratch, "later"));
        let error = Postgres::open(scratch.config()).err().expect("it is newer");
        let ours = STEPS.len() as i64;
        assert!(
            matches!(error, Error::Newer { found, known } if (found, known) == (ours + 1, ours)),
            "{error}"
        );
    }

    #[test]
    fn an_update_that_fails_leaves_the_database_as_it_was() {
        let Some(scratch) = scratch("broken") else { return };
        drop(Postgres::open(scratch.config()).unwrap());
        let error = to(&scratch, &[LATER, BROKEN]).unwrap_err().to_string();
        assert!(error.contains("pg_dump") && error.contains("nowhere"), "{error}");
        assert!(!has(&scratch, "later") && !has(&scratch, "halfway"));
        drop(Postgres::open(scratch.config()).expect("the older ygg still opens it"));
    }

    #[test]
    fn nodes_that_start_at_once_update_once() {
        let Some(scratch) = scratch("at_once") else { return };
        std::thread::scope(|scope| {
            let nodes: Vec<_> = (0..4).map(|_| scope.spawn(|| to(&scratch, &[LATER]))).collect();
            for node in nodes {
                node.join().unwrap().unwrap();
            }
        });
    }
}
