//! Keeps the write-ahead log from growing without end: as long as readers overlap, SQLite never begins it anew by
//! itself.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::conn::BUSY;
use super::lock::beside;

/// Far above what it grows to when readers pause.
const LIMIT_BYTES: u64 = 32 * 1024 * 1024;
/// How long writers wait for the readers of the moment. New readers do not matter: they find all in the file.
const PATIENCE: Duration = Duration::from_millis(250);

/// When it is tried again to fold what was erased.
const AGAIN: Duration = Duration::from_secs(5);

pub struct Wal {
    path: PathBuf,
    limit_bytes: u64,
    /// When it is to be folded next.
    next_bytes: u64,
    /// Something was erased that stands in it still: when it is to be folded for that.
    erased: Cell<Option<Instant>>,
}

impl Wal {
    pub fn of(database: &Path) -> Self {
        let (path, erased) = (beside(database, "-wal"), Cell::new(None));
        Self { path, limit_bytes: LIMIT_BYTES, next_bytes: LIMIT_BYTES, erased }
    }

    /// What the open transaction erases stands in the log as it was before, until it is folded.
    pub fn note_erased(&self) {
        self.erased.set(Some(Instant::now()));
    }

    /// To be called between transactions. A reader that stays long is asked again later.
    pub fn fold_if_erased(&mut self, conn: &Connection) {
        if self.erased.get().is_none_or(|at| Instant::now() < at) {
            return;
        }
        match fold(conn) {
            Ok(true) => {
                self.erased.set(None);
                self.next_bytes = self.limit_bytes;
            }
            Ok(false) => self.erased.set(Some(Instant::now() + AGAIN)),
            Err(error) => {
                tracing::warn!(%error, "what was erased is still in the log of the database");
                self.erased.set(Some(Instant::now() + AGAIN));
            }
        }
    }

    /// To be called between transactions. A reader that stays long is not waited for each time.
    pub fn fold_if_long(&mut self, conn: &Connection) {
        let bytes = fs::metadata(&self.path).map_or(0, |file| file.len());
        if bytes < self.next_bytes {
            return;
        }
        self.next_bytes = match fold(conn) {
            Ok(true) => self.limit_bytes,
            Ok(false) => {
                tracing::warn!(bytes, "somebody reads for long, and the log of the database grows");
                bytes + self.limit_bytes
            }
            Err(error) => {
                tracing::warn!(%error, bytes, "the log of the database could not be folded in");
                bytes + self.limit_bytes
            }
        };
    }
}

/// Whether all of it is in the file now.
fn fold(conn: &Connection) -> rusqlite::Result<bool> {
    conn.busy_timeout(PATIENCE)?;
    let busy = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    conn.busy_timeout(BUSY)?;
    Ok(busy? == 0)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;
    use crate::sqlite::conn::SqliteConn;
    use crate::writer::Transactions;

    const LIMIT: u64 = 256 * 1024;

    struct Place {
        folder: tempfile::TempDir,
        writer: SqliteConn,
    }

    impl Place {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = SqliteConn::open(&folder.path().join("ygg.db")).unwrap();
            writer.0.execute_batch("CREATE TABLE things (thing BLOB)").unwrap();
            writer.1.limit_bytes = LIMIT;
            writer.1.next_bytes = LIMIT;
            Self { folder, writer }
        }

        fn reader(&self) -> Connection {
            SqliteConn::open(&self.folder.path().join("ygg.db")).unwrap().0
        }

        /// Some 64 KiB.
        fn write(&mut self) {
            self.writer.begin(&[]).unwrap();
            self.writer.0.execute_batch("INSERT INTO things VALUES (zeroblob(65536))").unwrap();
            self.writer.commit().unwrap();
        }

        fn wal_bytes(&self) -> u64 {
            fs::metadata(self.folder.path().join("ygg.db-wal")).unwrap().len()
        }
    }

    fn begin(reader: &Connection) {
        reader.execute_batch("BEGIN; SELECT count(*) FROM things").unwrap();
    }

    #[test]
    fn readers_that_never_pause_do_not_let_it_grow() {
        let mut place = Place::new();
        let stop = AtomicBool::new(false);
        let (one, two) = (place.reader(), place.reader());
        std::thread::scope(|scope| {
            let (begun, wait) = mpsc::channel();
            // One of the two reads at any time.
            let stop = &stop;
            scope.spawn(move || {
                begin(&one);
                begun.send(()).unwrap();
                let (mut now, mut next) = (one, two);
                while !stop.load(Ordering::SeqCst) {
                    begin(&next);
                    now.execute_batch("COMMIT").unwrap();
                    std::mem::swap(&mut now, &mut next);
                }
            });
            wait.recv().unwrap();
            for _ in 0..100 {
                place.write();
                assert!(place.wal_bytes() < 8 * LIMIT, "{} bytes", place.wal_bytes());
            }
            stop.store(true, Ordering::SeqCst);
        });
    }

    #[test]
    fn one_that_reads_for_long_holds_nobody_up_and_then_it_is_folded() {
        let mut place = Place::new();
        let reader = place.reader();
        begin(&reader);
        for _ in 0..10 {
            place.write();
        }
        assert!(place.wal_bytes() > LIMIT, "what the reader sees is kept");
        reader.execute_batch("COMMIT").unwrap();
        for _ in 0..10 {
            place.write();
        }
        assert!(place.wal_bytes() < 2 * LIMIT, "{} bytes", place.wal_bytes());
    }
}
