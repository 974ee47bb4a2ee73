//! The writer thread: takes what has gathered, runs it in one transaction, commits once, then tells everybody.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SendError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::figures::Figures;
use crate::sql::{Conn, Db};
use crate::{Error, Job, Result, Within};

/// Writes that share one commit.
const BATCH: usize = 256;
/// How long a stop waits for the writer. Together with the grace of open connections it is less than the ten seconds
/// that a stop may take [O6].
const LEAVE: Duration = Duration::from_secs(3);

/// What the writer asks of a database besides its statements.
pub trait Transactions: Conn + Send + 'static {
    /// Opens a transaction about these, each named once and in order.
    fn begin(&mut self, within: &[Within]) -> Result<()>;
    /// Before the commit: what is wrong with a write comes out here at the latest.
    fn send_writes(&self) -> Result<()>;
    fn commit(&mut self) -> Result<()>;
    fn rollback(&mut self) -> Result<()>;
    /// Whether others may write too: then what is known is held against their log at the beginning of each
    /// transaction.
    fn is_shared(&self) -> bool;
    /// After the last write.
    fn close(&mut self) -> Result<()>;
}

type Jobs = Receiver<Box<dyn Job>>;

/// The queue of writes and the thread that takes from it.
pub struct Writer {
    jobs: Option<Sender<Box<dyn Job>>>,
    /// The thread has it only while it takes from it.
    queue: Arc<Mutex<Jobs>>,
    figures: Arc<Figures>,
    thread: Option<JoinHandle<()>>,
    /// Says by its end that the thread has ended.
    ended: Mutex<Receiver<()>>,
}

impl Writer {
    /// What is in `held` is let go when the thread has ended, be it after the stop.
    pub fn start<C: Transactions>(
        db: Db<C>,
        figures: Arc<Figures>,
        held: impl Send + 'static,
    ) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        let (ends, ended) = mpsc::channel::<()>();
        let queue = Arc::new(Mutex::new(queue));
        let (taken, counted) = (Arc::clone(&queue), Arc::clone(&figures));
        let run = move || {
            run(db, &taken, &counted);
            drop(held);
            drop(ends);
        };
        let thread = thread::Builder::new().name("ygg-writer".to_owned()).spawn(run)?;
        Ok(Self { jobs: Some(jobs), queue, figures, thread: Some(thread), ended: Mutex::new(ended) })
    }

    pub fn write(&self, job: Box<dyn Job>) {
        let Some(jobs) = &self.jobs else { return job.finish(Err(Error::Closed)) };
        self.figures.writes_waiting.inc();
        if let Err(SendError(job)) = jobs.send(job) {
            self.figures.writes_waiting.dec();
            job.finish(Err(Error::Closed));
        }
    }
}

/// Lets the writer finish what is queued, within a time. Then what has not begun is not done; the batch under way is
/// left to the thread, which ends with it or with the process: it is done as a whole or not at all.
impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        // The last handle may go in a `finish`, on the writer's own thread: it ends by itself then.
        let Some(thread) = self.thread.take().filter(|writer| writer.thread().id() != thread::current().id())
        else {
            return;
        };
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        if ended.recv_timeout(LEAVE) == Err(RecvTimeoutError::Disconnected) {
            let _ = thread.join();
            return;
        }
        let left = take(&self.queue, usize::MAX, |queue| queue.try_recv().ok());
        tracing::warn!(
            undone = left.len(),
            "the database does not answer; what it was not asked yet is not done"
        );
        self.figures.writes_waiting.sub(left.len() as i64);
        finish_all(left, &Err(Error::Closed));
    }
}

fn run<C: Transactions>(mut db: Db<C>, queue: &Mutex<Jobs>, figures: &Figures) {
    loop {
        let batch = take(queue, BATCH, |queue| queue.recv().ok());
        if batch.is_empty() {
            break;
        }
        figures.writes_waiting.sub(batch.len() as i64);
        settle(&mut db, batch, figures);
    }
    if let Err(error) = db.conn.close() {
        tracing::warn!(%error, "the store did not close cleanly; nothing is lost");
    }
}

/// What has gathered, at most so many; the first is got as `first` says.
fn take(
    queue: &Mutex<Jobs>,
    most: usize,
    first: impl FnOnce(&Jobs) -> Option<Box<dyn Job>>,
) -> Vec<Box<dyn Job>> {
    let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    let mut taken: Vec<Box<dyn Job>> = first(&queue).into_iter().collect();
    while !taken.is_empty() && taken.len() < most {
        match queue.try_recv() {
            Ok(job) => taken.push(job),
            Err(_) => break,
        }
    }
    taken
}

/// Commits the batch and tells everybody. When one write of it fails, the others are tried by themselves.
fn settle<C: Transactions>(db: &mut Db<C>, mut batch: Vec<Box<dyn Job>>, figures: &Figures) {
    match commit(db, &mut batch, figures) {
        Ok(()) => finish_all(batch, &Ok(())),
        Err(Failed::Job(error)) if batch.len() > 1 => {
            tracing::warn!(%error, jobs = batch.len(), "a batch failed; its writes are tried one by one");
            let mut jobs = batch.into_iter();
            while let Some(job) = jobs.next() {
                let mut one = vec![job];
                match commit(db, &mut one, figures) {
                    Err(Failed::Database(error)) => {
                        one.extend(jobs);
                        return finish_all(one, &Err(error));
                    }
                    Err(Failed::Job(error)) => finish_all(one, &Err(error)),
                    Ok(()) => finish_all(one, &Ok(())),
                }
            }
        }
        Err(Failed::Job(error) | Failed::Database(error)) => finish_all(batch, &Err(error)),
    }
}

fn finish_all(jobs: Vec<Box<dyn Job>>, outcome: &Result<()>) {
    jobs.into_iter().for_each(|job| finish(job, outcome.clone()));
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

/// Why a batch was not committed.
enum Failed {
    /// One of its writes failed.
    Job(Error),
    /// No transaction could be opened or ended. That is not one write's doing, and after a commit whose answer was
    /// lost a second try might do everything twice.
    Database(Error),
}

fn commit<C: Transactions>(
    db: &mut Db<C>,
    batch: &mut [Box<dyn Job>],
    figures: &Figures,
) -> std::result::Result<(), Failed> {
    let mut within: Vec<Within> = batch.iter().flat_map(|job| job.within()).copied().collect();
    within.sort_unstable();
    within.dedup();
    db.conn.begin(&within).map_err(Failed::Database)?;
    if db.conn.is_shared() {
        db.forget_what_others_wrote(&within).map_err(Failed::Database)?;
    }
    let outcome = batch.iter_mut().try_for_each(|job| run_one(db, job.as_mut()));
    let outcome = outcome.and_then(|()| db.conn.send_writes()).map_err(Failed::Job);
    let outcome = outcome.and_then(|()| durable(db, batch.len(), figures).map_err(Failed::Database));
    if outcome.is_err() {
        db.forget();
        if let Err(error) = db.conn.rollback() {
            tracing::error!(%error, "a rollback failed");
        }
    }
    outcome
}

fn durable<C: Transactions>(db: &mut Db<C>, writes: usize, figures: &Figures) -> Result<()> {
    let begun = Instant::now();
    db.conn.commit()?;
    let took = begun.elapsed();
    figures.commit_seconds.observe(took.as_secs_f64());
    figures.commit_writes.observe(writes as f64);
    tracing::debug!(writes, micros = took.as_micros() as u64, "committed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Tx;
    use crate::sql::{Dialect, Enough, Row, Value};

    /// A database that has trouble where it is told to.
    #[derive(Default)]
    struct Troubled {
        begins: bool,
        commits: bool,
    }

    impl Conn for Troubled {
        fn dialect(&self) -> Dialect {
            Dialect::Sqlite
        }

        fn query(
            &self,
            _: &'static str,
            _: &[Value<'_>],
            _: &mut dyn FnMut(&Row<'_>) -> Result<Enough>,
        ) -> Result<()> {
            Ok(())
        }

        fn execute(&self, _: &'static str, _: &[Value<'_>]) -> Result<()> {
            Ok(())
        }
    }

    impl Transactions for Troubled {
        fn begin(&mut self, _: &[Within]) -> Result<()> {
            if self.begins { Ok(()) } else { Err(Error::Busy) }
        }

        fn send_writes(&self) -> Result<()> {
            Ok(())
        }

        fn commit(&mut self) -> Result<()> {
            if self.commits { Ok(()) } else { Err(Error::Full) }
        }

        fn rollback(&mut self) -> Result<()> {
            Ok(())
        }

        fn is_shared(&self) -> bool {
            true
        }

        fn close(&mut self) -> Result<()> {
            Ok(())
        }
    }

    struct Counted {
        runs: Arc<AtomicUsize>,
        told: Arc<Mutex<Vec<bool>>>,
        fails: bool,
    }

    impl Job for Counted {
        fn within(&self) -> &[Within] {
            &[Within::Server]
        }

        fn run(&mut self, _: &mut dyn Tx) -> Result<()> {
            self.runs.fetch_add(1, Ordering::SeqCst);
            if self.fails { Err(Error::Undone) } else { Ok(()) }
        }

        fn finish(self: Box<Self>, outcome: Result<()>) {
            self.told.lock().unwrap().push(outcome.is_ok());
        }
    }

    /// How often a write ran, and what each of three was told; the second fails by itself if it is to.
    fn settled(conn: Troubled, fails: bool) -> (usize, Vec<bool>) {
        let (runs, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let job = |fails| {
            Box::new(Counted { runs: Arc::clone(&runs), told: Arc::clone(&told), fails }) as Box<dyn Job>
        };
        settle(&mut Db::of_writer(conn), vec![job(false), job(fails), job(false)], &Figures::default());
        let told = told.lock().unwrap().clone();
        (runs.load(Ordering::SeqCst), told)
    }

    #[test]
    fn a_write_runs_again_only_when_it_cannot_have_been_committed() {
        let good = || Troubled { begins: true, commits: true };
        assert_eq!(settled(good(), false), (3, vec![true; 3]));
        assert_eq!(settled(good(), true), (2 + 3, vec![true, false, true]), "the others are tried alone");
        let unsure = Troubled { commits: false, ..good() };
        assert_eq!(settled(unsure, false), (3, vec![false; 3]), "the commit may have been done: never twice");
        let away = Troubled { begins: false, ..good() };
        assert_eq!(settled(away, false), (0, vec![false; 3]));
        // The first that is tried alone meets it; the others are told without waiting for the same.
        let unsure = Troubled { commits: false, ..good() };
        assert_eq!(settled(unsure, true), (2 + 1, vec![false; 3]));
    }
}
