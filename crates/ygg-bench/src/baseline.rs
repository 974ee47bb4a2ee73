//! "Bare SQLite": what the disk and the database allow when nothing is asked or decided. The same rows as real sends,
//! or the three plain rows of one message, in one commit each or with commits shared by a writer thread.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, Result};
use rusqlite::{Connection, params};
use tokio::sync::oneshot;
use ygg_store::sqlite::Sqlite;

use crate::load::Lane;
use crate::recording::Recording;
use crate::traffic::TEXT_BYTES;

/// Messages that share a commit at most, as in the store.
const BATCH: usize = 256;

/// Which rows one message is.
#[derive(Clone)]
pub enum Rows {
    /// Those of real sends, again and again, each time in another workspace.
    Same(Arc<Recording>),
    /// A message, its delivery and its line in a log.
    Plain,
}

/// A connection that writes rows as the store's writer does, without everything else.
struct Bare {
    conn: Connection,
    rows: Rows,
    written: usize,
    text: String,
}

impl Bare {
    fn open(file: &Path, rows: Rows) -> Result<Self> {
        if let Rows::Same(_) = rows {
            // Makes the tables and indexes.
            drop(Sqlite::open(file)?);
        }
        let conn = Connection::open(file)?;
        conn.set_prepared_statement_cache_capacity(256);
        conn.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;",
        )?;
        if let Rows::Plain = rows {
            conn.execute_batch(
                "CREATE TABLE messages (id TEXT PRIMARY KEY, sender TEXT, at INTEGER, text TEXT) WITHOUT ROWID;
                 CREATE TABLE deliveries (recipient TEXT, seq INTEGER, message TEXT, PRIMARY KEY (recipient, seq)) WITHOUT ROWID;
                 CREATE TABLE log (seq INTEGER PRIMARY KEY, kind TEXT, message TEXT);",
            )?;
        }
        Ok(Self { conn, rows, written: 0, text: "x".repeat(TEXT_BYTES) })
    }

    fn write(&mut self) -> Result<()> {
        let number = self.written;
        self.written += 1;
        match &self.rows {
            Rows::Same(recording) => {
                let send = &recording.sends[number % recording.sends.len()];
                // A round's ids are those of the round before: another workspace keeps them apart.
                let workspace = i64::try_from(number / recording.sends.len())? + 1;
                for write in send {
                    let mut statement = self.conn.prepare_cached(write.sql)?;
                    statement.raw_bind_parameter(1, workspace)?;
                    for (place, value) in (2..).zip(&write.values) {
                        statement.raw_bind_parameter(place, value)?;
                    }
                    statement.raw_execute()?;
                }
            }
            Rows::Plain => {
                let (seq, id) = (i64::try_from(number)?, format!("msg_{number:026}"));
                let agents = (format!("agent-{:02}", number % 32), format!("agent-{:02}", number * 7 % 32));
                let mut message = self.conn.prepare_cached("INSERT INTO messages VALUES (?1, ?2, ?3, ?4)")?;
                message.execute(params![id, agents.0, seq, self.text])?;
                let mut delivery = self.conn.prepare_cached("INSERT INTO deliveries VALUES (?1, ?2, ?3)")?;
                delivery.execute(params![agents.1, seq, id])?;
                let mut log = self.conn.prepare_cached("INSERT INTO log VALUES (?1, 'posted', ?2)")?;
                log.execute(params![seq, id])?;
            }
        }
        Ok(())
    }

    fn commit(&mut self, messages: usize) -> Result<()> {
        self.conn.execute_batch("BEGIN IMMEDIATE")?;
        for _ in 0..messages {
            self.write()?;
        }
        self.conn.execute_batch("COMMIT")?;
        Ok(())
    }
}

/// One connection, one commit for each message, no thread between.
pub struct OneCommit(Bare);

impl OneCommit {
    pub fn open(file: &Path, rows: Rows) -> Result<Self> {
        Ok(Self(Bare::open(file, rows)?))
    }
}

impl Lane for OneCommit {
    async fn send(&mut self) -> Result<()> {
        tokio::task::block_in_place(|| self.0.commit(1))
    }
}

type Done = oneshot::Sender<()>;

/// A sender that has its message written by the thread that all share.
pub struct GroupLane(Sender<Done>);

/// The writer ends with the last lane.
pub fn group(file: &Path, rows: Rows, lanes: usize) -> Result<Vec<GroupLane>> {
    let mut bare = Bare::open(file, rows)?;
    let (queue, jobs) = channel();
    thread::spawn(move || write_all(&mut bare, &jobs));
    Ok((0..lanes).map(|_| GroupLane(queue.clone())).collect())
}

fn write_all(bare: &mut Bare, jobs: &Receiver<Done>) {
    while let Ok(first) = jobs.recv() {
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(BATCH - 1));
        if let Err(error) = bare.commit(batch.len()) {
            eprintln!("the baseline could not write: {error:#}");
            return;
        }
        for done in batch {
            let _ = done.send(());
        }
    }
}

impl Lane for GroupLane {
    async fn send(&mut self) -> Result<()> {
        let (done, written) = oneshot::channel();
        self.0.send(done).ok().context("the writer of the baseline is gone")?;
        Ok(written.await?)
    }
}
