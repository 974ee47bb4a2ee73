//! A rule that was not kept, as model and simulation tell it.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub rule: &'static str,
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.rule, self.what)
    }
}

impl std::error::Error for Wrong {}
