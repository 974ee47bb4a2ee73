//! Why a call did not come to an answer. The address itself is in none of them: it may be a secret, as the addresses of
//! webhooks often are.

use crate::{ANSWER_BYTES, REDIRECTS, TIME};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Address(&'static str),
    #[error(
        "{host} leads into the server's own machine or a private network; only whoever runs the server can allow that, \
         with --allow-outbound {host}"
    )]
    Private { host: String },
    #[error("there is no host {host}")]
    Unresolved { host: String },
    #[error("it sends on more than {REDIRECTS} times")]
    Redirects,
    #[error("it sends on from https to http")]
    Downgrade,
    #[error("it did not answer within {} s", TIME.as_secs())]
    TimedOut,
    #[error("its answer is longer than {ANSWER_BYTES} bytes")]
    TooLarge,
    #[error("{0}")]
    Failed(String),
}

impl Error {
    /// What went wrong on the way, without where to.
    pub(crate) fn of(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::TimedOut;
        }
        let error = error.without_url();
        let mut told =
            if error.is_connect() { "nobody answers there" } else { "the call broke off" }.to_owned();
        // The innermost says what it was, such as a certificate that is not believed.
        let mut cause: &dyn std::error::Error = &error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        told.push_str(": ");
        told.push_str(&cause.to_string());
        Self::Failed(told)
    }
}
