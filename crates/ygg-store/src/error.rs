//! Trouble outside the rules: the disk, the database, a row that does not read.

use std::sync::Arc;

#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database did not do it; trying again may help.
    #[error("the database failed: {}", whole(.0.as_ref()))]
    Database(Arc<dyn std::error::Error + Send + Sync>),
    /// A stored value that no version of ours writes.
    #[error("a stored {what} does not read: {value:?}")]
    Corrupt { what: &'static str, value: String },
    /// Our bug: the write was undone.
    #[error("a write panicked and was undone")]
    Panicked,
    /// The write itself asked to be undone, after it had written something.
    #[error("a write was undone")]
    Undone,
    /// Too many readers at once; trying again helps.
    #[error("the store is busy")]
    Busy,
    #[error("the store is shut down")]
    Closed,
    #[error("{path}: another ygg has this database open; stop it first")]
    InUse { path: String },
    #[error("{path}: {problem}")]
    File { path: String, problem: String },
    #[error("this database was written by a newer ygg (schema {found}; this one knows {known}): update ygg")]
    Newer { found: i64, known: i64 },
}

/// An error with what is behind it: some say only "db error" themselves.
fn whole(error: &(dyn std::error::Error + Send + Sync)) -> String {
    let mut told = error.to_string();
    let mut behind = error.source();
    while let Some(source) = behind {
        told.push_str(": ");
        told.push_str(&source.to_string());
        behind = source.source();
    }
    told
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::database(error)
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::database(error)
    }
}

impl Error {
    pub(crate) fn database(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Database(Arc::new(error))
    }

    pub(crate) fn corrupt(what: &'static str, value: impl Into<String>) -> Self {
        Self::Corrupt { what, value: value.into() }
    }
}
