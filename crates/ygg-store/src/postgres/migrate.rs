//! Brings a database to the newest shape: forward only, all or nothing, one node at a time [O1].

use ygg_domain::workspace::WorkspaceKey;

use super::conn::PostgresConn;
use crate::sql::search::{ADD_TO_POSTGRES, indexed, with_workspace};
use crate::sql::{Conn, Enough, params};
use crate::{Error, Result};

/// The same steps as SQLite's, by the same names. Never edited once released.
pub const STEPS: &[&str] = &[
    include_str!("../../migrations/postgres/0001_first.sql"),
    include_str!("../../migrations/postgres/0002_timers.sql"),
    include_str!("../../migrations/postgres/0003_turns.sql"),
    include_str!("../../migrations/postgres/0004_content.sql"),
    include_str!("../../migrations/postgres/0005_people.sql"),
    include_str!("../../migrations/postgres/0006_search.sql"),
];

/// Kept apart from the locks of workspaces, whose keys are positive.
const LOCK: &str = "SELECT pg_advisory_xact_lock(-1);";

pub fn migrate(conn: &mut PostgresConn, steps: &[&str]) -> Result<()> {
    // However long another node takes, and however many rows there are.
    conn.patiently(&format!(
        "BEGIN; SET LOCAL statement_timeout = 0; SELECT set_config('ygg.scope', '*', true); {LOCK}
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
    let updated = update.into_iter().try_for_each(|step| conn.patiently(step));
    updated.and_then(|()| index_texts(conn)).map_err(|error| Error::Update {
        what: conn.config().place(),
        from: found,
        to: known,
        problem: error.to_string(),
        copy: "ygg makes no copy of PostgreSQL: keep one with pg_dump".to_owned(),
    })
}

/// Texts that were there before there was an index of their words, and any other that is in none.
fn index_texts(conn: &PostgresConn) -> Result<()> {
    for texts in [
        "SELECT m.workspace, m.seq, m.text FROM messages m
             LEFT JOIN search s ON s.workspace = m.workspace AND s.seq = m.seq
             WHERE s.seq IS NULL AND m.redacted_by IS NULL AND (m.workspace, m.seq) > (?1, ?2)
             ORDER BY m.workspace, m.seq LIMIT 500",
        "SELECT t.workspace, t.title_seq, t.title FROM topics t
             LEFT JOIN search s ON s.workspace = t.workspace AND s.seq = t.title_seq
             WHERE s.seq IS NULL AND t.title_seq IS NOT NULL AND (t.workspace, t.title_seq) > (?1, ?2)
             ORDER BY t.workspace, t.title_seq LIMIT 500",
    ] {
        let mut after = (0, 0);
        loop {
            let mut page: Vec<(i64, i64, String)> = Vec::new();
            conn.query(texts, params![after.0, after.1], &mut |row| {
                page.push((row.get(0)?, row.get(1)?, row.get(2)?));
                Ok(Enough::No)
            })?;
            let Some((workspace, seq, _)) = page.last() else { break };
            after = (*workspace, *seq);
            for (workspace, seq, text) in &page {
                let index = indexed(text);
                if !index.is_empty() {
                    let index = with_workspace(WorkspaceKey(*workspace), &index);
                    conn.execute(ADD_TO_POSTGRES, params![*workspace, *seq, index])?;
                }
            }
            conn.flush()?;
        }
    }
    Ok(())
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
    fn texts_from_before_are_found() {
        let Some(scratch) = scratch("search") else { return };
        let before = STEPS.iter().position(|step| step.contains("CREATE TABLE search")).unwrap();
        let mut conn = PostgresConn::open(scratch.config()).unwrap();
        // What comes before has no table for words, so it is brought there by hand.
        let steps = STEPS[..before].join(";\n");
        conn.batch(&format!(
            "SELECT set_config('ygg.scope', '*', false);
             CREATE TABLE ygg_schema (version BIGINT NOT NULL); INSERT INTO ygg_schema VALUES ({before});
             {steps};
             INSERT INTO topics (workspace, id, conversation, title, opener, status, opened_at)
             VALUES (3, 'top_1', 'cnv_1', 'Old Title', 'a', 'open', 0);
             INSERT INTO messages (workspace, id, seq, topic, conversation, sender, type, text, origin, hop, charged,
                                   sent_at, decision)
             VALUES (3, 'msg_1', 8, 'top_1', 'cnv_1', 'a', 'inform', 'Große needle', 'msg_1', 0, 0, 0, '[]'),
                    (3, 'msg_2', 9, 'top_1', 'cnv_1', 'a', 'inform', '?!', 'msg_2', 0, 0, 0, '[]'),
                    (3, 'msg_3', 10, 'top_1', 'cnv_1', 'a', 'inform', '[redacted]', 'msg_3', 0, 0, 0, '[]');
             UPDATE messages SET redacted_by = 'a', redacted_at = 1 WHERE id = 'msg_3'"
        ))
        .unwrap();
        migrate(&mut conn, STEPS).unwrap();
        for (word, seq) in [("needle", Some(8)), ("grosse", Some(8)), ("old", Some(7)), ("redacted", None)] {
            let mut found = None;
            let sql =
                "SELECT seq FROM search WHERE workspace = 3 AND words @@ CAST(CAST(?1 AS TEXT) AS TSQUERY)";
            conn.query(sql, params![word], &mut |row| {
                found = row.int(0)?;
                Ok(Enough::Yes)
            })
            .unwrap();
            assert_eq!(found, seq, "{word}");
        }
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
