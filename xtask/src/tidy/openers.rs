//! Every source file begins by saying what it holds and why it is apart, in one to three lines.

use super::finding::Finding;
use super::repository::Repository;

const OPENER_LINES: usize = 3;

pub fn check(repository: &Repository) -> Vec<Finding> {
    let sources = repository.rust().map(|(path, _)| path).filter(|path| is_source(path));
    sources.filter_map(|path| opener(path, repository.text(path)?)).collect()
}

fn is_source(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts.as_slice(), ["crates", _, "src", ..] | ["xtask", "src", ..])
}

fn opener(path: &str, text: &str) -> Option<Finding> {
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    if lines.iter().all(|line| line.trim().is_empty()) {
        let remedy = "open it with one to three `//!` lines: what it holds and why it is apart";
        return Some(Finding::new(path, 1, "the file does not say what it holds", remedy));
    }
    let is_map = path.ends_with("src/lib.rs") || path.ends_with("src/main.rs");
    if lines.len() > OPENER_LINES && !is_map {
        let wrong = format!("the opening comment has {} lines of {OPENER_LINES}", lines.len());
        let remedy = "shorten it, or move what explains one item to that item";
        return Some(Finding::new(path, OPENER_LINES + 1, wrong, remedy));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        assert_eq!(brief(&super::check(&Repository::with(&[(path, text)]))), expected);
    }

    #[test]
    fn one_to_three_lines_open_a_file() {
        check("crates/a/src/b.rs", "//! One.\nfn b() {}", &[]);
        check("crates/a/src/b.rs", "//! One.\n//! Two.\n//! Three.\n", &[]);
        check(
            "crates/a/src/b.rs",
            "//! 1\n//! 2\n//! 3\n//! 4\n",
            &["crates/a/src/b.rs:4: the opening comment has 4 lines of 3"],
        );
    }

    #[test]
    fn maps_may_be_longer() {
        check("crates/a/src/lib.rs", "//! 1\n//! 2\n//! 3\n//! 4\n", &[]);
        check("xtask/src/main.rs", "//! 1\n//! 2\n//! 3\n//! 4\n", &[]);
    }

    #[test]
    fn silence_is_a_finding() {
        let silent = ["crates/a/src/b.rs:1: the file does not say what it holds"];
        for text in ["", "\n//! Late.", "// Not for the file.", "//!\n//!\nfn b() {}"] {
            check("crates/a/src/b.rs", text, &silent);
        }
        check("crates/a/tests/it/main.rs", "", &[]);
    }
}
