//! The writer thread: takes what has gathered, runs it in one transaction, commits once, then tells everybody.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::thread::{self, JoinHandle};

use crate::sql::{Conn, Db};
use crate::{Error, Job, Result, Within};

/// Writes that share one commit.
const BATCH: usize = 256;

/// What the writer asks of a database besides its statements.
pub trait Transactions: Conn + Send + 'static {
    /// Opens a transaction about these, each named once and in order.
    fn begin(&mut self, within: &[Within]) -> Result<()>;
    fn commit(&mut self) -> Result<()>;
    fn rollback(&mut self) -> Result<()>;
    /// Whether others may write too: then nothing is remembered from one transaction to the next.
    fn is_shared(&self) -> bool;
    /// After the last write.
    fn close(&mut self) -> Result<()>;
}

/// The queue of writes and the thread that takes from it.
pub struct Writer {
    jobs: Option<Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start<C: Transactions>(db: Db<C>) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        let thread = thread::Builder::new().name("ygg-writer".to_owned()).spawn(move || run(db, &queue))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    pub fn write(&self, job: Box<dyn Job>) {
        let Some(jobs) = &self.jobs else { return job.finish(Err(Error::Closed)) };
        if let Err(SendError(job)) = jobs.send(job) {
            job.finish(Err(Error::Closed));
        }
    }
}

/// Lets the writer finish what is queued.
impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        // The last handle may go in a `finish`, on the writer's own thread: it ends by itself then.
        if let Some(thread) =
            self.thread.take().filter(|writer| writer.thread().id() != thread::current().id())
        {
            let _ = thread.join();
        }
    }
}

fn run<C: Transactions>(mut db: Db<C>, queue: &Receiver<Box<dyn Job>>) {
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
    if let Err(error) = db.conn.close() {
        tracing::warn!(%error, "the store did not close cleanly; nothing is lost");
    }
}

fn alone<C: Transactions>(db: &mut Db<C>, job: Box<dyn Job>) {
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

fn run_one<C: Transactions>(db: &mut Db<C>, job: &mut dyn Job) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| job.run(db))).unwrap_or(Err(Error::Panicked))
}

fn commit<C: Transactions>(db: &mut Db<C>, batch: &mut [Box<dyn Job>]) -> Result<()> {
    let mut within: Vec<Within> = batch.iter().map(|job| job.within()).collect();
    within.sort_unstable();
    within.dedup();
    if db.conn.is_shared() {
        db.forget_seqs();
    }
    db.conn.begin(&within)?;
    let outcome = batch.iter_mut().try_for_each(|job| run_one(db, job.as_mut()));
    let outcome = outcome.and_then(|()| db.conn.commit());
    if outcome.is_err() {
        db.forget_seqs();
        if let Err(error) = db.conn.rollback() {
            tracing::error!(%error, "a rollback failed");
        }
    }
    outcome
}
