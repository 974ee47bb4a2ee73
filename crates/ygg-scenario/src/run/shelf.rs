//! Where a scenario's store is kept between one start of the process and the next.

use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use ygg_store::memory::Memory;
use ygg_store::sqlite::Sqlite;
use ygg_store::{Error, Store};

/// How long a process that ended may take to let go of its file.
const LET_GO: Duration = Duration::from_secs(10);

pub enum Shelf {
    /// The world outlives the process: what is not in the store is lost all the same.
    Memory(Arc<Memory>),
    Sqlite {
        path: PathBuf,
        _folder: TempDir,
    },
}

impl Shelf {
    pub fn memory() -> Self {
        Self::Memory(Arc::new(Memory::new()))
    }

    pub fn sqlite() -> Result<Self, String> {
        let folder = tempfile::Builder::new().prefix("ygg-scenario").tempdir();
        let folder = folder.map_err(|error| format!("no folder for a private store: {error}"))?;
        Ok(Self::Sqlite { path: folder.path().join("ygg.db"), _folder: folder })
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
                        Err(Error::File { .. }) if begun.elapsed() < LET_GO => {
                            tokio::task::yield_now().await;
                        }
                        Err(error) => return Err(format!("the private store does not open: {error}")),
                    }
                }
            }
        }
    }

    /// Waits until nobody holds the store of a process that ended.
    pub async fn close(&self, open: &Weak<dyn Store>) {
        let kept = match self {
            Self::Memory(_) => 1,
            Self::Sqlite { .. } => 0,
        };
        let begun = Instant::now();
        while open.strong_count() > kept && begun.elapsed() < LET_GO {
            tokio::task::yield_now().await;
        }
    }
}
