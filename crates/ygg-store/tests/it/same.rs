//! All stores, one history: every answer must be the same, after every step, before and after the commit.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::mpsc;

use tempfile::TempDir;
use ygg_store::memory::Memory;
use ygg_store::sqlite::Sqlite;
use ygg_store::{Result, Rows, Store, Tx};

use crate::history::History;
use crate::jobs::{job, read, write};
use crate::postgres;
use crate::questions::Subjects;

pub struct Stores {
    pub memory: Memory,
    pub sqlite: Sqlite,
    pub postgres: Option<postgres::Place>,
    /// Last, so that the store lets go of its file first.
    pub place: TempDir,
}

impl Stores {
    pub fn open() -> Self {
        let place = tempfile::tempdir().expect("a place for files");
        let sqlite = Sqlite::open(&place.path().join("ygg.db")).expect("a new database");
        Self { memory: Memory::new(), sqlite, postgres: postgres::place(), place }
    }

    /// All as the history leaves them, a job for each step; nothing is compared yet.
    pub fn after(history: &History) -> Self {
        let stores = Self::open();
        for (_, store) in stores.all() {
            write_one_by_one(store, history);
        }
        stores
    }

    /// Of the SQLite file.
    pub fn path(&self) -> PathBuf {
        self.place.path().join("ygg.db")
    }

    pub fn all(&self) -> Vec<(&'static str, &dyn Store)> {
        let mut all: Vec<(&str, &dyn Store)> = vec![("memory", &self.memory), ("SQLite", &self.sqlite)];
        if let Some(place) = &self.postgres {
            all.push(("PostgreSQL", &place.store));
        }
        all
    }

    /// The answer that all give.
    pub fn ask<T: Debug + PartialEq>(&self, question: impl Fn(&dyn Rows) -> Result<T>) -> T {
        let mut answers = self.all().into_iter().map(|(name, store)| {
            (name, read(store, &question).unwrap_or_else(|error| panic!("{name} answers: {error}")))
        });
        let (first, answer) = answers.next().expect("memory is always there");
        for (name, other) in answers {
            assert_eq!(answer, other, "{first} on the left, {name} on the right");
        }
        answer
    }
}

/// For what holds of any store.
pub fn each_store(check: impl Fn(&dyn Store)) {
    for (_, store) in Stores::open().all() {
        check(store);
    }
}

/// Writes the history to all and compares; returns them as the history left them.
pub fn same(history: &History) -> Stores {
    same_every(history, 1)
}

/// As `same`, asking only after every so many steps and at the end.
pub fn same_every(history: &History, steps: usize) -> Stores {
    let one_by_one = Stores::after(history);
    let subjects = Subjects::of(history);
    let at_once = Stores::open();
    let mut expected: Option<(Vec<String>, Vec<Stop>)> = None;
    for ((name, slowly), (_, quickly)) in one_by_one.all().into_iter().zip(at_once.all()) {
        let end = read(slowly, |rows| Ok(subjects.ask(rows))).expect("a look");
        let stops = write_at_once(quickly, history, steps);
        let last = stops.last().expect("a history has steps");
        compare(name, &last.answers, &end, "one job on the left, a job for each step on the right");
        let Some((answers, before)) = &expected else {
            expected = Some((end, stops));
            continue;
        };
        compare(name, answers, &end, "at the end");
        assert_eq!(before.len(), stops.len());
        for (before, stop) in before.iter().zip(&stops) {
            assert_eq!(before.written, stop.written, "{name}");
            compare(name, &before.answers, &stop.answers, &stop.after);
        }
    }
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

fn compare(name: &str, expected: &[String], answers: &[String], when: &str) {
    assert_eq!(expected.len(), answers.len());
    for (expected, answer) in expected.iter().zip(answers) {
        assert!(expected == answer, "{name}, {when}\nexpected: {expected}\n    seen: {answer}");
    }
}
