//! The store on one SQLite file: a writer thread with group commit, readers beside it [O1].

mod conn;
mod migrate;
mod writer;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use conn::SqliteConn;

use crate::sql::Db;
use crate::{Error, Job, Result, Rows, Store, Within};

/// Connections kept open for readers.
const IDLE_READERS: usize = 8;

pub struct Sqlite {
    path: PathBuf,
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    writer: Option<JoinHandle<()>>,
    readers: Mutex<Vec<Db<SqliteConn>>>,
    /// Held for as long as the store is open, so that one process alone writes the file.
    _lock: File,
}

impl Sqlite {
    /// Opens the file, making it when it is not there, and brings it to the newest shape.
    pub fn open(path: &Path) -> Result<Self> {
        let lock = lock(path)?;
        let mut conn = SqliteConn::open(path)?;
        migrate::migrate(&mut conn.0)?;
        let db = Db::new(conn);
        let (jobs, queue) = mpsc::channel();
        let writer = thread::Builder::new()
            .name("ygg-writer".to_owned())
            .spawn(move || writer::run(db, &queue))
            .map_err(|problem| file_error(path, &problem))?;
        Ok(Self {
            path: path.to_owned(),
            jobs: Some(jobs),
            writer: Some(writer),
            readers: Mutex::new(Vec::new()),
            _lock: lock,
        })
    }

    fn reader(&self) -> Result<Db<SqliteConn>> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(db) => Ok(db),
            None => {
                let conn = SqliteConn::open(&self.path)?;
                conn.0.pragma_update(None, "query_only", true)?;
                Ok(Db::new(conn))
            }
        }
    }

    fn give_back(&self, db: Db<SqliteConn>) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < IDLE_READERS {
            readers.push(db);
        }
    }
}

impl Store for Sqlite {
    fn write(&self, job: Box<dyn Job>) {
        let Some(jobs) = &self.jobs else { return job.finish(Err(Error::Closed)) };
        if let Err(mpsc::SendError(job)) = jobs.send(job) {
            job.finish(Err(Error::Closed));
        }
    }

    fn read(&self, _: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        let db = self.reader()?;
        db.conn.0.execute_batch("BEGIN")?;
        let outcome = look(&db);
        db.conn.0.execute_batch("COMMIT")?;
        self.give_back(db);
        outcome
    }
}

/// Lets the writer finish what is queued.
impl Drop for Sqlite {
    fn drop(&mut self) {
        self.jobs = None;
        // The last handle may go in a `finish`, on the writer's own thread: it ends by itself then.
        if let Some(writer) =
            self.writer.take().filter(|writer| writer.thread().id() != thread::current().id())
        {
            let _ = writer.join();
        }
    }
}

fn lock(path: &Path) -> Result<File> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let beside = PathBuf::from(beside);
    let file = File::create(&beside).map_err(|problem| file_error(&beside, &problem))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { path: path.display().to_string() }),
        Err(TryLockError::Error(problem)) => Err(file_error(&beside, &problem)),
    }
}

fn file_error(path: &Path, problem: &std::io::Error) -> Error {
    Error::File { path: path.display().to_string(), problem: problem.to_string() }
}
