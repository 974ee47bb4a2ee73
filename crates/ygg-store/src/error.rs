//! Trouble outside the rules: the disk, the database, a row that does not read.

use std::sync::Arc;

#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database did not do it; trying again may help.
    #[error("the database failed: {0}")]
    Database(Arc<rusqlite::Error>),
    /// A stored value that no version of ours writes.
    #[error("a stored {what} does not read: {value:?}")]
    Corrupt { what: &'static str, value: String },
    /// Our bug: the write was undone.
    #[error("a write panicked and was undone")]
    Panicked,
    #[error("the store is shut down")]
    Closed,
    #[error("{path}: another ygg has this database open; stop it first")]
    InUse { path: String },
    #[error("{path}: {problem}")]
    File { path: String, problem: String },
    #[error("this database was written by a newer ygg (schema {found}; this one knows {known}): update ygg")]
    Newer { found: i64, known: i64 },
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(Arc::new(error))
    }
}

impl Error {
    pub(crate) fn corrupt(what: &'static str, value: impl Into<String>) -> Self {
        Self::Corrupt { what, value: value.into() }
    }
}
