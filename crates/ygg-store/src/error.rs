//! Trouble outside the rules: the disk, the database, a row that does not read.

use std::sync::Arc;

use rusqlite::ErrorCode;
use tokio_postgres::error::SqlState;

#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The database did not do it, and nothing was stored; trying again may help.
    #[error("the database failed: {}", whole(.0.as_ref()))]
    Database(Arc<dyn std::error::Error + Send + Sync>),
    /// Nothing was stored; it works again once there is room.
    #[error("the disk is full")]
    Full,
    /// Nothing was stored: the file, its disk or the whole database takes no writes.
    #[error("the database takes no writes: {}", whole(.0.as_ref()))]
    ReadOnly(Arc<dyn std::error::Error + Send + Sync>),
    /// Nothing was stored: another program holds the file for longer than we wait.
    #[error("another program has the database file locked")]
    Locked,
    /// The database went away in the middle of a commit.
    /// Or its disk failed there.
    #[error("whether a commit was done is not known: {}", whole(.0.as_ref()))]
    Unsure(Arc<dyn std::error::Error + Send + Sync>),
    /// A stored value that no version of ours writes.
    #[error("a stored {what} does not read: {value:?}")]
    Corrupt { what: &'static str, value: String },
    /// Our bug: the write was undone.
    #[error("a write panicked and was undone")]
    Panicked,
    /// The write itself asked to be undone, after it had written something.
    #[error("a write was undone")]
    Undone,
    /// It was deleted meanwhile.
    #[error("there is no such workspace")]
    NoWorkspace,
    /// Too many readers at once; trying again helps.
    #[error("the store is busy")]
    Busy,
    #[error("the store is shut down")]
    Closed,
    #[error("{path}: another ygg has this database open; stop it first")]
    InUse { path: String },
    #[error("{path}: {problem}")]
    File { path: String, problem: String },
    /// PostgreSQL cannot be used as it is: where, and what to do.
    #[error("{to}: {problem}")]
    Connect { to: String, problem: String },
    /// Nothing was changed.
    #[error(
        "{what} could not be updated from schema {from} to {to} ({problem}); it is as it was, and {copy}"
    )]
    Update { what: String, from: i64, to: i64, problem: String, copy: String },
    #[error("this database was written by a newer ygg (schema {found}; this one knows {known}): update ygg")]
    Newer { found: i64, known: i64 },
}

/// An error with what is behind it: some say only "db error" themselves.
pub(crate) fn whole(error: &(dyn std::error::Error + Send + Sync)) -> String {
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
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly(Arc::new(error)),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            _ => Self::database(error),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.code() {
            Some(&SqlState::DISK_FULL) => Self::Full,
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => Self::ReadOnly(Arc::new(error)),
            _ => Self::database(error),
        }
    }
}

impl Error {
    /// What whoever called may be told, and what they can do.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Full => {
                "The server's disk is full, so nothing was stored. Send the same request again once its operator has \
                 made room."
            }
            Self::ReadOnly(_) => {
                "The server's database takes no writes now, so nothing was stored. Send the same request again once \
                 its operator has put that right."
            }
            Self::Unsure(_) => {
                "The server lost its database in the middle of this and does not know whether it was done. Look \
                 first; a message can be sent again under the same idempotency key, and an inbox read with `again`."
            }
            Self::Locked => {
                "Another program has the server's database locked, so nothing was stored. Send the same request again \
                 in a moment."
            }
            Self::Database(_)
            | Self::Corrupt { .. }
            | Self::Panicked
            | Self::Undone
            | Self::Busy
            | Self::Closed
            | Self::InUse { .. }
            | Self::File { .. }
            | Self::Connect { .. }
            | Self::Update { .. }
            | Self::NoWorkspace
            | Self::Newer { .. } => {
                "The server could not do this now, and nothing was stored. Send the same request again."
            }
        }
    }

    pub(crate) fn database(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Database(Arc::new(error))
    }

    pub(crate) fn file(path: &std::path::Path, problem: &std::io::Error) -> Self {
        Self::File { path: path.display().to_string(), problem: problem.to_string() }
    }

    pub(crate) fn corrupt(what: &'static str, value: impl Into<String>) -> Self {
        Self::Corrupt { what, value: value.into() }
    }
}
