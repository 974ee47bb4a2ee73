//! Where a scenario's store is kept between one start of the process and the next.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use ygg_store::memory::Memory;
use ygg_store::postgres::{Postgres, Scratch};
use ygg_store::sqlite::Sqlite;
use ygg_store::{Error, Store};

use crate::level::Servers;

/// How long a process that ended may take to let go of its file.
const LET_GO: Duration = Duration::from_secs(10);

pub enum Shelf {
    /// The world outlives the process: what is not in the store is lost all the same.
    Memory(Arc<Memory>),
    Sqlite {
        path: PathBuf,
        _folder: TempDir,
    },
    Postgres(Arc<Scratch>),
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Shelf {
    pub fn memory() -> Self {
        Self::Memory(Arc::new(Memory::new()))
    }

    pub fn sqlite() -> Result<Self, String> {
        let folder = tempfile::Builder::new().prefix("ygg-scenario").tempdir();
        let folder = folder.map_err(|error| format!("no folder for a private store: {error}"))?;
        Ok(Self::Sqlite { path: folder.path().join("ygg.db"), _folder: folder })
    }

    pub async fn postgres(servers: &Servers) -> Result<Self, String> {
        let server = servers.postgres.clone().ok_or("no PostgreSQL server is named")?;
        let name = format!("ygg_scenario_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
        let made = tokio::task::spawn_blocking(move || Scratch::create(&server, &name)).await;
        let made = made.map_err(|error| format!("making a database broke: {error}"))?;
        made.map(|scratch| Self::Postgres(Arc::new(scratch)))
            .map_err(|error| format!("PostgreSQL makes no private database: {error}"))
    }

    pub async fn open(&self) -> Result<Arc<dyn Store>, String> {
        match self {
            Self::Memory(memory) => Ok(Arc::clone(memory) as Arc<dyn Store>),
            Self::Sqlite { path, .. } => {
                let begun = Instant::now();
                loop {
                    match Sqlite::open(path) {
                        Ok(store) => return Ok(Arc::new(store)),
                        // The writer of the process before may still be at its last commit.
                        Err(Error::InUse { .. }) if begun.elapsed() < LET_GO => {
                            tokio::task::yield_now().await;
                        }
                        Err(error) => return Err(format!("the private store does not open: {error}")),
                    }
                }
            }
            Self::Postgres(scratch) => {
                let scratch = Arc::clone(scratch);
                let opened = tokio::task::spawn_blocking(move || Postgres::open(scratch.config())).await;
                let opened = opened.map_err(|error| format!("opening the database broke: {error}"))?;
                let opened =
                    opened.map_err(|error| format!("the private database does not open: {error}"))?;
                Ok(Arc::new(opened))
            }
        }
    }

    /// Waits until nobody holds the store of a process that ended.
    pub async fn close(&self, open: &Weak<dyn Store>) {
        let kept = match self {
            Self::Memory(_) => 1,
            Self::Sqlite { .. } | Self::Postgres(_) => 0,
        };
        let begun = Instant::now();
        while open.strong_count() > kept && begun.elapsed() < LET_GO {
            tokio::task::yield_now().await;
        }
    }
}
