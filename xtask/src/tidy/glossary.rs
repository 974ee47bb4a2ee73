//! One word per idea: the words GLOSSARY.md lists as not used in code appear in no name of ours. Names that come from
//! other crates are not ours to choose and are left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;
use crate::workspace::Member;

use super::finding::Finding;
use super::repository::Repository;
use super::source::Source;

const GLOSSARY: &str = "GLOSSARY.md";
const HEADING: &str = "Words we do not use in code";

static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^- `([A-Za-z][A-Za-z0-9_]*)` (?:→|->) use `([^`]+)`(.*)$"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern("`([^`]+)`"));
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Za-z_][A-Za-z0-9_]*"));
/// A `use` with its tree, or a path of at least two parts.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\buse\s+(?:::)?(\w+)\s*::[^;]*|\b([A-Za-z_]\w*)(?:\s*::\s*\w+)+"));
static RENAMED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bas\s+\w+"));

#[derive(Default)]
struct Glossary {
    /// What is not said, as a word or a run of words, and what is said instead.
    words: BTreeMap<Vec<String>, String>,
    /// Whole names that a line allows although they hold its word: "(but `user_agent`)".
    allowed: BTreeSet<String>,
}

/// The crates of others, as paths name them.
pub fn outside(members: &[Member]) -> BTreeSet<String> {
    let ours = |name: &str| members.iter().any(|member| member.name == name);
    let declared = members.iter().flat_map(|member| &member.dependencies).map(|dependency| &dependency.name);
    let others = declared.filter(|name| !ours(name)).map(|name| name.replace('-', "_"));
    others.chain(["std", "core", "alloc"].map(str::to_owned)).collect()
}

pub fn check(repository: &Repository, outside: &BTreeSet<String>) -> Vec<Finding> {
    let Some(text) = repository.text(GLOSSARY) else {
        let remedy = format!("write it, with a section \"{HEADING}\"");
        return vec![Finding::new(GLOSSARY, 1, "there is no glossary", remedy)];
    };
    let (glossary, mut findings) = parse(text);
    for (path, source) in repository.rust() {
        findings.extend(names(path, source, &glossary, outside));
    }
    findings
}

fn parse(text: &str) -> (Glossary, Vec<Finding>) {
    let (mut glossary, mut findings) = (Glossary::default(), Vec::new());
    let is_heading = |line: &str| line.starts_with('#') && line.contains(HEADING);
    let Some(start) = text.lines().position(is_heading) else {
        let wrong = format!("the section \"{HEADING}\" is missing");
        let remedy = "add it at the end, with lines \"- `word` → use `other`\"";
        return (glossary, vec![Finding::new(GLOSSARY, 1, wrong, remedy)]);
    };
    for (index, line) in text.lines().enumerate().skip(start + 1) {
        if line.starts_with('#') {
            break;
        }
        match ENTRY.captures(line) {
            Some(entry) => {
                glossary.words.insert(parts(&entry[1]), entry[2].to_owned());
                let names =
                    QUOTED.captures_iter(&entry[3]).map(|quoted| quoted[1].to_owned()).collect::<Vec<_>>();
                glossary.allowed.extend(names);
            }
            None if line.starts_with("- ") => {
                let remedy = "write \"- `word` → use `other`\"";
                findings.push(Finding::new(
                    GLOSSARY,
                    index + 1,
                    "this line of the list is not understood",
                    remedy,
                ));
            }
            None => {}
        }
    }
    (glossary, findings)
}

/// The first place of each name in a file that holds such a word.
fn names(path: &str, source: &Source, glossary: &Glossary, outside: &BTreeSet<String>) -> Vec<Finding> {
    let foreign = foreign(&source.code, outside);
    let (mut seen, mut findings) = (BTreeSet::new(), Vec::new());
    for found in NAME.find_iter(&source.code) {
        let name = found.as_str();
        if foreign.contains(name) || glossary.allowed.contains(name) || !seen.insert(name) {
            continue;
        }
        let parts = parts(name);
        for (words, instead) in &glossary.words {
            if parts.windows(words.len()).any(|run| run == words) {
                let wrong = format!("the name `{name}` says `{}`", words.join("_"));
                let remedy = format!("say `{instead}`, as GLOSSARY.md does");
                findings.push(Finding::new(path, source.line_of(found.start()), wrong, remedy));
            }
        }
    }
    findings
}

/// The names that a file reaches or brings in by a path that begins in the crate of somebody else.
fn foreign<'a>(code: &'a str, outside: &BTreeSet<String>) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    for found in PATH.captures_iter(code) {
        let root = found.get(1).or(found.get(2));
        if let (Some(whole), Some(root)) = (found.get(0), root)
            && outside.contains(root.as_str())
        {
            names.extend(NAME.find_iter(whole.as_str()).map(|name| name.as_str()));
            for renamed in RENAMED.find_iter(whole.as_str()) {
                let ours = renamed.as_str().split_whitespace().last().unwrap_or_default();
                names.remove(ours);
            }
        }
    }
    names
}

/// The parts of a name in snake or camel case, in lower case: `HTTPServer_id` has `http`, `server` and `id`.
fn parts(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let (mut parts, mut part) = (Vec::new(), String::new());
    for (index, letter) in letters.iter().enumerate() {
        let after = letters.get(index + 1);
        let before = index.checked_sub(1).map(|before| letters[before]);
        let starts = letter.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase())
                || after.is_some_and(|after| after.is_lowercase()));
        if (starts || *letter == '_') && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if *letter != '_' {
            part.extend(letter.to_lowercase());
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    const LIST: &str = "# Glossary\n- `bot` → use `nothing`\n\n## Words we do not use in code\n\nSaid otherwise:\n\
                        - `channel` → use `conversation`\n- `wake_up` → use `wake`\n- `user` → use `person` (but `user_agent`)\n";

    fn check(glossary: &str, text: &str, expected: &[&str]) {
        let repository = Repository::with(&[(GLOSSARY, glossary), ("crates/a/src/b.rs", text)]);
        let outside = BTreeSet::from(["std".to_owned(), "tokio".to_owned()]);
        assert_eq!(brief(&super::check(&repository, &outside)), expected);
    }

    #[test]
    fn names_are_taken_apart() {
        for (name, expected) in [
            ("find_user_by_id", vec!["find", "user", "by", "id"]),
            ("UserId", vec!["user", "id"]),
            ("HTTPServer", vec!["http", "server"]),
            ("MAX_USERS", vec!["max", "users"]),
            ("_x9", vec!["x9"]),
        ] {
            assert_eq!(parts(name), expected, "{name}");
        }
    }

    #[test]
    fn a_word_of_the_list_is_found_in_names_only() {
        check(
            LIST,
            "fn open_channel() {}\n// channel\nstruct Channel(\"user\");\nfn users(bot: u8) { open_channel() }",
            &[
                "crates/a/src/b.rs:1: the name `open_channel` says `channel`",
                "crates/a/src/b.rs:3: the name `Channel` says `channel`",
            ],
        );
    }

    #[test]
    fn a_run_of_words_is_found_in_either_case() {
        check(LIST, "fn make_up(wake: u8, up_wake: u8, wake_upper: u8) {}", &[]);
        check(
            LIST,
            "fn no_wake_up_yet() {}\nstruct WakeUp;",
            &[
                "crates/a/src/b.rs:1: the name `no_wake_up_yet` says `wake_up`",
                "crates/a/src/b.rs:2: the name `WakeUp` says `wake_up`",
            ],
        );
    }

    #[test]
    fn names_of_others_are_left_alone() {
        check(LIST, "use std::sync::mpsc::{self, channel};\nfn a() { channel(); tokio::user::x(); }", &[]);
        check(LIST, "fn user_agent() {}", &[]);
        check(
            LIST,
            "use std::x as user;\nuse crate::channel;",
            &[
                "crates/a/src/b.rs:1: the name `user` says `user`",
                "crates/a/src/b.rs:2: the name `channel` says `channel`",
            ],
        );
    }

    #[test]
    fn the_list_itself_is_checked() {
        check("# Glossary\n", "", &["GLOSSARY.md:1: the section \"Words we do not use in code\" is missing"]);
        let odd = "## Words we do not use in code\n- user: person\n";
        check(odd, "fn user() {}", &["GLOSSARY.md:2: this line of the list is not understood"]);
        let none = Repository::with(&[]);
        assert_eq!(brief(&super::check(&none, &BTreeSet::new())), ["GLOSSARY.md:1: there is no glossary"]);
    }
}
