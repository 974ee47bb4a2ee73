//! The store on PostgreSQL: the same statements, one batching writer, and the database's own wall between
//! workspaces [O2].

mod config;
mod conn;
mod migrate;
mod role;
mod scratch;
mod tls;
mod trouble;

pub use config::Config;
pub use scratch::Scratch;

use std::sync::Arc;

use conn::PostgresConn;
use ygg_domain::workspace::WorkspaceKey;

use crate::figures::{Figures, MetricFamily};
use crate::readers::Readers;
use crate::sql::{Db, params};
use crate::writer::{Transactions, Writer};
use crate::{Elsewhere, Error, Job, Result, Rows, Store, Within};

pub struct Postgres {
    config: Config,
    writer: Writer,
    readers: Readers<PostgresConn>,
    figures: Arc<Figures>,
}

impl Postgres {
    /// Connects and brings the database to the newest shape. Blocks: not for an async thread.
    pub fn open(config: &Config) -> Result<Self> {
        let mut conn = PostgresConn::open(config)?;
        role::check(&conn)?;
        migrate::migrate(&mut conn, migrate::STEPS)?;
        let figures = Arc::<Figures>::default();
        let writer = Writer::start(Db::of_writer(conn), Arc::clone(&figures), ()).map_err(Error::database)?;
        Ok(Self { config: config.clone(), writer, readers: Readers::new(Arc::clone(&figures)), figures })
    }
}

impl Store for Postgres {
    fn write(&self, job: Box<dyn Job>) {
        self.writer.write(job);
    }

    fn is_embedded(&self) -> bool {
        false
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        Some(self)
    }

    fn figures(&self) -> Result<Vec<MetricFamily>> {
        let open = || PostgresConn::open(&self.config);
        let size = |db: &mut Db<PostgresConn>| {
            db.conn.begin("BEGIN READ ONLY")?;
            let size = db.one("SELECT pg_database_size(current_database())", &[], |row| row.get(0));
            db.conn.batch("COMMIT")?;
            size
        };
        self.figures.size_bytes.set(self.readers.with(open, |conn| !conn.is_closed(), size)?.unwrap_or(0));
        Ok(self.figures.families())
    }

    fn read(&self, within: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        self.readers.with(
            || PostgresConn::open(&self.config),
            |conn| !conn.is_closed(),
            |db| {
                let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {}", scope(&[within]));
                db.conn.begin(&begin)?;
                let seen = look(db);
                db.conn.batch("COMMIT")?;
                seen
            },
        )
    }
}

impl Elsewhere for Postgres {
    fn ends_of_logs(&self, of: &[WorkspaceKey]) -> Result<Vec<(WorkspaceKey, i64)>> {
        let keys: Vec<String> = of.iter().map(|key| key.0.to_string()).collect();
        let keys = keys.join(" ");
        let ask = |db: &mut Db<PostgresConn>| {
            db.conn.begin(&format!("BEGIN READ ONLY; {}", scope(&[Within::Server])))?;
            let ends = db.many(ENDS, params![keys], |row| Ok((WorkspaceKey(row.get(0)?), row.get(1)?)));
            db.conn.batch("COMMIT")?;
            ends
        };
        self.readers.with(|| PostgresConn::open(&self.config), |conn| !conn.is_closed(), ask)
    }
}

/// A step down an index for each workspace that is asked about.
const ENDS: &str = "SELECT key, (SELECT coalesce(max(seq), 0) FROM log WHERE workspace = key) FROM workspaces \
                    WHERE key = ANY (string_to_array(?1, ' ')::BIGINT[])";

/// Names the workspaces whose rows the transaction may touch; `*` is the server itself.
fn scope(within: &[Within]) -> String {
    let keys: Option<Vec<String>> = within
        .iter()
        .map(|within| match within {
            Within::Server => None,
            Within::Workspace(key) => Some(key.0.to_string()),
        })
        .collect();
    let named = keys.map_or_else(|| "*".to_owned(), |keys| keys.join(" "));
    format!("SELECT set_config('ygg.scope', '{named}', true);")
}

impl Transactions for PostgresConn {
    /// One writer at a time for each workspace, whichever node it runs on. Locks are taken in order of key, so that
    /// two batches never wait for each other; the server's own is 0.
    fn begin(&mut self, within: &[Within]) -> Result<()> {
        let mut begin = format!("BEGIN; {}", scope(within));
        for within in within {
            let key = match within {
                Within::Server => 0,
                Within::Workspace(key) => key.0,
            };
            begin.push_str(&format!(" SELECT pg_advisory_xact_lock({key});"));
        }
        Self::begin(self, &begin).inspect_err(|_| self.give_up())
    }

    fn send_writes(&self) -> Result<()> {
        self.flush()
    }

    fn commit(&mut self) -> Result<()> {
        match self.batch("COMMIT") {
            Err(Error::Database(cause)) if self.is_closed() => Err(Error::Unsure(cause)),
            done => done,
        }
    }

    /// A connection that is gone took its transaction with it.
    fn rollback(&mut self) -> Result<()> {
        self.drop_writes();
        if self.is_closed() || self.batch("ROLLBACK").is_ok() {
            return Ok(());
        }
        self.give_up();
        Ok(())
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
