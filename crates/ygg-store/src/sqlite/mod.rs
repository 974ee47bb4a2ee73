//! The store on one SQLite file: a writer thread with group commit, readers beside it [O1].

mod conn;
mod migrate;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use conn::SqliteConn;

use crate::readers::Readers;
use crate::sql::Db;
use crate::writer::{Transactions, Writer};
use crate::{Error, Job, Result, Rows, Store, Within};

pub struct Sqlite {
    path: PathBuf,
    writer: Writer,
    readers: Readers<SqliteConn>,
    /// Apart, so that signing in never waits behind long looks.
    sign_ins: Readers<SqliteConn>,
    /// Held for as long as the store is open, so that one process alone writes the file.
    _lock: File,
}

impl Sqlite {
    /// Opens the file, making it when it is not there, and brings it to the newest shape.
    pub fn open(path: &Path) -> Result<Self> {
        let lock = lock(path)?;
        let mut conn = SqliteConn::open(path)?;
        migrate::migrate(&mut conn.0)?;
        let writer = Writer::start(Db::new(conn)).map_err(|problem| file_error(path, &problem))?;
        Ok(Self {
            path: path.to_owned(),
            writer,
            readers: Readers::new(),
            sign_ins: Readers::new(),
            _lock: lock,
        })
    }

    fn reader(&self) -> Result<SqliteConn> {
        let conn = SqliteConn::open(&self.path)?;
        conn.0.pragma_update(None, "query_only", true)?;
        Ok(conn)
    }
}

impl Store for Sqlite {
    fn write(&self, job: Box<dyn Job>) {
        self.writer.write(job);
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn read(&self, within: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        // A connection in the middle of a transaction is not lent again: its look panicked or failed to end it.
        let is_fit = |conn: &SqliteConn| conn.0.is_autocommit();
        let readers = match within {
            Within::Server => &self.sign_ins,
            Within::Workspace(_) => &self.readers,
        };
        readers.with(
            || self.reader(),
            is_fit,
            |db| {
                db.conn.0.execute_batch("BEGIN")?;
                let seen = look(db);
                db.conn.0.execute_batch("COMMIT")?;
                seen
            },
        )
    }
}

impl Transactions for SqliteConn {
    fn begin(&mut self, _: &[Within]) -> Result<()> {
        Ok(self.0.execute_batch("BEGIN IMMEDIATE")?)
    }

    fn commit(&mut self) -> Result<()> {
        Ok(self.0.execute_batch("COMMIT")?)
    }

    fn rollback(&mut self) -> Result<()> {
        Ok(self.0.execute_batch("ROLLBACK")?)
    }

    fn is_shared(&self) -> bool {
        false
    }

    /// Leaves one file behind on a clean stop.
    fn close(&mut self) -> Result<()> {
        Ok(self.0.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?)
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
