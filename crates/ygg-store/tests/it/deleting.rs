//! Deleting a workspace: every row of it goes, nothing of another does, and its number never comes back [O4a].

use std::collections::BTreeMap;

use rusqlite::Connection;
use tokio_postgres::NoTls;
use ygg_domain::credits::Pot;
use ygg_domain::message::{Message, MessageType};
use ygg_domain::search;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Error;

use crate::cast::{TEAM, at, group_set, id, slug};
use crate::history::History;
use crate::jobs::write;
use crate::same::{Stores, each_store, same};
use crate::stories::walls;

/// Two workspaces with a row in every table; returns the second.
fn filled() -> (History, WorkspaceKey) {
    let mut history = History::new();
    fill(&mut history, 1);
    let plane = history.workspace("plane");
    fill(&mut history, 2);
    (history, plane)
}

fn fill(history: &mut History, hash: u8) {
    walls::story(history, hash, true);
    history.then(group_set("crew", &[]));
    history.claim(u64::from(hash), hash);
    history.book(Pot::Pool, 5, 5, &id("codex"));
    history.short(&id("codex"), None, 2);
    history.attends(&id("codex"));
    let topic = history.any_topic();
    let file = history.file(&id("codex"), b'a');
    history.send_files(topic, &id("codex"), &[&file], &[]);
    history.nudged(topic, &id("codex"), &id("human.1"), 1);
    history.refused(&id("codex"));
    history.outlet(&id("human.1"), true);
    history.outgoing(&id("human.1"), "item", 0);
    history.read(topic, &id("human.1"), 1);
}

#[test]
fn what_is_deleted_is_gone_from_every_answer_and_its_name_is_free() {
    let (mut history, plane) = filled();
    history.delete(plane, TEAM);
    history.then(group_set("after", &[]));
    let again = history.workspace("plane");
    assert_eq!(again, WorkspaceKey(3), "the number 2 is not given again");
    history.then(group_set("fresh", &[]));
    let stores = same(&history);
    assert_eq!(stores.ask(|rows| rows.last_seq(again)), 1);
    assert_eq!(stores.ask(|rows| rows.last_seq(plane)), 0);
    assert!(stores.ask(|rows| rows.last_seq(TEAM)) > 19);
}

/// A later table with a column `workspace` is found here, by what the databases say of themselves.
#[test]
fn no_table_is_forgotten() {
    let (history, plane) = filled();
    let stores = Stores::after(&history);
    let before = counts(&stores, plane);
    for (table, [of_team, of_plane]) in &before {
        assert!(*of_team > 0 && *of_plane > 0, "{table}: the test has no row in it; fill it above");
    }
    for (_, store) in stores.all() {
        write(store, move |tx| tx.delete_workspace(plane)).expect("it is deleted");
    }
    for (table, [of_team, of_plane]) in counts(&stores, plane) {
        assert_eq!(of_plane, 0, "{table}: delete its rows in sql/workspace.rs");
        assert_eq!(of_team, before[&table][0], "{table}: the other workspace keeps its rows");
    }
}

/// The index is one for all workspaces, and has no column `workspace` in SQLite.
#[test]
fn words_of_a_deleted_workspace_are_in_no_index() {
    let (mut history, plane) = filled();
    for (here, word) in [(TEAM, "xylophone"), (plane, "zeppelin")] {
        history.here = here;
        let topic = history.any_topic();
        for number in 0..700 {
            let plain = history.message(topic, &id("codex"), MessageType::Inform);
            history.post(Message { text: format!("{word} shared {number}"), ..plain }, &[]);
        }
    }
    let stores = Stores::after(&history);
    for (_, store) in stores.all() {
        write(store, move |tx| tx.delete_workspace(plane)).expect("it is deleted");
    }
    for (query, here, expected) in
        [("zeppelin", plane, 0), ("shared", plane, 0), ("xylophone", TEAM, 700), ("shared", TEAM, 700)]
    {
        let sought = search::read(query).expect("a query");
        let found = stores.ask(|rows| rows.found(here, &sought, i64::MAX, 10_000));
        assert_eq!(found.len(), expected, "{query}");
    }
    let file = Connection::open(stores.path()).expect("the file opens twice");
    for (word, blocks) in [("eppelin", false), ("ylophone", true)] {
        let sql = "SELECT count(*) FROM search_data WHERE instr(block, CAST(?1 AS BLOB)) > 0";
        let count: i64 = file.query_row(sql, [word], |row| row.get(0)).expect("a count");
        assert_eq!(count > 0, blocks, "{word}");
    }
    file.execute("INSERT INTO search (search) VALUES ('integrity-check')", []).expect("it is whole");
}

#[test]
fn a_write_that_comes_too_late_writes_nothing() {
    each_store(|store| {
        let late = write(store, |tx| {
            let team = tx.create_workspace(&slug("team"), &Default::default(), at(0))?;
            tx.apply(team, at(0), &[group_set("one", &[])])?;
            tx.delete_workspace(team)?;
            Ok(team)
        });
        let team = late.expect("made and deleted");
        let late = write(store, move |tx| Ok(tx.apply(team, at(1), &[group_set("two", &[])])));
        assert!(matches!(late, Ok(Err(Error::NoWorkspace))), "{late:?}");
    });
}

/// Rows of both workspaces in every table that has a column `workspace`, of each database.
fn counts(stores: &Stores, plane: WorkspaceKey) -> BTreeMap<String, [i64; 2]> {
    let mut counts = sqlite_counts(stores, plane);
    if stores.postgres.is_some() {
        let other = postgres_counts(stores, plane);
        counts.extend(other);
    }
    counts
}

fn sqlite_counts(stores: &Stores, plane: WorkspaceKey) -> BTreeMap<String, [i64; 2]> {
    let file = Connection::open(stores.path()).expect("the file opens twice");
    let mut tables = file
        .prepare(
            "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
             WHERE m.type = 'table' AND c.name = 'workspace'",
        )
        .expect("a question");
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).expect("the tables");
    let count = |table: &str, workspace: WorkspaceKey| {
        let sql = format!("SELECT count(*) FROM {table} WHERE workspace = {}", workspace.0);
        file.query_row(&sql, [], |row| row.get(0)).expect("a count")
    };
    tables
        .map(|table| table.expect("a name"))
        .map(|table| (format!("SQLite {table}"), [count(&table, TEAM), count(&table, plane)]))
        .collect()
}

fn postgres_counts(stores: &Stores, plane: WorkspaceKey) -> BTreeMap<String, [i64; 2]> {
    let place = stores.postgres.as_ref().expect("asked for");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (client, connection) = place.config().connect(NoTls).await.expect("it connects");
        tokio::spawn(connection);
        client.batch_execute("SELECT set_config('ygg.scope', '*', false)").await.expect("the whole server");
        let tables = client
            .query(
                "SELECT table_name::TEXT FROM information_schema.columns
                 WHERE table_schema = 'public' AND column_name = 'workspace'",
                &[],
            )
            .await
            .expect("the tables");
        let mut counts = BTreeMap::new();
        for table in tables.iter().map(|row| row.get::<_, String>(0)) {
            let mut rows = [0; 2];
            for (count, workspace) in rows.iter_mut().zip([TEAM, plane]) {
                let sql = format!("SELECT count(*) FROM {table} WHERE workspace = {}", workspace.0);
                *count = client.query_one(&sql, &[]).await.expect("a count").get(0);
            }
            counts.insert(format!("PostgreSQL {table}"), rows);
        }
        counts
    })
}
