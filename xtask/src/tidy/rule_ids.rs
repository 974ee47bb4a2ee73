//! Rules are named by id in comments, texts and scenarios; every id named is one that docs/rules explains, and every
//! rule of the protocol is named by a test or a scenario.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;

use super::finding::Finding;
use super::repository::Repository;

static KNOWN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^- \*\*([A-Z]+[0-9]+[a-z]?)\*\*"));
static BRACKETS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[\s*([A-Z]+[0-9]+[a-z]?(?:\s*,\s*[A-Z]+[0-9]+[a-z]?)*)\s*\]"));
static ID: LazyLock<Regex> = LazyLock::new(|| pattern(r"[A-Z]+[0-9]+[a-z]?"));
static RULES: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:- )?rules\s*:(.*)$"));
static ITEM: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*- "));

/// The rules of what happens to a message; the others name their tests once they are built.
const PROTOCOL: &str = "docs/rules/protocol.md";

pub fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = unknown(repository);
    findings.extend(untested(repository));
    findings
}

fn unknown(repository: &Repository) -> Vec<Finding> {
    let known: BTreeSet<&str> = repository
        .texts()
        .filter(|(path, _)| path.starts_with("docs/rules/") && path.ends_with(".md"))
        .flat_map(|(_, text)| KNOWN.captures_iter(text).filter_map(|found| found.get(1)))
        .map(|id| id.as_str())
        .collect();
    let mut findings = Vec::new();
    let mut look = |path: &str, line: usize, id: &str| {
        if !known.contains(id) {
            let remedy = "name a rule of docs/rules, or write the rule there";
            findings.push(Finding::new(path, line, format!("rule `{id}` is not known"), remedy));
        }
    };
    for (path, source) in repository.rust().filter(|(path, _)| path.starts_with("crates/")) {
        for piece in source.comments.iter().chain(&source.strings) {
            for (offset, id) in in_brackets(&piece.text) {
                look(path, source.line_of(piece.offset + offset), id);
            }
        }
    }
    for (path, text) in scenarios(repository) {
        in_scenario(text).into_iter().for_each(|(line, id)| look(path, line, id));
    }
    findings
}

/// Rules of the protocol that no comment of a test and no `rules:` of a scenario names.
fn untested(repository: &Repository) -> Vec<Finding> {
    let Some(protocol) = repository.text(PROTOCOL) else { return Vec::new() };
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (path, source) in repository.rust().filter(|(path, _)| path.starts_with("crates/")) {
        let all = repository.is_test(path);
        let of_tests = source.comments.iter().filter(|piece| all || source.in_test(piece.offset));
        named.extend(of_tests.flat_map(|piece| in_brackets(&piece.text)).map(|(_, id)| id));
    }
    named.extend(scenarios(repository).flat_map(|(_, text)| in_scenario(text)).map(|(_, id)| id));
    let mut findings = Vec::new();
    for (index, line) in protocol.lines().enumerate() {
        let id = KNOWN.captures(line).and_then(|found| found.get(1)).map(|id| id.as_str());
        let Some(id) = id else { continue };
        if !named.contains(id) {
            let remedy = "write a test that fails when it is broken and name it there in a comment, or a scenario that \
                          names it in its `rules`";
            findings.push(Finding::new(PROTOCOL, index + 1, format!("no test names rule `{id}`"), remedy));
        }
    }
    findings
}

fn scenarios(repository: &Repository) -> impl Iterator<Item = (&str, &str)> {
    let folders = ["scenarios/", "crates/ygg-scenario/tests/"];
    repository.texts().filter(move |(path, _)| {
        folders.iter().any(|folder| path.starts_with(folder))
            && (path.ends_with(".yaml") || path.ends_with(".yml"))
    })
}

/// The ids in `[K3]` and `[S5, S6]`, with where they stand in the text.
fn in_brackets(text: &str) -> Vec<(usize, &str)> {
    let lists = BRACKETS.captures_iter(text).filter_map(|found| found.get(1));
    lists
        .flat_map(|list| ID.find_iter(list.as_str()).map(move |id| (list.start() + id.start(), id.as_str())))
        .collect()
}

/// What the `rules:` of a scenario file name, with the lines: on the same line, over several, or as a list below.
fn in_scenario(text: &str) -> Vec<(usize, &str)> {
    let mut named = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let Some(written) = RULES.captures(line).and_then(|found| found.get(1)) else { continue };
        let written = without_comment(written.as_str());
        named.extend(words(written).map(|word| (index + 1, word)));
        let open = written.contains('[') && !written.contains(']');
        let below = written.trim().is_empty();
        while let Some((index, line)) = lines.next_if(|(_, line)| open || (below && ITEM.is_match(line))) {
            let line = without_comment(line);
            named.extend(words(line).map(|word| (index + 1, word)));
            if open && line.contains(']') {
                break;
            }
        }
    }
    named
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', '[', ']', '"', '\'', '-', ' ', '\t']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    const RULES: &str =
        "# Rules\n- **K3** a wake\n- **S5** a state, see **S6**\n- **O4a** a port\n  - **T9** nested\n";

    fn check(path: &str, text: &str, expected: &[&str]) {
        let repository = Repository::with(&[("docs/rules/plane.md", RULES), (path, text)]);
        assert_eq!(brief(&super::check(&repository)), expected, "{text}");
    }

    #[test]
    fn ids_in_comments_and_strings_are_known() {
        check(
            "crates/a/src/b.rs",
            "// one wake [K3]\nfn a() { b(\"no [S5, O4a]\") } /* x\n [S5,\nK3] */",
            &[],
        );
        check(
            "crates/a/src/b.rs",
            "// [K3, S6]\nlet b = c[A1];\n/* x\n[T9] */ fn d() { \"[Z1]\" }",
            &[
                "crates/a/src/b.rs:1: rule `S6` is not known",
                "crates/a/src/b.rs:4: rule `T9` is not known",
                "crates/a/src/b.rs:4: rule `Z1` is not known",
            ],
        );
        check("crates/a/src/b.rs", "// [`K9`] [k9] [K9 to K10] `c[i]`", &[]);
        check("xtask/src/main.rs", "// [Z9]", &[]);
    }

    #[test]
    fn ids_in_scenarios_are_known() {
        check("scenarios/a.yaml", "name: x\nrules: [K3, \"S5\"] # [Z1]\n---\nrules: O4a\n", &[]);
        check(
            "scenarios/a.yaml",
            "rules: [K3, Z1]\n---\nrules:\n  - S5\n  - Z2\nsteps:\n  - Z3\n---\nrules: [S5,\n  Z4]\nsteps: []\n---\nrules: [wakes]\n",
            &[
                "scenarios/a.yaml:1: rule `Z1` is not known",
                "scenarios/a.yaml:5: rule `Z2` is not known",
                "scenarios/a.yaml:10: rule `Z4` is not known",
                "scenarios/a.yaml:13: rule `wakes` is not known",
            ],
        );
    }

    #[test]
    fn every_rule_of_the_protocol_is_named_by_a_test_or_a_scenario() {
        let check = |path: &str, text: &str, expected: &[&str]| {
            let rules = "# Rules\n- **K3** a wake\n- **S5** a state\n";
            let repository = Repository::with(&[("docs/rules/protocol.md", rules), (path, text)]);
            let expected: Vec<String> =
                expected.iter().map(|found| format!("docs/rules/protocol.md:{found}")).collect();
            assert_eq!(brief(&super::check(&repository)), expected, "{text}");
        };
        let (k3, s5) = ("2: no test names rule `K3`", "3: no test names rule `S5`");
        check("crates/a/tests/it/b.rs", "/// A wake [K3], a state [S5].\nfn a() {}", &[]);
        check("crates/a/src/b.rs", "// [K3, S5]\n#[cfg(test)]\nmod tests { /* [S5] */ }", &[k3]);
        check("crates/a/src/b.rs", "#![cfg(test)]\n//! [K3]", &[s5]);
        check("crates/a/tests/it/b.rs", "fn a() { \"[K3]\" } // S5", &[k3, s5]);
        check("scenarios/a.yaml", "rules: [K3]\n---\nrules:\n  - S5\n", &[]);
        check("crates/ygg-scenario/tests/law/a.yaml", "name: \"[S5]\"\nrules: [K3]\n", &[s5]);
        check("docs/a.yaml", "rules: [K3, S5]\n", &[k3, s5]);
    }
}
