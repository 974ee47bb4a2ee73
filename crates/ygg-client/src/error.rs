//! What a call can end in besides an answer: the server's no, no connection, or an answer that does not read.

use ygg_wire::Problem;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server answered, and this is why it did not do it.
    #[error("{}", .0.help)]
    Problem(Box<Problem>),
    /// No answer. Unless `sent` is false, the server may have done it all the same.
    #[error("no connection to {url}: {cause}")]
    Connection { url: String, cause: String, sent: bool },
    /// The server took longer than we wait.
    #[error("{url} did not answer in time")]
    TimeOut { url: String },
    /// Something answered that is no Ygg, or one of another version.
    #[error("{url} answered with what is no answer of Ygg: {problem}")]
    Decode { url: String, problem: String },
    /// An address or key that cannot be used at all.
    #[error("{0}")]
    Address(String),
}

impl Error {
    /// Sorts the trouble of a request. The key is in a header, which no error of reqwest shows; the address goes
    /// too, because it stands in our own text.
    pub(crate) fn of_request(url: &str, error: reqwest::Error) -> Self {
        let url = url.to_owned();
        if error.is_timeout() && !error.is_connect() {
            return Self::TimeOut { url };
        }
        let sent = !error.is_connect();
        let error = error.without_url();
        Self::Connection { url, cause: innermost(&error), sent }
    }

    pub(crate) fn decode(url: &str, problem: impl Into<String>) -> Self {
        Self::Decode { url: url.to_owned(), problem: problem.into() }
    }

    /// The permanent code of a problem, or a word for what is none of the server's.
    pub fn reason(&self) -> &str {
        match self {
            Self::Problem(problem) => &problem.reason,
            Self::Connection { .. } => "no_connection",
            Self::TimeOut { .. } => "time_out",
            Self::Decode { .. } => "unreadable_answer",
            Self::Address(_) => "usage",
        }
    }

    /// Whether the same call may work a little later.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Problem(problem) => problem.status == 429 || problem.status >= 500,
            Self::Connection { .. } | Self::TimeOut { .. } => true,
            Self::Decode { .. } | Self::Address(_) => false,
        }
    }
}

/// The last cause in a chain: the one that says what happened, such as "Connection refused".
fn innermost(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}
