//! What a check found: where, what is wrong, and what to do about it.

use std::fmt;

/// Ordered by place, so that the findings of one file stand together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    pub wrong: String,
    pub remedy: String,
}

impl Finding {
    pub fn new(path: &str, line: usize, wrong: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, wrong: wrong.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}: {}", self.path, self.line, self.wrong, self.remedy)
    }
}

/// The findings as `path:line: what is wrong`, for tests that compare them.
#[cfg(test)]
pub fn brief(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|found| format!("{}:{}: {}", found.path, found.line, found.wrong)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line() {
        let finding = Finding::new("docs/a.md", 7, "the link leads nowhere", "mend it");
        assert_eq!(finding.to_string(), "docs/a.md:7: the link leads nowhere: mend it");
    }
}
