//! Which crate may see which. The table is the map of ARCHITECTURE.md: nothing points up, no surface sees another or
//! the store, and what tests alone may use is kept apart.

use crate::workspace::{Dependency, Member};

use super::finding::Finding;
use super::repository::Repository;

/// What each crate may depend on. Those of `ANYTHING` are not listed.
const ARROWS: &[(&str, &[&str])] = &[
    ("ygg-domain", &[]),
    ("ygg-wire", &["ygg-domain"]),
    ("ygg-actor", &["ygg-domain"]),
    ("ygg-store", &["ygg-wire", "ygg-domain"]),
    ("ygg-engine", &["ygg-store", "ygg-wire", "ygg-domain"]),
    ("ygg-http", &["ygg-engine", "ygg-wire", "ygg-domain"]),
    ("ygg-mcp", &["ygg-engine", "ygg-wire", "ygg-domain"]),
    ("ygg-mesh", &["ygg-engine", "ygg-actor", "ygg-domain"]),
    ("ygg-outbound", &[]),
    ("ygg-client", &["ygg-wire", "ygg-domain"]),
    ("ygg-relay", &["ygg-client", "ygg-wire", "ygg-domain"]),
    ("ygg-tui", &["ygg-client", "ygg-wire", "ygg-domain"]),
    ("ygg-scenario", &["ygg-http", "ygg-engine", "ygg-store", "ygg-wire", "ygg-domain"]),
    ("ygg-fuzz", &["ygg-scenario", "ygg-mcp", "ygg-engine", "ygg-store", "ygg-wire", "ygg-domain"]),
    ("ygg-bench", &["ygg-engine", "ygg-store", "ygg-wire", "ygg-domain"]),
    ("ygg-proof", &["ygg-scenario", "ygg-engine", "ygg-store", "ygg-wire", "ygg-domain"]),
];

/// Crates that may depend on every other but the one named.
const ANYTHING: &[(&str, &str)] = &[("ygg", "ygg-testkit"), ("ygg-testkit", "ygg")];

/// What tests may use besides.
const FOR_TESTS: &[&str] = &["ygg-testkit", "ygg-scenario", "ygg-client", "ygg-store"];

pub fn check(members: &[Member], repository: &Repository) -> Vec<Finding> {
    let ours: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    let mut findings = Vec::new();
    for member in members {
        if member.name != "xtask" {
            findings.extend(room(member));
        }
        for dependency in &member.dependencies {
            if ours.contains(&dependency.name.as_str())
                && let Some(wrong) = forbidden(&member.name, dependency)
            {
                let line = declaration(repository.text(&member.manifest), &dependency.name);
                let remedy = "use what it needs through a room it may see, or change ARCHITECTURE.md and \
                              xtask/src/tidy/arrows.rs together and say why";
                findings.push(Finding::new(&member.manifest, line, wrong, remedy));
            }
        }
    }
    findings
}

/// A crate lies flat in `crates/` under its own name, and the table knows it.
fn room(member: &Member) -> Vec<Finding> {
    let mut findings = Vec::new();
    let manifest = format!("crates/{}/Cargo.toml", member.name);
    if member.manifest != manifest {
        let wrong = format!("the folder of crate `{}` has another name", member.name);
        findings.push(Finding::new(&member.manifest, 1, wrong, format!("move it to {manifest}")));
    }
    let known = ARROWS.iter().map(|(name, _)| name).chain(ANYTHING.iter().map(|(name, _)| name));
    if !known.into_iter().any(|name| *name == member.name) {
        let wrong = format!("crate `{}` has no place in the table of arrows", member.name);
        let remedy = "say in ARCHITECTURE.md what it may see and add it to xtask/src/tidy/arrows.rs";
        findings.push(Finding::new(&member.manifest, 1, wrong, remedy));
    }
    findings
}

/// What is wrong with the dependency, if anything. A crate without a place is told so once, not for each arrow.
fn forbidden(from: &str, dependency: &Dependency) -> Option<String> {
    let to = dependency.name.as_str();
    if dependency.development && FOR_TESTS.contains(&to) && from != "xtask" {
        return None;
    }
    if let Some((_, except)) = ANYTHING.iter().find(|(name, _)| *name == from) {
        return (to == *except).then(|| format!("`{from}` depends on `{to}`, the one crate it must not see"));
    }
    if from == "xtask" {
        return Some(format!("`xtask` depends on `{to}`, but it has to build when the crates do not"));
    }
    let (_, allowed) = ARROWS.iter().find(|(name, _)| *name == from)?;
    if allowed.contains(&to) {
        return None;
    }
    let sees = if allowed.is_empty() {
        "none of our crates".to_owned()
    } else {
        format!("only {}", allowed.join(", "))
    };
    Some(format!("`{from}` depends on `{to}`, but it may see {sees}"))
}

/// The line of a manifest that declares a dependency.
fn declaration(manifest: Option<&str>, name: &str) -> usize {
    let declares = |line: &str| {
        let line = line.trim_start();
        let key = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
        key || line.contains(&format!("package = \"{name}\"")) || line == format!("[dependencies.{name}]")
    };
    manifest.and_then(|text| text.lines().position(declares)).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    fn member(name: &str, dependencies: &[&str], for_tests: &[&str]) -> Member {
        let declared = |names: &[&str], development| {
            names.iter().map(|name| Dependency { name: (*name).to_owned(), development }).collect::<Vec<_>>()
        };
        let manifest =
            if name == "xtask" { "xtask/Cargo.toml".to_owned() } else { format!("crates/{name}/Cargo.toml") };
        let dependencies = [declared(dependencies, false), declared(for_tests, true)].concat();
        Member { name: name.to_owned(), manifest, dependencies }
    }

    /// Every crate, without arrows, and one with those given.
    fn check(name: &str, dependencies: &[&str], for_tests: &[&str], expected: &[&str]) {
        let names = ARROWS.iter().map(|(name, _)| *name).chain(["ygg", "ygg-testkit", "xtask"]);
        let mut members: Vec<_> =
            names.filter(|other| *other != name).map(|name| member(name, &[], &[])).collect();
        members.push(member(name, dependencies, for_tests));
        let manifest =
            "[package]\n\n[dependencies]\nygg-store.workspace = true\nygg-http = { path = \"x\" }\n";
        let repository = Repository::with(&[("crates/ygg-mcp/Cargo.toml", manifest)]);
        assert_eq!(brief(&super::check(&members, &repository)), expected);
    }

    #[test]
    fn arrows_point_down() {
        check("ygg-domain", &["serde"], &["ygg-testkit"], &[]);
        check("ygg-engine", &["ygg-store", "ygg-wire", "ygg-domain"], &["ygg-scenario", "ygg-client"], &[]);
        check(
            "ygg",
            &["ygg-http", "ygg-mcp", "ygg-store", "ygg-relay", "ygg-scenario"],
            &["ygg-testkit"],
            &[],
        );
        check("ygg-testkit", &["ygg-engine", "ygg-http"], &[], &[]);
        check("ygg-scenario", &["ygg-http", "ygg-engine", "ygg-store", "ygg-wire", "ygg-domain"], &[], &[]);
    }

    #[test]
    fn no_surface_sees_the_store_or_another() {
        check(
            "ygg-mcp",
            &["ygg-store", "ygg-http"],
            &[],
            &[
                "crates/ygg-mcp/Cargo.toml:4: `ygg-mcp` depends on `ygg-store`, but it may see only ygg-engine, ygg-wire, ygg-domain",
                "crates/ygg-mcp/Cargo.toml:5: `ygg-mcp` depends on `ygg-http`, but it may see only ygg-engine, ygg-wire, ygg-domain",
            ],
        );
    }

    #[test]
    fn what_must_not_be_seen_is_named() {
        check(
            "ygg-domain",
            &["ygg-wire"],
            &["ygg-http"],
            &[
                "crates/ygg-domain/Cargo.toml:1: `ygg-domain` depends on `ygg-wire`, but it may see none of our crates",
                "crates/ygg-domain/Cargo.toml:1: `ygg-domain` depends on `ygg-http`, but it may see none of our crates",
            ],
        );
        let testkit =
            "crates/ygg/Cargo.toml:1: `ygg` depends on `ygg-testkit`, the one crate it must not see";
        check("ygg", &["ygg-testkit"], &[], &[testkit]);
        let product =
            "crates/ygg-testkit/Cargo.toml:1: `ygg-testkit` depends on `ygg`, the one crate it must not see";
        check("ygg-testkit", &["ygg"], &[], &[product]);
        let chores =
            "xtask/Cargo.toml:1: `xtask` depends on `ygg-wire`, but it has to build when the crates do not";
        check("xtask", &["ygg-wire"], &[], &[chores]);
    }

    #[test]
    fn a_crate_without_a_place_is_told_so() {
        check(
            "ygg-misc",
            &["ygg-domain"],
            &[],
            &["crates/ygg-misc/Cargo.toml:1: crate `ygg-misc` has no place in the table of arrows"],
        );
    }
}
