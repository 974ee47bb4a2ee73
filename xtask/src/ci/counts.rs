//! How many tests passed, failed and were skipped, read from what the test binaries say.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

static COLOUR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\x1b\[[0-9;]*m"));
static RESULT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;"));

impl Counts {
    /// Adds what a line says, if it is the last line of a test binary.
    pub fn read(&mut self, line: &str) {
        let line = COLOUR.replace_all(line, "");
        let Some(found) = RESULT.captures(&line) else { return };
        let number = |group: usize| found[group].parse::<u64>().unwrap_or(0);
        self.passed += number(1);
        self.failed += number(2);
        self.skipped += number(3);
    }

    /// Tests that ran to an end.
    pub fn ran(&self) -> u64 {
        self.passed + self.failed
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_added_up() {
        let mut counts = Counts::default();
        for line in [
            "running 3 tests",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test a ... test result: ok. 9 passed; 9 failed; 9 ignored;",
            "test result: \u{1b}[31mFAILED\u{1b}(B\u{1b}[m. 1 passed; 9 failed; 9 ignored;",
            "test result: \u{1b}[31mFAILED\u{1b}[0m. 30 passed; 2 failed; 4 ignored; 0 measured; 5 filtered out",
        ] {
            counts.read(line);
        }
        assert_eq!(counts, Counts { passed: 42, failed: 2, skipped: 5 });
        assert_eq!(counts.to_string(), "42 passed, 2 failed, 5 skipped");
        assert_eq!(counts.ran(), 44);
    }
}
