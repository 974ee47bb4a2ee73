//! Files and functions stay small enough to be read at once. What is larger is on a list that may only shrink: an
//! entry that allows more than is needed is a finding as well.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::repository::Repository;

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 70;
const EXCEPTIONS: &str = "xtask/tidy-exceptions.txt";

/// A file, or a function of a file by its name.
type Subject = (String, Option<String>);

/// Where something was measured and its lines; of functions with one name in a file, the longest.
struct Measured {
    line: usize,
    lines: usize,
}

struct Exception {
    subject: Subject,
    limit: usize,
    /// Its line in the list.
    line: usize,
}

pub fn check(repository: &Repository) -> Vec<Finding> {
    let measured = measure(repository);
    let (exceptions, mut findings) = parse(repository.text(EXCEPTIONS).unwrap_or_default());
    for (subject, found) in &measured {
        let listed = exceptions.iter().find(|exception| exception.subject == *subject);
        findings.extend(too_long(subject, found, listed));
    }
    for exception in &exceptions {
        findings.extend(too_generous(exception, measured.get(&exception.subject)));
    }
    findings
}

fn standard(subject: &Subject) -> usize {
    if subject.1.is_some() { FUNCTION_LINES } else { FILE_LINES }
}

fn named((path, function): &Subject) -> String {
    function.as_ref().map_or_else(|| path.clone(), |function| format!("{path}:{function}"))
}

/// Measures everything that is not a test.
fn measure(repository: &Repository) -> BTreeMap<Subject, Measured> {
    let mut measured = BTreeMap::new();
    for (path, file) in &repository.files {
        let Some(source) = file.source.as_ref().filter(|_| !repository.is_test(path)) else { continue };
        measured.insert((path.clone(), None), Measured { line: 1, lines: source.lines_without_tests() });
        for function in source.functions() {
            if source.in_test(function.offset) {
                continue;
            }
            let found = Measured { line: source.line_of(function.offset), lines: function.lines };
            let longest = measured.entry((path.clone(), Some(function.name))).or_insert(Measured { ..found });
            if longest.lines < found.lines {
                *longest = found;
            }
        }
    }
    measured
}

fn too_long(subject: &Subject, found: &Measured, listed: Option<&Exception>) -> Option<Finding> {
    let limit = listed.map_or(standard(subject), |exception| exception.limit.max(standard(subject)));
    if found.lines <= limit {
        return None;
    }
    let what = subject.1.as_ref().map_or("the file".to_owned(), |name| format!("function `{name}`"));
    let wrong = format!("{what} has {} lines of {limit}", found.lines);
    let remedy = if subject.1.is_some() {
        "split it where the second thought begins"
    } else {
        "move the second concept to a file of its own"
    };
    Some(Finding::new(&subject.0, found.line, wrong, remedy))
}

fn too_generous(exception: &Exception, found: Option<&Measured>) -> Option<Finding> {
    let name = named(&exception.subject);
    let finding =
        |wrong: String, remedy: String| Some(Finding::new(EXCEPTIONS, exception.line, wrong, remedy));
    let Some(found) = found else {
        return finding(format!("`{name}` does not exist"), "remove the line".to_owned());
    };
    if found.lines <= standard(&exception.subject) {
        let wrong = format!("`{name}` has {} lines and needs no exception", found.lines);
        return finding(wrong, "remove the line".to_owned());
    }
    if found.lines < exception.limit {
        let wrong = format!("`{name}` is allowed {} lines and has {}", exception.limit, found.lines);
        return finding(wrong, format!("write {}", found.lines));
    }
    None
}

/// Reads `path[:function] limit` lines; `#` begins a comment.
fn parse(text: &str) -> (Vec<Exception>, Vec<Finding>) {
    let (mut exceptions, mut findings): (Vec<Exception>, Vec<Finding>) = (Vec::new(), Vec::new());
    for (index, written) in text.lines().enumerate() {
        let (line, words) = (index + 1, written.split('#').next().unwrap_or_default());
        let words: Vec<&str> = words.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let [name, limit] = words.as_slice() else {
            findings.push(malformed(line));
            continue;
        };
        let Ok(limit) = limit.parse() else {
            findings.push(malformed(line));
            continue;
        };
        let subject = match name.split_once(':') {
            Some((path, function)) => (path.to_owned(), Some(function.to_owned())),
            None => ((*name).to_owned(), None),
        };
        if exceptions.iter().any(|exception| exception.subject == subject) {
            findings.push(Finding::new(
                EXCEPTIONS,
                line,
                format!("`{name}` is listed twice"),
                "remove the line",
            ));
            continue;
        }
        exceptions.push(Exception { subject, limit, line });
    }
    (exceptions, findings)
}

fn malformed(line: usize) -> Finding {
    Finding::new(EXCEPTIONS, line, "this is not `path limit` or `path:function limit`", "write it so")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one function of the given lines and as many lines in all as asked for.
    fn code(function: usize, all: usize) -> String {
        let body = "\n".repeat(function - 1);
        format!("fn long() {{{body}}}\n{}", "\n".repeat(all - function))
    }

    fn check(text: &str, exceptions: &str, expected: &[&str]) {
        let repository = Repository::with(&[("crates/a/src/b.rs", text), (EXCEPTIONS, exceptions)]);
        let found: Vec<_> = super::check(&repository).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_limits_hold() {
        check(&code(70, 400), "", &[]);
        check(
            &code(71, 401),
            "",
            &[
                "crates/a/src/b.rs:1: the file has 401 lines of 400: move the second concept to a file of its own",
                "crates/a/src/b.rs:1: function `long` has 71 lines of 70: split it where the second thought begins",
            ],
        );
    }

    #[test]
    fn tests_do_not_count() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", code(100, 500));
        check(&format!("{}{tests}", code(70, 400)), "", &[]);
        let repository = Repository::with(&[("crates/a/tests/it/main.rs", &code(100, 500))]);
        assert!(super::check(&repository).is_empty());
    }

    #[test]
    fn exceptions_are_exact() {
        let text = code(80, 410);
        check(&text, "# why\ncrates/a/src/b.rs 410 # split soon\ncrates/a/src/b.rs:long 80\n", &[]);
        check(
            &text,
            "crates/a/src/b.rs 411\ncrates/a/src/b.rs:long 79\n",
            &[
                "crates/a/src/b.rs:1: function `long` has 80 lines of 79: split it where the second thought begins",
                "xtask/tidy-exceptions.txt:1: `crates/a/src/b.rs` is allowed 411 lines and has 410: write 410",
            ],
        );
    }

    #[test]
    fn exceptions_that_are_not_needed_go() {
        check(
            &code(70, 70),
            "crates/a/src/b.rs 500\ncrates/a/src/b.rs:long 70\ncrates/a/src/c.rs 500\ncrates/a/src/b.rs 9\nnonsense\n",
            &[
                "xtask/tidy-exceptions.txt:4: `crates/a/src/b.rs` is listed twice: remove the line",
                "xtask/tidy-exceptions.txt:5: this is not `path limit` or `path:function limit`: write it so",
                "xtask/tidy-exceptions.txt:1: `crates/a/src/b.rs` has 70 lines and needs no exception: remove the line",
                "xtask/tidy-exceptions.txt:2: `crates/a/src/b.rs:long` has 70 lines and needs no exception: remove the line",
                "xtask/tidy-exceptions.txt:3: `crates/a/src/c.rs` does not exist: remove the line",
            ],
        );
    }

    #[test]
    fn of_functions_with_one_name_the_longest_counts() {
        let text = format!("{}{}", code(75, 75), code(72, 72));
        check(
            &text,
            "crates/a/src/b.rs:long 76",
            &[
                "xtask/tidy-exceptions.txt:1: `crates/a/src/b.rs:long` is allowed 76 lines and has 75: write 75",
            ],
        );
    }
}
