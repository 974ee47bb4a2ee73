//! What is told of a run: a line per scenario and level, more where one failed, and the totals.

use std::fmt;

use ygg_domain::render::show;

use crate::level::Level;
use crate::parse::ParseError;
use crate::run::Outcome;
use crate::scenario::Scenario;

#[derive(Debug, Default)]
pub struct Report {
    entries: Vec<Entry>,
}

/// Of one scenario at one level, or of a file that does not read.
#[derive(Debug)]
pub enum Entry {
    Ran { file: String, name: String, line: usize, level: Level, outcome: Outcome },
    Unread { file: String, error: ParseError },
}

/// How many scenarios ended how, each counted once per level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub passed: usize,
    pub failed: usize,
    pub not_built: usize,
    /// Files that do not read.
    pub unread: usize,
}

impl Report {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the entry, so that it can be shown at once.
    pub fn ran(&mut self, file: &str, scenario: &Scenario, level: Level, outcome: Outcome) -> &Entry {
        let (file, name, line) = (file.to_owned(), scenario.name.clone(), scenario.line);
        self.push(Entry::Ran { file, name, line, level, outcome })
    }

    pub fn unread(&mut self, file: &str, error: ParseError) -> &Entry {
        self.push(Entry::Unread { file: file.to_owned(), error })
    }

    fn push(&mut self, entry: Entry) -> &Entry {
        let place = self.entries.len();
        self.entries.push(entry);
        &self.entries[place]
    }

    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for entry in &self.entries {
            match entry {
                Entry::Ran { outcome: Outcome::Passed { .. }, .. } => totals.passed += 1,
                Entry::Ran { outcome: Outcome::Failed { .. }, .. } => totals.failed += 1,
                Entry::Ran { outcome: Outcome::NotBuilt { .. }, .. } => totals.not_built += 1,
                Entry::Unread { .. } => totals.unread += 1,
            }
        }
        totals
    }

    /// 1 when anything failed or did not read. What is not built fails nothing and passes nothing: see the totals.
    pub fn exit_code(&self) -> u8 {
        let totals = self.totals();
        u8::from(totals.failed + totals.unread > 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.entries {
            writeln!(f, "{entry}")?;
        }
        writeln!(f, "{}", self.totals())
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, not_built, unread } = self;
        write!(f, "{passed} passed, {failed} failed, {not_built} not built")?;
        if *unread > 0 {
            write!(f, ", {unread} files that do not read")?;
        }
        Ok(())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, name, begins, level, outcome) = match self {
            Self::Unread { file, error } => {
                let (file, message) = (line_of(file), line_of(&error.message));
                return write!(f, "unread     {file}:{}:{}  {message}", error.line, error.column);
            }
            Self::Ran { file, name, line, level, outcome } => (file, name, line, level, outcome),
        };
        let (file, name) = (line_of(file), line_of(name));
        match outcome {
            Outcome::Passed { .. } => write!(f, "passed     {level:<7} {file}:{begins}  {name}"),
            Outcome::NotBuilt { names, line, passed_before } => {
                let names = names.join(", ");
                write!(
                    f,
                    "not built  {level:<7} {file}:{line}  {name}: {names} (after {passed_before} steps)"
                )
            }
            Outcome::Failed { line, step, expected, seen, refused_before } => {
                write!(f, "FAILED     {level:<7} {file}:{line}  {name}")?;
                for (what, told) in [("step", step), ("expected", expected), ("seen", seen)] {
                    write!(f, "\n    {what:<9} {}", line_of(told))?;
                }
                refused_before
                    .iter()
                    .try_for_each(|refusal| write!(f, "\n    before    {}", line_of(refusal)))
            }
        }
    }
}

/// Words of a file on one line, without what could steer a terminal.
fn line_of(words: &str) -> String {
    show(&words.replace(['\n', '\t'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_built_is_neither_passed_nor_failed() {
        let scenario = crate::parse("name: s\nsteps: []\n").expect("a scenario").remove(0);
        let mut report = Report::new();
        report.ran("a.yaml", &scenario, Level::Memory, Outcome::Passed { steps: 0 });
        let not_built = Outcome::NotBuilt { names: vec!["timers"], line: 9, passed_before: 2 };
        let line = report.ran("a.yaml", &scenario, Level::Http, not_built).to_string();
        assert_eq!(line, "not built  http    a.yaml:9  s: timers (after 2 steps)");
        assert_eq!(report.totals(), Totals { passed: 1, failed: 0, not_built: 1, unread: 0 });
        assert_eq!(report.exit_code(), 0);
        let error = ParseError { line: 3, column: 5, message: "no".to_owned() };
        let line = report.unread("b.yaml", error).to_string();
        assert_eq!(line, "unread     b.yaml:3:5  no");
        assert_eq!(report.exit_code(), 1);
    }

    #[test]
    fn words_of_a_file_steer_no_terminal_and_forge_no_line() {
        let source = "name: \"s\\e[2J\\npassed     all\"\nsteps: []\n";
        let scenario = crate::parse(source).expect("a scenario").remove(0);
        let line =
            Report::new().ran("a.yaml", &scenario, Level::Memory, Outcome::Passed { steps: 0 }).to_string();
        assert_eq!(line, r"passed     memory  a.yaml:1  s\u{1b}[2J passed     all");
        let error = ParseError { line: 1, column: 1, message: "no \u{1b}]0;x\u{7}".to_owned() };
        assert!(!Report::new().unread("b\u{9b}.yaml", error).to_string().contains(char::is_control));
    }

    #[test]
    fn a_failure_tells_where_and_what() {
        let scenario = crate::parse("name: s\nsteps: []\n").expect("a scenario").remove(0);
        let outcome = Outcome::Failed {
            line: 7,
            step: "send from a".to_owned(),
            expected: "{charged: 2}".to_owned(),
            seen: "{charged: 1}".to_owned(),
            refused_before: vec!["line 5: close by @max was refused: forbidden (no)".to_owned()],
        };
        let mut report = Report::new();
        report.ran("a.yaml", &scenario, Level::Sqlite, outcome);
        assert_eq!(
            report.to_string(),
            "FAILED     sqlite  a.yaml:7  s\n    step      send from a\n    expected  {charged: 2}\n    \
             seen      {charged: 1}\n    before    line 5: close by @max was refused: forbidden (no)\n\
             0 passed, 1 failed, 0 not built\n"
        );
        assert_eq!(report.exit_code(), 1);
    }
}
