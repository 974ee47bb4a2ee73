//! What commands print: words for people, with colour where a terminal wants it, or one JSON document per line.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use ygg_domain::render::{hides, show};

use crate::failure::{Failure, Outcome};

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const BAD: Style = AnsiColor::Red.on_default();
pub const NAME: Style = AnsiColor::Cyan.on_default();

#[derive(Debug, Clone, Copy)]
pub struct Output {
    pub json: bool,
    pub quiet: bool,
}

impl Output {
    /// What was asked for.
    pub fn give(self, data: &impl Serialize, words: impl FnOnce() -> String) -> Outcome {
        if self.json { self.document(data) } else { print(&words()) }
    }

    /// What was done; `--quiet` is content with the exit code.
    pub fn confirm(self, data: &impl Serialize, words: impl FnOnce() -> String) -> Outcome {
        if self.quiet && !self.json { Ok(()) } else { self.give(data, words) }
    }

    /// A hint for people.
    pub fn hint(self, text: &str) -> Outcome {
        if self.quiet || self.json { Ok(()) } else { print(text) }
    }

    /// Why a command failed: a line on stderr, or the problem as data on stdout.
    pub fn fail(self, failure: &Failure) {
        if self.json {
            // The exit code still tells.
            let _ = self.document(&failure.data());
        } else {
            let _ = writeln!(anstream::stderr(), "{BAD}ygg:{BAD:#} {}", failure.text());
        }
    }

    fn document(self, data: &impl Serialize) -> Outcome {
        let text = serde_json::to_string(data)
            .map_err(|error| Failure::Failed(format!("the answer does not write: {error}.")))?;
        print(&harmless(&text))
    }
}

/// A line on stderr that is no failure; never part of what a command prints.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{DIM}ygg:{DIM:#} {}", show(text));
}

/// Whoever stopped reading, such as `head`, has what they wanted.
pub fn print(text: &str) -> Outcome {
    let mut out = anstream::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{end}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("the output cannot be written: {error}.")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Words that somebody else wrote, on one line, without what could steer a terminal.
pub fn one_line(text: &str) -> String {
    show(&text.replace(['\n', '\t'], " "))
}

/// The same over several lines, indented.
pub fn indented(text: &str, indent: &str) -> String {
    show(text).lines().map(|line| format!("{indent}{line}\n")).collect()
}

/// JSON that means the same and steers no terminal: what could is only ever inside its strings.
fn harmless(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() || hides(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Rows as columns, as wide as their widest entry.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_steers_no_terminal_and_means_the_same() {
        let value = serde_json::json!({"text": "a\u{1b}[31mb\u{9b}c\u{202e}d\u{e0041}é"});
        let text = harmless(&value.to_string());
        assert!(!text.chars().any(|c| c.is_control() || hides(c)), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), value);
    }

    #[test]
    fn words_of_others_steer_no_terminal() {
        assert_eq!(one_line("a\nb\u{1b}[2J"), r"a b\u{1b}[2J");
        assert_eq!(indented("a\nb\u{7}", "  "), "  a\n  b\\u{7}\n");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        assert_eq!(table(&[row(&["a", "long"]), row(&["bbb", "c", "d"])]), "a    long\nbbb  c     d\n");
    }
}
