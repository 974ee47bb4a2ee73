//! The store on one SQLite file: a writer thread with group commit, readers beside it [O1].

mod conversation;
mod credits;
mod delivery;
mod group;
mod key;
mod log;
mod message;
mod migrate;
mod notice;
mod participant;
mod row;
mod sent;
mod task;
mod topic;
mod turn;
mod tx;
mod wake;
mod workspace;
mod writer;

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, Params, Row};
use ygg_domain::workspace::WorkspaceKey;

use crate::{Error, Job, Result, Rows, Store};

/// Connections kept open for readers.
const IDLE_READERS: usize = 8;
/// Prepared statements kept per connection: more than there are texts.
const STATEMENTS: usize = 256;

pub struct Sqlite {
    path: PathBuf,
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    writer: Option<JoinHandle<()>>,
    readers: Mutex<Vec<Db>>,
    /// Held for as long as the store is open, so that one process alone writes the file.
    _lock: File,
}

impl Sqlite {
    /// Opens the file, making it when it is not there, and brings it to the newest shape.
    pub fn open(path: &Path) -> Result<Self> {
        let lock = lock(path)?;
        let mut db = Db::open(path)?;
        migrate::migrate(&mut db.conn)?;
        let (jobs, queue) = mpsc::channel();
        let writer = std::thread::Builder::new()
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

    fn reader(&self) -> Result<Db> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(db) => Ok(db),
            None => {
                let db = Db::open(&self.path)?;
                db.conn.pragma_update(None, "query_only", true)?;
                Ok(db)
            }
        }
    }

    fn give_back(&self, db: Db) {
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

    fn read(&self, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        let db = self.reader()?;
        db.conn.execute_batch("BEGIN")?;
        let outcome = look(&db);
        db.conn.execute_batch("COMMIT")?;
        self.give_back(db);
        outcome
    }
}

/// Lets the writer finish what is queued.
impl Drop for Sqlite {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn lock(path: &Path) -> Result<File> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let beside = PathBuf::from(beside);
    let file = File::create(&beside).map_err(|problem| file_error(&beside, &problem))?;
    file.try_lock().map_err(|_| Error::File {
        path: path.display().to_string(),
        problem: "another ygg has this database open; stop it first".to_owned(),
    })?;
    Ok(file)
}

fn file_error(path: &Path, problem: &std::io::Error) -> Error {
    Error::File { path: path.display().to_string(), problem: problem.to_string() }
}

/// One connection. The writer's also counts the log of each workspace.
struct Db {
    conn: Connection,
    seqs: HashMap<WorkspaceKey, i64>,
}

impl Db {
    fn open(path: &Path) -> Result<Self> {
        let conn = Connection::open(path)?;
        conn.set_prepared_statement_cache_capacity(STATEMENTS);
        conn.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 10000;
             PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY;",
        )?;
        Ok(Self { conn, seqs: HashMap::new() })
    }

    fn one<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        rows.next()?.map(read).transpose()
    }

    fn many<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }

    fn run(&self, sql: &'static str, params: impl Params) -> Result<usize> {
        Ok(self.conn.prepare_cached(sql)?.execute(params)?)
    }
}
