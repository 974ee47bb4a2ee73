//! What the server stands on, and how it stands up again after it died.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use tempfile::TempDir;
use ygg_store::Store;
use ygg_store::memory::Memory;
use ygg_store::sqlite::Sqlite;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    Memory,
    Sqlite,
}

pub enum Place {
    Memory(Arc<dyn Store>),
    Sqlite {
        folder: TempDir,
        /// How often it died.
        deaths: u32,
    },
}

impl Place {
    pub fn on(ground: Ground) -> Result<Self> {
        Ok(match ground {
            Ground::Memory => Self::Memory(Arc::new(Memory::new())),
            Ground::Sqlite => Self::Sqlite { folder: folder()?, deaths: 0 },
        })
    }

    pub fn open(&self) -> Result<Arc<dyn Store>> {
        Ok(match self {
            Self::Memory(store) => Arc::clone(store),
            Self::Sqlite { folder, deaths } => Arc::new(Sqlite::open(&file(folder, *deaths))?),
        })
    }

    /// What a process leaves behind that is killed: the files as they lie, closed by nobody.
    pub fn die(&mut self) -> Result<()> {
        let Self::Sqlite { folder, deaths } = self else { return Ok(()) };
        let (before, after) = (file(folder, *deaths), file(folder, *deaths + 1));
        for ending in ["", "-wal"] {
            let (from, to) = (beside(&before, ending), beside(&after, ending));
            if from.exists() {
                fs::copy(&from, &to).with_context(|| format!("{} cannot be copied", from.display()))?;
            }
        }
        *deaths += 1;
        Ok(())
    }

    /// Nobody has the files from before the last death open any more.
    pub fn bury(&self) {
        let Self::Sqlite { folder, deaths } = self else { return };
        let before = file(folder, deaths.saturating_sub(1));
        for ending in ["", "-wal", "-shm", ".lock"] {
            // What stays goes with the folder.
            drop(fs::remove_file(beside(&before, ending)));
        }
    }
}

/// In memory where the system has a place for files there: a run waits for no disk, and the same bytes are written.
fn folder() -> Result<TempDir> {
    let shared = Path::new("/dev/shm");
    let made = if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() };
    made.or_else(|_| tempfile::tempdir()).context("no folder for a database")
}

fn file(folder: &TempDir, deaths: u32) -> PathBuf {
    folder.path().join(format!("{deaths}.db"))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
