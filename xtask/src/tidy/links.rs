//! Links between pages of the repository lead somewhere. Addresses on the network are not visited: a check has to say
//! the same with and without it.

use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;

use super::finding::Finding;
use super::modules::{folder, join};
use super::repository::Repository;

static INLINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\]\(\s*(?:<([^>]*)>|([^)\s]+))[^)]*\)"));
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s{0,3}\[[^\]^][^\]]*\]:\s*<?([^\s>]+)"));
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\b(?:href|src)="([^"]+)""#));
static CODE_SPAN: LazyLock<Regex> = LazyLock::new(|| pattern("`[^`]*`"));
static SCHEME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)"));

pub fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in repository.texts().filter(|(path, _)| is_page(path)) {
        for (line, target) in links(text) {
            let Some(meant) = file(path, &target) else { continue };
            if meant.starts_with("..") || !repository.exists(&meant) {
                let wrong = format!("the link `{target}` leads nowhere");
                findings.push(Finding::new(path, line, wrong, "mend it, or add the page"));
            }
        }
    }
    findings
}

/// The pages at the root and everything in docs.
fn is_page(path: &str) -> bool {
    path.ends_with(".md") && (!path.contains('/') || path.starts_with("docs/"))
}

/// All links of a page with their lines, code left out.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut fence: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        match fence {
            Some(mark) => {
                if start.starts_with(mark) {
                    fence = None;
                }
                continue;
            }
            None => fence = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark)),
        }
        if fence.is_some() {
            continue;
        }
        let line = CODE_SPAN.replace_all(line, "");
        for kind in [&INLINE, &REFERENCE, &ATTRIBUTE] {
            let found = kind.captures_iter(&line).filter_map(|found| found.get(1).or(found.get(2)));
            links.extend(found.map(|target| (index + 1, target.as_str().to_owned())));
        }
    }
    links
}

/// The path in the repository that a link of a page means; `None` when it leads elsewhere or to the page itself.
fn file(page: &str, target: &str) -> Option<String> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || SCHEME.is_match(target) {
        return None;
    }
    let path = decoded(path);
    let from = if path.starts_with('/') { "" } else { folder(page) };
    Some(join(from, &path))
}

/// `%20` and the like made characters again.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let others = [("docs/guide/first.md", ""), ("docs/a b.md", ""), ("LICENSE", "")];
        let files: Vec<_> = others.into_iter().chain([(path, text)]).collect();
        assert_eq!(brief(&super::check(&Repository::with(&files))), expected, "{text}");
    }

    #[test]
    fn links_that_lead_somewhere_are_fine() {
        check("README.md", "[a](docs/guide/first.md#part) [b](docs) ![c](LICENSE \"title\") [d](#here)", &[]);
        check(
            "README.md",
            "[a](https://example.org/x.md) <a href=\"mailto:x@example.org\"> [b](//example.org)",
            &[],
        );
        check(
            "docs/guide/second.md",
            "[a](first.md) [b](../../LICENSE) [c](/LICENSE) [d](<../a b.md>) [e](../a%20b.md)",
            &[],
        );
        check("docs/x.md", "`[a](gone.md)`\n```\n[b](gone.md)\n```\n[c]: guide/first.md\n[^1]: gone.md", &[]);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        check(
            "docs/x.md",
            "[a](gone.md)\n\n[b][c] [d](../../LICENSE)\n\n[c]: /gone.md\n<img src=\"gone.png\">",
            &[
                "docs/x.md:1: the link `gone.md` leads nowhere",
                "docs/x.md:3: the link `../../LICENSE` leads nowhere",
                "docs/x.md:5: the link `/gone.md` leads nowhere",
                "docs/x.md:6: the link `gone.png` leads nowhere",
            ],
        );
        check("crates/a/README.md", "[a](gone.md)", &[]);
    }
}
