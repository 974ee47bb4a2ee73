//! The files of the repository as plain data: what git knows or would add, so that build output and ignored files are
//! never looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use walkdir::WalkDir;

use super::modules::{self, declared};
use super::source::Source;

/// The text of larger files is not read: their size is a finding already.
pub const FILE_BYTES: u64 = 1024 * 1024;

pub struct Repository {
    /// By path from the root, with `/`.
    pub files: BTreeMap<String, File>,
    /// Rust files that are compiled for tests only.
    tests: BTreeSet<String>,
}

pub struct File {
    pub bytes: u64,
    /// `None` when it is not text, or larger than a file may be.
    pub text: Option<String>,
    /// The text taken apart, for Rust files.
    pub source: Option<Source>,
}

impl Repository {
    pub fn load(root: &Path) -> Result<Repository> {
        let mut files = BTreeMap::new();
        for path in listed(root)? {
            let absolute = root.join(&path);
            // Git still lists a file that was deleted but not yet staged.
            let Ok(metadata) = fs::symlink_metadata(&absolute) else { continue };
            if !metadata.is_file() {
                continue;
            }
            let text = if metadata.len() <= FILE_BYTES {
                let bytes = fs::read(&absolute).with_context(|| format!("{path} cannot be read"))?;
                String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
            } else {
                None
            };
            files.insert(path.clone(), file(&path, metadata.len(), text));
        }
        Ok(Repository::of(files))
    }

    fn of(files: BTreeMap<String, File>) -> Repository {
        let tests = test_files(&files);
        Repository { files, tests }
    }

    /// A repository of a few lines, for the tests of the checks.
    #[cfg(test)]
    pub fn with(files: &[(&str, &str)]) -> Repository {
        let made = files.iter().map(|(path, text)| {
            ((*path).to_owned(), file(path, text.len() as u64, Some((*text).to_owned())))
        });
        Repository::of(made.collect())
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.text.as_deref()
    }

    /// All text files, by path.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, file)| Some((path.as_str(), file.text.as_deref()?)))
    }

    /// The Rust files of the crates and of xtask, by path.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files
            .iter()
            .filter(|(path, _)| path.starts_with("crates/") || path.starts_with("xtask/"))
            .filter_map(|(path, file)| Some((path.as_str(), file.source.as_ref()?)))
    }

    /// Whether a file with this path, or a folder with files in it, is there.
    pub fn exists(&self, path: &str) -> bool {
        if path.is_empty() || self.files.contains_key(path) {
            return true;
        }
        let folder = format!("{path}/");
        self.files.range(folder.clone()..).next().is_some_and(|(found, _)| found.starts_with(&folder))
    }

    /// Whether a Rust file is compiled for tests only.
    pub fn is_test(&self, path: &str) -> bool {
        self.tests.contains(path)
    }
}

fn file(path: &str, bytes: u64, text: Option<String>) -> File {
    let source = text.as_deref().filter(|_| path.ends_with(".rs")).map(Source::parse);
    File { bytes, text, source }
}

/// Those in a `tests` folder, those that say so, and those declared under `#[cfg(test)]` with all below them.
fn test_files(files: &BTreeMap<String, File>) -> BTreeSet<String> {
    let sources = || files.iter().filter_map(|(path, file)| Some((path, file.source.as_ref()?)));
    let mut tests: BTreeSet<String> = sources()
        .filter(|(path, source)| path.split('/').any(|part| part == "tests") || source.is_test)
        .map(|(path, _)| path.clone())
        .collect();
    loop {
        let mut more = Vec::new();
        for (path, source) in sources() {
            for module in declared(path, source) {
                if module.test || tests.contains(path) {
                    more.extend(
                        module.candidates.into_iter().find(|candidate| files.contains_key(candidate)),
                    );
                }
            }
        }
        let before = tests.len();
        tests.extend(more);
        if tests.len() == before {
            return tests;
        }
    }
}

/// What git tracks and what it would add; without git, everything but the folders it would ignore.
fn listed(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output();
    if let Ok(output) = output
        && output.status.success()
    {
        let names = output.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        return Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect());
    }
    let ignored = [".git", "target", "node_modules", "dist"];
    let entries = WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| !ignored.iter().any(|name| entry.file_name() == *name));
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.context("the repository cannot be read")?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(root).context("a file lies outside of the repository")?;
            paths.push(modules::join("", &path.to_string_lossy().replace('\\', "/")));
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_compiled_for_tests_are_known() {
        let repository = Repository::with(&[
            ("crates/a/src/lib.rs", "mod b;\n#[cfg(test)]\nmod world;"),
            ("crates/a/src/b.rs", "#[cfg(test)]\nmod tests;"),
            ("crates/a/src/b/tests.rs", "mod deep;"),
            ("crates/a/src/b/tests/deep.rs", ""),
            ("crates/a/src/world/mod.rs", "mod clock;"),
            ("crates/a/src/world/clock.rs", ""),
            ("crates/a/tests/it/main.rs", ""),
        ]);
        let tests: Vec<_> = repository.tests.iter().map(String::as_str).collect();
        assert_eq!(
            tests,
            [
                "crates/a/src/b/tests.rs",
                "crates/a/src/b/tests/deep.rs",
                "crates/a/src/world/clock.rs",
                "crates/a/src/world/mod.rs",
                "crates/a/tests/it/main.rs",
            ]
        );
    }

    #[test]
    fn a_folder_exists_when_it_holds_a_file() {
        let repository = Repository::with(&[("docs/errors/a.md", ""), ("docs-old", "")]);
        for (path, exists) in
            [("docs", true), ("docs/errors", true), ("docs/errors/a.md", true), ("doc", false), ("", true)]
        {
            assert_eq!(repository.exists(path), exists, "{path}");
        }
    }

    #[test]
    fn files_are_read_from_a_folder_without_git() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir_all(folder.path().join("crates/a/src"))?;
        fs::create_dir_all(folder.path().join("target"))?;
        fs::write(folder.path().join("crates/a/src/lib.rs"), "fn a() {}")?;
        fs::write(folder.path().join("picture.png"), [0xff, 0xfe])?;
        fs::write(folder.path().join("target/made.rs"), "")?;
        let repository = Repository::load(folder.path())?;
        let paths: Vec<_> = repository.files.keys().map(String::as_str).collect();
        assert_eq!(paths, ["crates/a/src/lib.rs", "picture.png"]);
        assert!(repository.text("picture.png").is_none());
        assert_eq!(repository.rust().count(), 1);
        Ok(())
    }
}
