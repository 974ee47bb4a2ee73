//! The store on one SQLite file: a writer thread with group commit, readers beside it [O1].

mod conn;
mod copy;
mod lock;
mod migrate;
mod wal;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use conn::SqliteConn;
use lock::Locked;
use rusqlite::MAIN_DB;

use crate::figures::{Figures, MetricFamily};
use crate::readers::Readers;
use crate::sql::Db;
use crate::writer::{Transactions, Writer};
use crate::{Elsewhere, Error, Job, Result, Rows, Store, Within};

pub struct Sqlite {
    writer: Writer,
    readers: Readers<SqliteConn>,
    /// Apart, so that signing in never waits behind long looks.
    sign_ins: Readers<SqliteConn>,
    figures: Arc<Figures>,
    /// Last, so that nobody else has the file before all connections are closed; the writer's thread has it too.
    file: Arc<Locked>,
}

impl Sqlite {
    /// Opens the file, making it when it is not there, and brings it to the newest shape.
    pub fn open(named: &Path) -> Result<Self> {
        let file = Arc::new(Locked::take(named)?);
        copy::clear(&file.path);
        let unusable =
            |error: Error| Error::File { path: named.display().to_string(), problem: error.to_string() };
        let mut conn = SqliteConn::open(&file.path).map_err(unusable)?;
        if conn.0.is_readonly(MAIN_DB)? {
            let problem =
                "this file cannot be written: give it, and its folder, to the user that ygg runs as";
            return Err(Error::File { path: named.display().to_string(), problem: problem.to_owned() });
        }
        migrate::migrate(&mut conn.0, &file.path, migrate::STEPS)?;
        let figures = Arc::<Figures>::default();
        let (readers, sign_ins) = (Readers::new(Arc::clone(&figures)), Readers::new(Arc::clone(&figures)));
        let writer = Writer::start(Db::of_writer(conn), Arc::clone(&figures), Arc::clone(&file))
            .map_err(|problem| Error::file(named, &problem))?;
        Ok(Self { writer, readers, sign_ins, figures, file })
    }

    fn reader(&self) -> Result<SqliteConn> {
        let conn = SqliteConn::open(&self.file.path)?;
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

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        None
    }

    fn figures(&self) -> Result<Vec<MetricFamily>> {
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len() as i64);
        self.figures.size_bytes.set(size(&self.file.path));
        self.figures.wal_bytes.set(size(&beside(&self.file.path, "-wal")));
        Ok(self.figures.families())
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

    fn send_writes(&self) -> Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        match self.0.execute_batch("COMMIT").map_err(Error::from) {
            // A disk that fails may have kept it all the same.
            Err(Error::Database(cause)) => return Err(Error::Unsure(cause)),
            done => done?,
        }
        self.1.fold_if_erased(&self.0);
        self.1.fold_if_long(&self.0);
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        // A full disk, or one that fails, ends a transaction by itself.
        if self.0.is_autocommit() { Ok(()) } else { Ok(self.0.execute_batch("ROLLBACK")?) }
    }

    fn is_shared(&self) -> bool {
        false
    }

    /// Leaves one file behind on a clean stop.
    fn close(&mut self) -> Result<()> {
        Ok(self.0.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?)
    }
}

/// The file that SQLite keeps next to a database under this ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ygg_domain::name::Slug;
    use ygg_domain::policy::Policy;
    use ygg_domain::time::Timestamp;

    use super::*;
    use crate::Tx;
    use crate::workspace::Workspaces;

    /// A database that takes no more than it holds already, or nothing at all, as a disk would have it.
    fn troubled(pragma: &str, value: i64) -> (tempfile::TempDir, Db<SqliteConn>) {
        let folder = tempfile::tempdir().unwrap();
        let mut conn = SqliteConn::open(&folder.path().join("ygg.db")).unwrap();
        migrate::migrate(&mut conn.0, Path::new("ygg.db"), migrate::STEPS).unwrap();
        conn.0.pragma_update(None, pragma, value).unwrap();
        (folder, Db::of_writer(conn))
    }

    /// Workspaces in one transaction, until they do not fit.
    fn write(db: &mut Db<SqliteConn>) -> Result<()> {
        db.conn.begin(&[])?;
        let written = (0..2_000).try_for_each(|number| {
            let slug: Slug = format!("number-{number}").parse().unwrap();
            db.create_workspace(&slug, &Policy::default(), Timestamp(0)).map(drop)
        });
        let written = written.and_then(|()| db.conn.commit());
        if written.is_err() {
            db.conn.rollback().expect("nothing stands in the way of undoing");
        }
        written
    }

    #[test]
    fn a_disk_that_is_full_or_read_only_is_told_and_overcome() {
        let (_folder, mut db) = troubled("max_page_count", 1);
        assert!(matches!(write(&mut db), Err(Error::Full)));
        assert_eq!(db.workspaces().unwrap().len(), 0, "nothing is half done");
        db.conn.0.pragma_update(None, "max_page_count", 1_000_000).unwrap();
        write(&mut db).unwrap();

        let (_folder, mut db) = troubled("query_only", 1);
        assert!(matches!(write(&mut db), Err(Error::ReadOnly(_))));
        db.conn.0.pragma_update(None, "query_only", 0).unwrap();
        write(&mut db).unwrap();
    }

    #[test]
    fn a_file_that_stays_locked_is_told_and_nothing_stored() {
        let (folder, mut db) = troubled("query_only", 0);
        db.conn.0.busy_timeout(Duration::from_millis(20)).unwrap();
        let other = rusqlite::Connection::open(folder.path().join("ygg.db")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let error = write(&mut db).unwrap_err();
        assert!(matches!(error, Error::Locked), "{error:?}");
        assert!(error.advice().contains("nothing was stored"), "{}", error.advice());
        assert_eq!(db.workspaces().unwrap().len(), 0, "readers go on");
        drop(other);
        write(&mut db).unwrap();
    }
}
