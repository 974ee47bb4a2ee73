//! One process alone has a database file open, under whatever name it was given.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// A database file that is ours for as long as this is kept.
pub struct Locked {
    /// Where the file itself is, behind every link.
    pub path: PathBuf,
    _lock: File,
}

impl Locked {
    /// Takes the file, making it, readable by its owner alone, when it is not there.
    pub fn take(named: &Path) -> Result<Self> {
        let path = match fs::canonicalize(named) {
            Ok(path) => path,
            Err(problem) if problem.kind() == ErrorKind::NotFound => make(named)?,
            Err(problem) => return Err(Error::file(named, &problem)),
        };
        if names(&path) > 1 {
            // Each name would have a log of its own beside it, and the two would ruin the file.
            let problem = "this file has a second name (a hard link); a database must have one only";
            return Err(Error::File { path: named.display().to_string(), problem: problem.to_owned() });
        }
        let beside = beside(&path, ".lock");
        let file = private(&beside).map_err(|problem| Error::file(&beside, &problem))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse { path: named.display().to_string() }),
            Err(TryLockError::Error(problem)) => Err(Error::file(&beside, &problem)),
        }
    }
}

fn make(named: &Path) -> Result<PathBuf> {
    private(named).and_then(|_| fs::canonicalize(named)).map_err(|problem| Error::file(named, &problem))
}

/// The database holds what people wrote: nobody else on the machine reads it, nor what is put beside it.
pub fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The path with something after its name.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(unix)]
fn names(path: &Path) -> u64 {
    fs::metadata(path).map_or(1, |found| std::os::unix::fs::MetadataExt::nlink(&found))
}

#[cfg(not(unix))]
fn names(_: &Path) -> u64 {
    1
}
