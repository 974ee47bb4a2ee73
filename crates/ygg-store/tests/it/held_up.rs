//! Somebody else holds the database: writes wait for it, a stop waits only so long, and each write is told once what
//! became of it [O6].

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use ygg_store::Error;
use ygg_store::sqlite::Sqlite;

use crate::cast::{TEAM, at, group_set};
use crate::jobs::{found, hold, queue, read, write};
use crate::postgres;

/// More than is waited for; less than what waits for the database itself.
const STOPPED: Duration = Duration::from_secs(6);

#[test]
fn closing_finishes_what_is_queued() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let store = Sqlite::open(&path).unwrap();
    found(&store);
    let go = hold(&store);
    let (told, outcomes) = mpsc::channel();
    for number in 0..300 {
        queue(&store, number, false, &told);
    }
    drop(told);
    go.send(()).unwrap();
    drop(store);
    assert_eq!(outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count(), 300);
    assert_eq!(read(&Sqlite::open(&path).unwrap(), |rows| rows.last_seq(TEAM)).unwrap(), 300);
}

#[test]
fn closing_waits_for_a_locked_file_only_so_long() {
    const WRITES: usize = 1_000;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let store = Sqlite::open(&path).unwrap();
    found(&store);
    let other = lock_out(&path);
    let (told, outcomes) = mpsc::channel();
    for number in 0..WRITES {
        queue(&store, number, false, &told);
    }
    drop(told);
    let begun = Instant::now();
    drop(store);
    assert!(begun.elapsed() < STOPPED, "{:?}", begun.elapsed());
    // What had not begun is told already; the batch under way has the file still, and is done once it can be.
    let undone = outcomes.try_iter().map(|(number, outcome)| (number, matches!(outcome, Err(Error::Closed))));
    let undone: Vec<(usize, bool)> = undone.collect();
    assert!(undone.len() >= WRITES - 2 * 256, "{}", undone.len());
    assert!(undone.iter().all(|(_, closed)| *closed));
    assert!(matches!(Sqlite::open(&path), Err(Error::InUse { .. })));
    drop(other);
    let done = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    assert_eq!(done + undone.len(), WRITES, "each is told once");
    let begun = Instant::now();
    let store = loop {
        match Sqlite::open(&path) {
            Err(Error::InUse { .. }) if begun.elapsed() < Duration::from_secs(10) => std::thread::yield_now(),
            opened => break opened.unwrap(),
        }
    };
    assert_eq!(
        read(&store, |rows| rows.last_seq(TEAM)).unwrap(),
        done as i64,
        "what was told is what is there"
    );
}

#[test]
fn closing_waits_for_another_node_only_so_long() {
    const WRITES: usize = 1_000;
    let Some(place) = postgres::place() else { return };
    found(&place.store);
    let store = place.other_node();
    let go = hold(&place.store);
    let (told, outcomes) = mpsc::channel();
    for number in 0..WRITES {
        queue(&store, number, false, &told);
    }
    drop(told);
    let begun = Instant::now();
    drop(store);
    assert!(begun.elapsed() < STOPPED, "{:?}", begun.elapsed());
    let undone = outcomes.try_iter().filter(|(_, outcome)| matches!(outcome, Err(Error::Closed))).count();
    assert!(undone >= WRITES - 2 * 256, "{undone}");
    go.send(()).unwrap();
    let done = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    assert_eq!(done + undone, WRITES, "each is told once");
    assert_eq!(read(&place.store, |rows| rows.last_seq(TEAM)).unwrap(), done as i64);
}

/// Another program in the middle of a write, for as long as it is kept. It waits for its turn as any has to.
fn lock_out(path: &Path) -> Connection {
    let other = Connection::open(path).expect("a connection");
    other.busy_timeout(Duration::from_secs(10)).expect("patience");
    other.execute_batch("BEGIN IMMEDIATE").expect("its turn comes");
    other
}

/// Each write runs once, whoever held the file meanwhile, and no reader is kept waiting.
#[test]
fn a_file_that_is_locked_now_and_then_is_waited_for() {
    const WRITERS: usize = 4;
    const WRITES: usize = 25;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("ygg.db");
    let store = Sqlite::open(&path).unwrap();
    found(&store);
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let store = &store;
                let write = move |number| {
                    let name = format!("group-{writer}-{number}");
                    write(store, move |tx| tx.apply(TEAM, at(1), &[group_set(&name, &[])]))
                };
                scope.spawn(move || (0..WRITES).map(write).collect::<ygg_store::Result<Vec<i64>>>())
            })
            .collect();
        scope.spawn(|| {
            while !ended.load(Ordering::SeqCst) {
                let (last, groups) =
                    read(&store, |rows| Ok((rows.last_seq(TEAM)?, rows.groups(TEAM)?.len()))).unwrap();
                assert_eq!(last, groups as i64, "nothing is half done");
            }
        });
        let (_held, nothing) = mpsc::channel::<()>();
        for held in [20, 3_000, 3, 500] {
            let other = lock_out(&path);
            let _ = nothing.recv_timeout(Duration::from_millis(held));
            drop(other);
        }
        let seqs = writers.into_iter().flat_map(|writer| writer.join().unwrap().expect("each is written"));
        let seqs: BTreeSet<i64> = seqs.collect();
        ended.store(true, Ordering::SeqCst);
        assert_eq!(seqs, (1..=(WRITERS * WRITES) as i64).collect());
    });
}
