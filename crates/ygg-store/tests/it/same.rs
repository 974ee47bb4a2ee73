//! Two stores, one history: every answer must be the same, after every step, before and after the commit.

use std::fmt::Debug;
use std::sync::mpsc;

use tempfile::TempDir;
use ygg_store::memory::Memory;
use ygg_store::sqlite::Sqlite;
use ygg_store::{Result, Rows, Store, Tx};

use crate::history::History;
use crate::jobs::{job, read, write};
use crate::questions::Subjects;

pub struct Both {
    pub memory: Memory,
    pub sqlite: Sqlite,
    /// Last, so that the store lets go of its file first.
    pub _place: TempDir,
}

impl Both {
    pub fn open() -> Self {
        let place = tempfile::tempdir().expect("a place for files");
        let sqlite = Sqlite::open(&place.path().join("ygg.db")).expect("a new database");
        Self { memory: Memory::new(), sqlite, _place: place }
    }

    /// Both as the history leaves them, a job for each step; nothing is compared yet.
    pub fn after(history: &History) -> Self {
        let both = Self::open();
        write_one_by_one(&both.sqlite, history);
        write_one_by_one(&both.memory, history);
        both
    }

    /// The answer that both give.
    pub fn ask<T: Debug + PartialEq>(&self, question: impl Fn(&dyn Rows) -> Result<T>) -> T {
        let sqlite = read(&self.sqlite, &question).expect("SQLite answers");
        let memory = read(&self.memory, &question).expect("memory answers");
        assert_eq!(memory, sqlite, "memory on the left, SQLite on the right");
        sqlite
    }
}

/// For what holds of any store.
pub fn each_store(check: impl Fn(&dyn Store)) {
    let both = Both::open();
    check(&both.sqlite);
    check(&both.memory);
}

/// Writes the history to both and compares; returns them as the history left them.
pub fn same(history: &History) -> Both {
    same_every(history, 1)
}

/// As `same`, asking only after every so many steps and at the end.
pub fn same_every(history: &History, steps: usize) -> Both {
    let one_by_one = Both::after(history);
    let subjects = Subjects::of(history);
    let ask = |store: &dyn Store| read(store, |rows| Ok(subjects.ask(rows))).expect("a look");
    let (memory, sqlite) = (ask(&one_by_one.memory), ask(&one_by_one.sqlite));
    compare(&memory, &sqlite, "at the end");

    let at_once = Both::open();
    let in_memory = write_at_once(&at_once.memory, history, steps);
    let in_sqlite = write_at_once(&at_once.sqlite, history, steps);
    for (memory, sqlite) in in_memory.iter().zip(&in_sqlite) {
        assert_eq!(memory.written, sqlite.written);
        compare(&memory.answers, &sqlite.answers, &sqlite.after);
    }
    assert_eq!(in_memory.len(), in_sqlite.len());
    let last = in_sqlite.last().expect("a history has steps");
    compare(&last.answers, &sqlite, "one job on the left, a job for each step on the right");
    one_by_one
}

/// Where a history was when everything was asked.
struct Stop {
    after: String,
    /// What each step returned since the last stop.
    written: Vec<i64>,
    answers: Vec<String>,
}

/// One job for the whole history; asks inside the transaction.
fn write_at_once(store: &dyn Store, history: &History, steps: usize) -> Vec<Stop> {
    let history = history.clone();
    let outcome = write(store, move |tx| {
        let subjects = Subjects::of(&history);
        let mut stops = Vec::new();
        let mut written = Vec::new();
        for (number, (at, step)) in (1..).zip(&history.steps) {
            written.push(step.write(tx, *at)?);
            if number % steps == 0 || number == history.steps.len() {
                let after = format!("after step {number}, {step:?}");
                let answers = subjects.ask(&*tx);
                stops.push(Stop { after, written: std::mem::take(&mut written), answers });
            }
        }
        Ok(stops)
    });
    outcome.expect("the history is written")
}

/// A job for each step, all queued before the first is waited for.
fn write_one_by_one(store: &dyn Store, history: &History) {
    let (done, outcomes) = mpsc::channel();
    for (at, step) in history.steps.clone() {
        let done = done.clone();
        let write = move |tx: &mut dyn Tx| step.write(tx, at);
        store.write(job(write, move |seq| done.send(seq).expect("it is waited for")));
    }
    drop(done);
    let told: Vec<i64> = outcomes.iter().map(|outcome| outcome.expect("the step is written")).collect();
    assert_eq!(told.len(), history.steps.len());
}

fn compare(memory: &[String], sqlite: &[String], when: &str) {
    assert_eq!(memory.len(), sqlite.len());
    for (memory, sqlite) in memory.iter().zip(sqlite) {
        assert!(memory == sqlite, "{when}\nmemory: {memory}\nsqlite: {sqlite}");
    }
}
