//! Which files a Rust file declares as its modules. Two questions are answered from it: which files are compiled at
//! all, and which are compiled for tests only.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::pattern::pattern;

use super::source::{Source, block_end};

/// One `mod name;`, or an `include!`.
#[derive(Debug, PartialEq, Eq)]
pub struct Declared {
    /// Where the file may lie; the first that exists is meant.
    pub candidates: Vec<String>,
    /// Whether it is declared for tests only.
    pub test: bool,
}

static MOD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?:#\s*\[\s*path\s*=\s*"([^"]*)"\s*\]\s*(?:#\s*\[[^\]]*\]\s*)*(?:pub\s*(?:\([^)]*\)\s*)?)?)?\bmod\s+(?:r#)?([A-Za-z_]\w*)\s*([;{])"#,
    )
});
static INCLUDE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\binclude!\s*\(\s*"([^"]*)""#));

/// The modules that `path` declares, with where their files may be.
pub fn declared(path: &str, source: &Source) -> Vec<Declared> {
    let own_folder = folder(path);
    let mut declared = Vec::new();
    let mut enclosing: Vec<(String, usize)> = Vec::new();
    for found in MOD.captures_iter(&source.code) {
        let (Some(name), Some(end)) = (found.get(2), found.get(3)) else {
            continue;
        };
        enclosing.retain(|(_, closes)| *closes > name.start());
        if end.as_str() == "{" {
            enclosing.push((name.as_str().to_owned(), block_end(&source.code, end.start())));
            continue;
        }
        let candidates = match literal(source, &found) {
            Some(given) => vec![join(own_folder, given)],
            None => {
                let mut folder = children(path);
                for (outer, _) in &enclosing {
                    folder = join(&folder, outer);
                }
                let base = join(&folder, name.as_str());
                vec![format!("{base}.rs"), format!("{base}/mod.rs")]
            }
        };
        declared.push(Declared { candidates, test: source.in_test(name.start()) });
    }
    for found in INCLUDE.captures_iter(&source.code) {
        if let (Some(whole), Some(given)) = (found.get(0), literal(source, &found)) {
            let candidates = vec![join(own_folder, given)];
            declared.push(Declared { candidates, test: source.in_test(whole.start()) });
        }
    }
    declared
}

/// The string of the first group, which is blank in the code the pattern was matched on.
fn literal<'a>(source: &'a Source, found: &Captures<'_>) -> Option<&'a str> {
    let start = found.get(1)?.start();
    source.strings.iter().find(|piece| piece.offset == start).map(|piece| piece.text.as_str())
}

/// The folder in which the modules of a file lie.
fn children(path: &str) -> String {
    let own = folder(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_root(path) || name == "mod.rs" { own.to_owned() } else { join(own, name.trim_end_matches(".rs")) }
}

/// Whether cargo compiles this file by itself: the root of a library, a binary, a test, a bench or an example.
pub fn is_root(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [.., "src", "lib.rs" | "main.rs"] | [.., "src", "bin", _] | [.., "src", "bin", _, "main.rs"] => true,
        [.., "tests" | "benches" | "examples", _, "main.rs"] => !parts.contains(&"src"),
        [.., "tests" | "benches" | "examples", file] => !parts.contains(&"src") && file.ends_with(".rs"),
        [.., "build.rs"] => !parts.contains(&"src"),
        _ => false,
    }
}

pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `relative` seen from `folder`, with `.` and `..` resolved; what climbs out of the root keeps its `..`.
pub fn join(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: &[(&str, bool)]) {
        let declared = declared(path, &Source::parse(text));
        let found: Vec<_> =
            declared.iter().map(|module| (module.candidates[0].as_str(), module.test)).collect();
        assert_eq!(found, expected, "{path}: {text}");
    }

    #[test]
    fn modules_lie_beside_roots_and_below_others() {
        check("crates/a/src/lib.rs", "pub mod b;\n// mod no;", &[("crates/a/src/b.rs", false)]);
        check(
            "crates/a/src/b.rs",
            "mod c; mod r#in;",
            &[("crates/a/src/b/c.rs", false), ("crates/a/src/b/in.rs", false)],
        );
        check("crates/a/src/b/mod.rs", "mod c;", &[("crates/a/src/b/c.rs", false)]);
        check("crates/a/tests/it/main.rs", "mod send;", &[("crates/a/tests/it/send.rs", false)]);
        check("crates/a/tests/it.rs", "mod send;", &[("crates/a/tests/send.rs", false)]);
        check("crates/a/src/b.rs", "#[cfg(test)]\nmod tests;", &[("crates/a/src/b/tests.rs", true)]);
        check("crates/a/src/tests/x.rs", "mod y;", &[("crates/a/src/tests/x/y.rs", false)]);
    }

    #[test]
    fn inline_modules_named_paths_and_includes_are_followed() {
        let text = "mod out { mod deep { mod c; } mod d; } mod e;";
        let expected =
            ["out/deep/c.rs", "out/d.rs", "e.rs"].map(|path| (format!("crates/a/src/{path}"), false));
        let expected: Vec<_> = expected.iter().map(|(path, test)| (path.as_str(), *test)).collect();
        check("crates/a/src/lib.rs", text, &expected);
        check(
            "crates/a/src/b.rs",
            "#[path = \"../x/y.rs\"]\npub(crate) mod z;",
            &[("crates/a/x/y.rs", false)],
        );
        let tests = [("crates/a/src/b_tests.rs", true)];
        check("crates/a/src/b.rs", "#[cfg(test)]\n#[path = \"b_tests.rs\"]\nmod tests;", &tests);
        check("crates/a/src/b.rs", "#[path = \"b_tests.rs\"]\n#[cfg(test)]\nmod tests;", &tests);
        check("crates/a/src/b.rs", "include!(\"made.rs\");", &[("crates/a/src/made.rs", false)]);
    }

    #[test]
    fn paths_are_joined() {
        assert_eq!(join("docs/guide", "../a.md"), "docs/a.md");
        assert_eq!(join("", "./a//b"), "a/b");
        assert_eq!(join("docs", "../../a"), "../a");
        assert_eq!(join("", "../../a"), "../../a");
    }
}
