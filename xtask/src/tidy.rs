//! `cargo xtask tidy`: the house style that no compiler checks. One file per check; a check reads the repository as
//! plain data and returns findings, so each is tested on a handful of lines.

mod finding;
mod lexer;
mod source;

mod modules;
mod repository;

mod arrows;
mod glossary;
mod leftovers;
mod links;
mod openers;
mod reachable;
mod refusals;
mod rule_ids;
mod scenarios;
mod sizes;

use std::process::ExitCode;

use anyhow::Result;

use crate::workspace::Workspace;
use finding::Finding;
use repository::Repository;

/// Prints every finding and their number; fails when there is one.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let findings = findings(workspace)?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("{}", counted(findings.len()));
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub fn counted(findings: usize) -> String {
    if findings == 1 { "1 finding".to_owned() } else { format!("{findings} findings") }
}

/// Runs all checks, whatever the others found, and sorts what they found by place.
fn findings(workspace: &Workspace) -> Result<Vec<Finding>> {
    let repository = Repository::load(&workspace.root)?;
    let mut findings = arrows::check(&workspace.members, &repository);
    findings.extend(openers::check(&repository));
    findings.extend(sizes::check(&repository));
    findings.extend(glossary::check(&repository, &glossary::outside(&workspace.members)));
    findings.extend(leftovers::check(&repository));
    findings.extend(refusals::check(&repository));
    findings.extend(scenarios::check(&repository));
    findings.extend(reachable::check(&repository));
    findings.extend(rule_ids::check(&repository));
    findings.extend(links::check(&repository));
    findings.sort();
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn findings_are_counted_in_words_a_person_would_use() {
        assert_eq!([counted(0), counted(1), counted(2)], ["0 findings", "1 finding", "2 findings"]);
    }
}
