//! A store whose reads or writes stand still for as long as a test wants.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use ygg_store::figures::MetricFamily;
use ygg_store::sqlite::Sqlite;
use ygg_store::{Elsewhere, Error, Job, Result, Rows, Store, Tx, Within};

#[derive(Default)]
pub struct Gate {
    /// Whether reads of a workspace stand still, and how many do.
    reads: Mutex<(bool, usize)>,
    moved: Condvar,
    /// Whether no reader has a place for a look at a workspace.
    pub is_full: AtomicBool,
    pub holds_writes: AtomicBool,
    held: Mutex<Vec<Box<dyn Job>>>,
    /// Whether transactions stand still between their statements and their commit.
    commits: Mutex<bool>,
    committing: Condvar,
}

impl Gate {
    pub fn hold_reads(&self, hold: bool) {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).0 = hold;
        self.moved.notify_all();
    }

    pub fn standing(&self) -> usize {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    pub fn hold_commits(&self, hold: bool) {
        *self.commits.lock().unwrap_or_else(PoisonError::into_inner) = hold;
        self.committing.notify_all();
    }

    fn commit(&self) {
        let mut held = self.commits.lock().unwrap_or_else(PoisonError::into_inner);
        while *held {
            held = self.committing.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn pass(&self) {
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        reads.1 += 1;
        while reads.0 {
            reads = self.moved.wait(reads).unwrap_or_else(PoisonError::into_inner);
        }
        reads.1 -= 1;
    }
}

pub struct Gated {
    pub store: Sqlite,
    pub gate: Arc<Gate>,
}

/// A job whose transaction stays open after its statements for as long as the gate wants.
struct Committing {
    job: Box<dyn Job>,
    gate: Arc<Gate>,
}

impl Job for Committing {
    fn within(&self) -> &[Within] {
        self.job.within()
    }

    fn run(&mut self, tx: &mut dyn Tx) -> Result<()> {
        self.job.run(tx)?;
        self.gate.commit();
        Ok(())
    }

    fn finish(self: Box<Self>, outcome: Result<()>) {
        self.job.finish(outcome);
    }
}

impl Store for Gated {
    fn write(&self, job: Box<dyn Job>) {
        if self.gate.holds_writes.load(Ordering::SeqCst) {
            self.gate.held.lock().unwrap_or_else(PoisonError::into_inner).push(job);
        } else {
            self.store.write(Box::new(Committing { job, gate: Arc::clone(&self.gate) }));
        }
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        None
    }

    fn figures(&self) -> Result<Vec<MetricFamily>> {
        self.store.figures()
    }

    fn read(&self, within: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        if within != Within::Server {
            if self.gate.is_full.load(Ordering::SeqCst) {
                return Err(Error::Busy);
            }
            self.gate.pass();
        }
        self.store.read(within, look)
    }
}
