//! No statement looks through a workspace: SQLite says how it would go about each one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ygg_store::statements;

use crate::jobs::{read, write};
use crate::questions::Subjects;
use crate::same::Stores;
use crate::shuffled::drawn;

/// What grows with each message, by the names that statements give the tables.
const GROWING: [&str; 21] = [
    "deliveries",
    "d",
    "messages",
    "m",
    "wakes",
    "w",
    "f",
    "topics",
    "t",
    "parties",
    "turns",
    "notices",
    "sends",
    "stints",
    "cursors",
    "files",
    "contents",
    "attachments",
    "a",
    "outbox",
    "audit",
];
/// Read in the order of their places, or summed for a check that somebody asks for.
const IN_ORDER: [&str; 2] = ["log", "ledger"];

/// What SQLite is never told: other tests of this process may be at work on PostgreSQL.
const OF_POSTGRES: [&str; 3] = ["tsvector", "TSQUERY", "DELETE FROM search"];

static SAID: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

fn said() -> MutexGuard<'static, BTreeSet<&'static str>> {
    SAID.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn no_statement_looks_through_all_rows_of_a_workspace() {
    statements::listen(Box::new(|sql, _| {
        said().insert(sql);
    }));
    let stores = Stores::open();
    let history = drawn(9);
    let subjects = Subjects::of(&history);
    for (at, step) in history.steps {
        write(&stores.sqlite, move |tx| step.write(tx, at)).expect("a step is written");
    }
    read(&stores.sqlite, move |rows| Ok(subjects.ask(rows))).expect("a look");
    let mut seen = 0;
    // Other tests delete whole workspaces meanwhile, and that looks through all of them.
    let whole = |sql: &str| sql.starts_with("DELETE FROM") && sql.ends_with("WHERE workspace = ?1");
    for (sql, steps) in plans(&stores.path()).into_iter().filter(|(sql, _)| !whole(sql)) {
        seen += steps.len();
        for step in steps {
            assert!(!looks_through(&step), "{step}: {sql}");
        }
    }
    assert!(seen > 80, "the statements were heard, {seen} steps");
}

/// How each statement is gone about, step by step.
fn plans(path: &Path) -> Vec<(&'static str, Vec<String>)> {
    let file = rusqlite::Connection::open(path).expect("the file");
    let plan = |sql: &&'static str| {
        let mut plan = file.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("a statement");
        let unbound = vec![0; plan.parameter_count()];
        let steps = plan.query_map(rusqlite::params_from_iter(unbound), |row| row.get(3)).expect("a plan");
        (*sql, steps.map(|step| step.expect("a step of a plan")).collect())
    };
    let of_sqlite = |sql: &&&'static str| !OF_POSTGRES.iter().any(|word| sql.contains(word));
    said().iter().filter(of_sqlite).map(plan).collect()
}

/// Whether a step reads a growing table without an index that narrows it further than to the workspace. An index of
/// what is open or pending is small whatever it is asked for.
fn looks_through(step: &str) -> bool {
    let mut words = step.split(' ');
    let (verb, table) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let whole = verb == "SCAN" || verb == "SEARCH" && step.ends_with("(workspace=?)");
    let small = ["_pending", "_held", "_owed", "_unanswered", "_open", "_marked", "_due", "_loose"];
    let by_small = step.split(' ').any(|word| small.iter().any(|small| word.ends_with(small)));
    whole && GROWING.contains(&table) && !by_small || verb == "SCAN" && IN_ORDER.contains(&table)
}

#[test]
fn a_look_through_is_told_from_a_look_up() {
    for through in [
        "SCAN deliveries",
        "SCAN log",
        "SEARCH d USING PRIMARY KEY (workspace=?)",
        "SEARCH messages USING INDEX messages_by_topic (workspace=?)",
    ] {
        assert!(looks_through(through), "{through}");
    }
    for up in [
        "SEARCH d USING INDEX deliveries_pending (workspace=? AND recipient=?)",
        "SEARCH t USING INDEX topics_held (workspace=?)",
        "SEARCH log USING PRIMARY KEY (workspace=?)",
        "SEARCH participants USING PRIMARY KEY (workspace=?)",
        "USE TEMP B-TREE FOR ORDER BY",
    ] {
        assert!(!looks_through(up), "{up}");
    }
}
