//! The writer thread: takes what has gathered, runs it in one transaction, commits once, then tells everybody.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

use super::conn::SqliteConn;
use crate::sql::Db;
use crate::{Error, Job, Result};

/// Writes that share one commit.
const BATCH: usize = 256;

pub fn run(mut db: Db<SqliteConn>, queue: &Receiver<Box<dyn Job>>) {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH {
            match queue.try_recv() {
                Ok(job) => batch.push(job),
                Err(_) => break,
            }
        }
        match commit(&mut db, &mut batch) {
            Ok(()) => batch.into_iter().for_each(|job| finish(job, Ok(()))),
            Err(error) if batch.len() == 1 => {
                batch.into_iter().for_each(|job| finish(job, Err(error.clone())))
            }
            Err(error) => {
                tracing::warn!(%error, jobs = batch.len(), "a batch failed; its writes are tried one by one");
                batch.into_iter().for_each(|job| alone(&mut db, job));
            }
        }
    }
    // Leaves one file behind on a clean stop.
    if let Err(error) = db.conn.0.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)") {
        tracing::warn!(%error, "the last checkpoint failed; nothing is lost");
    }
}

fn alone(db: &mut Db<SqliteConn>, job: Box<dyn Job>) {
    let mut one = vec![job];
    let outcome = commit(db, &mut one);
    for job in one {
        finish(job, outcome.clone());
    }
}

/// A panic in one job is our bug and that job's failure; the writer goes on for all others.
fn finish(job: Box<dyn Job>, outcome: Result<()>) {
    if catch_unwind(AssertUnwindSafe(|| job.finish(outcome))).is_err() {
        tracing::error!("a write panicked while it told its outcome");
    }
}

fn run_one(db: &mut Db<SqliteConn>, job: &mut dyn Job) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| job.run(db))).unwrap_or(Err(Error::Panicked))
}

fn commit(db: &mut Db<SqliteConn>, batch: &mut [Box<dyn Job>]) -> Result<()> {
    db.conn.0.execute_batch("BEGIN IMMEDIATE")?;
    let outcome = batch.iter_mut().try_for_each(|job| run_one(db, job.as_mut()));
    let outcome = outcome.and_then(|()| db.conn.0.execute_batch("COMMIT").map_err(Error::from));
    if outcome.is_err() {
        db.forget_seqs();
        if let Err(error) = db.conn.0.execute_batch("ROLLBACK") {
            tracing::error!(%error, "a rollback failed");
        }
    }
    outcome
}
