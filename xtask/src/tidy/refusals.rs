//! Every refusal has a permanent code, and every code a page that explains it to whoever meets it.

use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;

use super::finding::Finding;
use super::repository::Repository;

const REFUSALS: &str = "crates/ygg-domain/src/refusal.rs";

static CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$"));

pub fn check(repository: &Repository) -> Vec<Finding> {
    let Some(source) = repository.files.get(REFUSALS).and_then(|file| file.source.as_ref()) else {
        let remedy = "keep the refusals there, or tell xtask/src/tidy/refusals.rs where they are";
        return vec![Finding::new(REFUSALS, 1, "there is no such file", remedy)];
    };
    let (mut findings, mut codes) = (Vec::new(), 0);
    for function in source.functions().into_iter().filter(|function| function.name == "code") {
        let inside = source.strings.iter().filter(|piece| function.body.contains(&piece.offset));
        for piece in inside.filter(|piece| CODE.is_match(&piece.text)) {
            codes += 1;
            let page = format!("docs/errors/{}.md", piece.text);
            if !repository.files.contains_key(&page) {
                let wrong = format!("the refusal `{}` has no page", piece.text);
                let remedy = format!("write {page}: what happened, why, and what to do");
                findings.push(Finding::new(REFUSALS, source.line_of(piece.offset), wrong, remedy));
            }
        }
    }
    if codes == 0 {
        let remedy = "give each variant its code as a string in `fn code`";
        findings.push(Finding::new(REFUSALS, 1, "no code is found in `fn code`", remedy));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    #[test]
    fn every_code_has_a_page() {
        let text = "fn other() -> &str { \"not_a_code\" }\nimpl Refusal {\npub fn code(&self) -> &'static str {\n\
                    match self {\nA => \"hop_limit\", // \"old_code\"\nB { .. } => \"quota\",\nC => \"Not one\",\n}\n}\n}";
        let repository = Repository::with(&[(REFUSALS, text), ("docs/errors/quota.md", "")]);
        let expected = ["crates/ygg-domain/src/refusal.rs:5: the refusal `hop_limit` has no page"];
        assert_eq!(brief(&check(&repository)), expected);
        let paged = Repository::with(&[
            (REFUSALS, text),
            ("docs/errors/quota.md", ""),
            ("docs/errors/hop_limit.md", ""),
        ]);
        assert!(check(&paged).is_empty());
    }

    #[test]
    fn no_codes_at_all_is_a_finding() {
        let none = Repository::with(&[]);
        assert_eq!(brief(&check(&none)), ["crates/ygg-domain/src/refusal.rs:1: there is no such file"]);
        let empty = Repository::with(&[(REFUSALS, "fn code() {}")]);
        assert_eq!(
            brief(&check(&empty)),
            ["crates/ygg-domain/src/refusal.rs:1: no code is found in `fn code`"]
        );
    }
}
