//! How a command can end badly: what happened, what to do, and the exit code that scripts look at.

use serde_json::{Value, json};
use ygg_domain::render::fence::show;
use ygg_wire::Problem;

use crate::words;

pub type Outcome<T = ()> = Result<T, Failure>;

#[derive(Debug)]
pub enum Failure {
    /// The server said no, or could not.
    Problem(Box<Problem>),
    /// The command line, a file or the environment cannot be used as it is.
    Usage(String),
    TimeOut(String),
    NoConnection(String),
    /// What was asked for did not come out: a scenario, a step of the demonstration, an answer that does not read.
    Failed(String),
}

impl Failure {
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// 1 refused, 2 usage or time-out, 3 no connection, 4 not allowed.
    pub fn code(&self) -> u8 {
        match self {
            Self::Problem(problem) => match problem.status {
                401 | 403 => 4,
                502..=504 => 3,
                _ => 1,
            },
            Self::Failed(_) => 1,
            Self::Usage(_) | Self::TimeOut(_) => 2,
            Self::NoConnection(_) => 3,
        }
    }

    /// A line or two for people.
    pub fn text(&self) -> String {
        match self {
            Self::Problem(problem) if problem.status == 401 => {
                "The server does not know this key. Name another identity with --profile or YGG_KEY, or have a new \
                 key made with `ygg keys create`."
                    .to_owned()
            }
            Self::Problem(problem) => {
                let charged = problem.receipt.as_ref().filter(|receipt| receipt.charged > 0);
                let charged = charged.and_then(|receipt| words::price(receipt));
                let charged = charged.map(|price| format!("; {price}")).unwrap_or_default();
                show(&format!("{} ({}{charged})", words::flags(&problem.help), problem.reason))
            }
            Self::Usage(text) | Self::TimeOut(text) | Self::NoConnection(text) | Self::Failed(text) => show(text),
        }
    }

    /// The same as data.
    pub fn data(&self) -> Value {
        let of = |reason: &str, help: &str| json!({"reason": reason, "help": help});
        match self {
            Self::Problem(problem) => json!(problem),
            Self::Usage(text) => of("usage", text),
            Self::TimeOut(text) => of("time_out", text),
            Self::NoConnection(text) => of("no_connection", text),
            Self::Failed(text) => of("failed", text),
        }
    }
}

impl From<ygg_client::Error> for Failure {
    fn from(error: ygg_client::Error) -> Self {
        use ygg_client::Error;
        match error {
            Error::Problem(problem) => Self::Problem(problem),
            Error::Connection { .. } => Self::NoConnection(format!(
                "{error}. Start a server with `ygg up`, or name the one you mean with --url."
            )),
            Error::TimeOut { .. } => Self::TimeOut(format!(
                "{error}. It may have been done all the same; look before you repeat it."
            )),
            Error::Decode { .. } => {
                Self::Failed(format!("{error}. Check --url, and that server and `ygg` are of one version."))
            }
            Error::Address(text) => Self::Usage(format!("{text}.")),
        }
    }
}

/// What the engine of a server in this very process says.
impl From<ygg_engine::Error> for Failure {
    fn from(error: ygg_engine::Error) -> Self {
        match error {
            ygg_engine::Error::Refused(refusal) => Self::Problem(Box::new(Problem::from(&refusal))),
            ygg_engine::Error::Unauthenticated
            | ygg_engine::Error::WrongPassword
            | ygg_engine::Error::Unavailable(_)
            | ygg_engine::Error::Broken(_) => Self::Failed(format!("{error}.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_fail_has_its_exit_code() {
        let problem = |status| Failure::Problem(Box::new(Problem::new(status, "x", "y")));
        let table = [
            (problem(402), 1),
            (problem(409), 1),
            (problem(500), 1),
            (problem(401), 4),
            (problem(403), 4),
            (problem(503), 3),
            (Failure::usage("x"), 2),
            (Failure::TimeOut("x".into()), 2),
            (Failure::NoConnection("x".into()), 3),
            (Failure::Failed("x".into()), 1),
        ];
        for (failure, expected) in table {
            assert_eq!(failure.code(), expected, "{failure:?}");
        }
    }
}
