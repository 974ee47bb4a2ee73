//! What an engine call can end in besides an answer.

use ygg_domain::Refusal;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule said no: data for the caller.
    #[error("refused: {}", .0.code())]
    Refused(Refusal),
    /// No key, or one that is unknown or revoked, or another workspace's.
    #[error("not signed in")]
    Unauthenticated,
    /// Handle and password do not belong together; nobody is told which of them is wrong.
    #[error("wrong handle or password")]
    WrongPassword,
    /// Trying again may help; the cause's `advice` says how.
    #[error("not available: {0}")]
    Unavailable(ygg_store::Error),
    /// Our bug.
    #[error("broken: {0}")]
    Broken(String),
}

impl Error {
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<ygg_store::Error> for Error {
    fn from(error: ygg_store::Error) -> Self {
        match error {
            ygg_store::Error::NoWorkspace => Self::Refused(Refusal::NotFound { what: "workspace" }),
            ygg_store::Error::Corrupt { .. }
            | ygg_store::Error::Newer { .. }
            | ygg_store::Error::Update { .. }
            | ygg_store::Error::Panicked
            | ygg_store::Error::Undone => Self::Broken(error.to_string()),
            ygg_store::Error::Database(_)
            | ygg_store::Error::Full
            | ygg_store::Error::ReadOnly(_)
            | ygg_store::Error::Locked
            | ygg_store::Error::Unsure(_)
            | ygg_store::Error::Busy
            | ygg_store::Error::Closed
            | ygg_store::Error::Connect { .. }
            | ygg_store::Error::InUse { .. }
            | ygg_store::Error::File { .. } => Self::Unavailable(error),
        }
    }
}
