//! Every Rust file is compiled: a test in a file that nobody declares passes for ever. A crate has one integration
//! binary, because each further one is linked and started anew.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::modules::{declared, is_root};
use super::repository::Repository;
use super::source::Source;

pub fn check(repository: &Repository) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, BTreeMap<&str, &Source>> = BTreeMap::new();
    for (path, source) in repository.rust() {
        if let Some(room) = room(path) {
            crates.entry(room).or_default().insert(path, source);
        }
    }
    let mut findings = Vec::new();
    for (room, files) in &crates {
        findings.extend(unreached(files));
        findings.extend(second_binary(room, files));
    }
    findings
}

/// The folder of the crate that a file in `src` or `tests` belongs to.
fn room(path: &str) -> Option<&str> {
    let (room, _) = path.split_once("/src/").or_else(|| path.split_once("/tests/"))?;
    let parts = room.split('/').count();
    (room == "xtask" || (room.starts_with("crates/") && parts == 2)).then_some(room)
}

fn unreached(files: &BTreeMap<&str, &Source>) -> Vec<Finding> {
    let mut reached: BTreeSet<&str> = files.keys().copied().filter(|path| is_root(path)).collect();
    let mut waiting: Vec<&str> = reached.iter().copied().collect();
    while let Some(path) = waiting.pop() {
        let Some(source) = files.get(path) else { continue };
        for module in declared(path, source) {
            let existing =
                module.candidates.iter().find_map(|candidate| files.get_key_value(candidate.as_str()));
            if let Some((found, _)) = existing
                && reached.insert(*found)
            {
                waiting.push(*found);
            }
        }
    }
    let unreached = files.keys().filter(|path| !reached.contains(*path));
    let remedy = "declare it with `mod` in the file above it, or remove it";
    unreached
        .map(|path| Finding::new(path, 1, "no file declares this one, so it is never compiled", remedy))
        .collect()
}

fn second_binary(room: &str, files: &BTreeMap<&str, &Source>) -> Vec<Finding> {
    let tests = format!("{room}/tests/");
    let mut roots = files.keys().filter(|path| path.starts_with(&tests) && is_root(path));
    let Some(first) = roots.next() else { return Vec::new() };
    let wrong = format!("this is a second integration binary beside {first}");
    roots.map(|path| Finding::new(path, 1, wrong.clone(), format!("make it a module of {first}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::brief;
    use super::*;

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(brief(&super::check(&Repository::with(files))), expected);
    }

    #[test]
    fn declared_files_are_reached() {
        check(
            &[
                ("crates/a/src/lib.rs", "mod b;"),
                ("crates/a/src/b.rs", "mod c;\n#[cfg(test)]\nmod tests;"),
                ("crates/a/src/b/c.rs", ""),
                ("crates/a/src/b/tests.rs", ""),
                ("crates/a/src/bin/tool.rs", ""),
                ("crates/a/tests/it/main.rs", "mod send;\nmod world;"),
                ("crates/a/tests/it/send.rs", ""),
                ("crates/a/tests/it/world/mod.rs", "mod clock;"),
                ("crates/a/tests/it/world/clock.rs", ""),
                ("crates/a/build.rs", ""),
                ("xtask/src/main.rs", ""),
            ],
            &[],
        );
    }

    #[test]
    fn forgotten_files_are_found() {
        let wrong = "no file declares this one, so it is never compiled";
        check(
            &[
                ("crates/a/src/lib.rs", "// mod b;"),
                ("crates/a/src/b.rs", "mod c;"),
                ("crates/a/src/b/c.rs", ""),
                ("crates/a/tests/it/main.rs", ""),
                ("crates/a/tests/it/send.rs", ""),
            ],
            &[
                &format!("crates/a/src/b.rs:1: {wrong}"),
                &format!("crates/a/src/b/c.rs:1: {wrong}"),
                &format!("crates/a/tests/it/send.rs:1: {wrong}"),
            ],
        );
    }

    #[test]
    fn one_integration_binary_is_enough() {
        check(
            &[("crates/a/tests/it.rs", ""), ("crates/a/tests/more.rs", ""), ("crates/b/tests/it.rs", "")],
            &["crates/a/tests/more.rs:1: this is a second integration binary beside crates/a/tests/it.rs"],
        );
    }
}
