//! What was meant to be removed before anybody else sees it: unfinished code, marks, skipped tests, paths of one
//! machine, files too large to be kept.

use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;

use super::finding::Finding;
use super::repository::{FILE_BYTES, Repository};
use super::source::Source;

/// A pattern with what is wrong and what to do. No pattern matches its own text, so that this file is checked too.
struct Leftover {
    pattern: Regex,
    wrong: &'static str,
    remedy: &'static str,
}

impl Leftover {
    fn new(text: &str, wrong: &'static str, remedy: &'static str) -> Leftover {
        Leftover { pattern: pattern(text), wrong, remedy }
    }

    fn finding(&self, path: &str, line: usize) -> Finding {
        Finding::new(path, line, self.wrong, self.remedy)
    }
}

static IN_CODE: LazyLock<Vec<Leftover>> = LazyLock::new(|| {
    vec![
        Leftover::new(r"\btodo!", "`todo!` is left in the code", "write what is missing"),
        Leftover::new(r"\bunimplemented!", "`unimplemented!` is left in the code", "write what is missing"),
        Leftover::new(r"\bdbg!", "`dbg!` is left in the code", "remove it, or log with `tracing`"),
        Leftover::new(
            r"#\s*\[\s*(?:ignore\b|cfg_attr\s*\([^\]]*\bignore\b)",
            "a test is skipped",
            "make it run, or remove it: a test that does not run proves nothing",
        ),
    ]
});

static UNWRAP: LazyLock<Leftover> = LazyLock::new(|| {
    Leftover::new(
        r"\.\s*(unwrap)\s*\(\s*\)",
        "`unwrap` outside of tests",
        "return the error, or `expect` with the reason it cannot fail",
    )
});

static MARKS: LazyLock<Leftover> = LazyLock::new(|| {
    Leftover::new(
        r"\b(?:FIX[M]E|XX[X])\b",
        "a mark for later is left",
        "do it now, or open an issue and remove the mark",
    )
});

static IN_TEXT: LazyLock<Vec<Leftover>> = LazyLock::new(|| {
    vec![
        Leftover::new(
            r"(?:^|[^\w.~})*-])/(?:work|root|home)/",
            "the path exists on one machine only",
            "name it from the root of the repository, or use a placeholder",
        ),
        Leftover::new(
            r"\.\./shared\b",
            "this points outside of the repository",
            "bring in what is needed, or say it in own words",
        ),
    ]
});

static RESOLVED: LazyLock<Leftover> = LazyLock::new(|| {
    Leftover::new(
        r#""resolved"\s*:\s*"http"#,
        "the lock file names the registry of one machine",
        "set `omit-lockfile-registry-resolved=true` for npm and write the lock file anew",
    )
});

pub fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, file) in &repository.files {
        if file.bytes > FILE_BYTES {
            let wrong = format!("the file has {} bytes of {FILE_BYTES}", file.bytes);
            findings.push(Finding::new(path, 1, wrong, "make it smaller, or build it instead of keeping it"));
        }
    }
    for (path, source) in repository.rust() {
        findings.extend(in_code(path, source, repository.is_test(path)));
    }
    for (path, text) in repository.texts() {
        findings.extend(in_text(path, text));
    }
    findings
}

fn in_code(path: &str, source: &Source, is_test: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for leftover in IN_CODE.iter() {
        let found = leftover.pattern.find_iter(&source.code);
        findings.extend(found.map(|found| leftover.finding(path, source.line_of(found.start()))));
    }
    if !is_test && !makes_fixtures(path) {
        let found = UNWRAP.pattern.captures_iter(&source.code).filter_map(|found| found.get(1));
        let shipped = found.filter(|found| !source.in_test(found.start()));
        findings.extend(shipped.map(|found| UNWRAP.finding(path, source.line_of(found.start()))));
    }
    findings
}

/// Code that only ever prepares tests and measurements may stop at the first surprise.
fn makes_fixtures(path: &str) -> bool {
    path.starts_with("crates/ygg-testkit/")
        || path.split('/').any(|part| part == "fixtures" || part == "benches")
}

fn in_text(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_lock = is_lock(path);
    for (index, line) in text.lines().enumerate() {
        let mut look = |leftover: &Leftover| {
            if leftover.pattern.is_match(line) {
                findings.push(leftover.finding(path, index + 1));
            }
        };
        IN_TEXT.iter().for_each(&mut look);
        // The sums in a lock file can hold any letters.
        look(if is_lock { &RESOLVED } else { &MARKS });
    }
    findings
}

fn is_lock(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.ends_with(".lock") || name.contains("-lock.") || name == "npm-shrinkwrap.json"
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        assert_eq!(brief(&super::check(&Repository::with(&[(path, text)]))), expected, "{text}");
    }

    #[test]
    fn unfinished_code_is_found_in_tests_too() {
        let text = "fn a() { todo!() }\n// todo!()\n#[cfg(test)]\nmod tests {\n#[test]\n#[ignore = \"slow\"]\nfn b() { dbg!(1); }\n}";
        check(
            "crates/a/src/b.rs",
            text,
            &[
                "crates/a/src/b.rs:1: `todo!` is left in the code",
                "crates/a/src/b.rs:7: `dbg!` is left in the code",
                "crates/a/src/b.rs:6: a test is skipped",
            ],
        );
        check(
            "crates/a/tests/it.rs",
            "#[cfg_attr(windows, ignore)]\nfn a() { unimplemented!(\"x\") }",
            &[
                "crates/a/tests/it.rs:2: `unimplemented!` is left in the code",
                "crates/a/tests/it.rs:1: a test is skipped",
            ],
        );
    }

    #[test]
    fn unwrap_is_for_tests() {
        let text = "fn a() {\n    b()\n        .unwrap();\n    c.unwrap_or(1); // .unwrap()\n}\n#[cfg(test)]\nmod tests { fn d() { e().unwrap() } }";
        check("crates/a/src/b.rs", text, &["crates/a/src/b.rs:3: `unwrap` outside of tests"]);
        check("crates/a/tests/it.rs", text, &[]);
        check("crates/ygg-testkit/src/world.rs", text, &[]);
        check("examples/a.rs", text, &[]);
    }

    #[test]
    fn marks_are_found_in_any_text() {
        let mark = ["FIX", "ME"].concat();
        check("docs/a.md", &format!("a\n{mark}: b"), &["docs/a.md:2: a mark for later is left"]);
        check("a.sh", &["# XX", "X"].concat(), &["a.sh:1: a mark for later is left"]);
        check("a.sh", &["mktemp XXXX", "XX"].concat(), &[]);
        check("package-lock.json", &["sha512-a+XX", "X/b"].concat(), &[]);
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        let wrong = ["a.md:1: the path exists on one machine only"];
        for folder in ["work", "root", "home"] {
            check("a.md", &format!("/{folder}/x"), &wrong);
            check("a.md", &format!("see `/{folder}/x`"), &wrong);
            check("a.md", &format!("file:///{folder}/x"), &wrong);
            check("a.md", &format!("https://example.org/{folder}/x"), &[]);
            check("a.md", &format!("$HOME/{folder}/x ./{folder}/x ~/{folder}/x"), &[]);
        }
        let outside = format!("see {}/shared/x", "..");
        check("a.md", &outside, &["a.md:1: this points outside of the repository"]);
    }

    #[test]
    fn lock_files_name_no_registry_and_no_file_is_huge() {
        let lock = "{\n\"resolved\": \"https://x/y.tgz\"\n}";
        check(
            "console/package-lock.json",
            lock,
            &["console/package-lock.json:2: the lock file names the registry of one machine"],
        );
        check("console/a.json", lock, &[]);
        let large = "a".repeat(1024 * 1024 + 1);
        check("a.txt", &large, &["a.txt:1: the file has 1048577 bytes of 1048576"]);
    }
}
