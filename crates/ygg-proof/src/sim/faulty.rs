//! A store whose server dies at a chosen write: the write is lost, or its answer. From then on it does nothing, until
//! another server stands on what is left.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ygg_store::figures::MetricFamily;
use ygg_store::{Elsewhere, Error, Job, Result, Rows, Store, Tx, Within};

use super::step::{Crash, Trouble};

pub struct Faulty {
    store: Arc<dyn Store>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    armed: Option<Crash>,
    /// Writes since it was armed.
    writes: u32,
    dead: bool,
}

impl Faulty {
    pub fn over(store: Arc<dyn Store>) -> Self {
        Self { store, state: Mutex::default() }
    }

    /// Something happens at a write from here on.
    pub fn arm(&self, crash: Option<Crash>) {
        let mut state = self.lock();
        (state.armed, state.writes) = (crash, 0);
    }

    pub fn is_dead(&self) -> bool {
        self.lock().dead
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What happens at this write.
    fn strike(&self) -> Option<Trouble> {
        let mut state = self.lock();
        if state.dead {
            return Some(Trouble::LosesWrite);
        }
        let crash = state.armed?;
        state.writes += 1;
        if state.writes <= crash.write {
            return None;
        }
        state.armed = None;
        state.dead = crash.how != Trouble::DoesTwice;
        Some(crash.how)
    }
}

impl Store for Faulty {
    fn write(&self, job: Box<dyn Job>) {
        match self.strike() {
            None => self.store.write(job),
            Some(Trouble::LosesWrite) => job.finish(Err(unsure())),
            Some(Trouble::LosesAnswer) => self.store.write(Box::new(Unheard(job))),
            Some(Trouble::DoesTwice) => self.store.write(Box::new(Twice(job))),
        }
    }

    fn is_embedded(&self) -> bool {
        self.store.is_embedded()
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        self.store.elsewhere()
    }

    fn figures(&self) -> Result<Vec<MetricFamily>> {
        self.store.figures()
    }

    fn read(&self, within: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        self.store.read(within, look)
    }
}

fn unsure() -> Error {
    Error::Unsure(Arc::new(io::Error::other("the server died")))
}

/// Done, and nobody is told.
struct Unheard(Box<dyn Job>);

impl Job for Unheard {
    fn within(&self) -> &[Within] {
        self.0.within()
    }

    fn run(&mut self, tx: &mut dyn Tx) -> Result<()> {
        self.0.run(tx)
    }

    fn finish(self: Box<Self>, outcome: Result<()>) {
        self.0.finish(outcome.and(Err(unsure())));
    }
}

/// Done, and done once more.
struct Twice(Box<dyn Job>);

impl Job for Twice {
    fn within(&self) -> &[Within] {
        self.0.within()
    }

    fn run(&mut self, tx: &mut dyn Tx) -> Result<()> {
        self.0.run(tx)?;
        self.0.run(tx)
    }

    fn finish(self: Box<Self>, outcome: Result<()>) {
        self.0.finish(outcome);
    }
}
