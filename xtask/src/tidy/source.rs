//! A Rust file as the checks see it: its code, comments and strings, where its functions are, and which parts of it
//! are compiled for tests only.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::pattern::pattern;

use super::lexer::{Piece, lex};

pub struct Source {
    /// The file with comments and the insides of literals blanked; offsets are those of the file.
    pub code: String,
    pub comments: Vec<Piece>,
    pub strings: Vec<Piece>,
    /// Whether the whole file is compiled for tests only, by `#![cfg(test)]`.
    pub is_test: bool,
    line_starts: Vec<usize>,
    test_ranges: Vec<Range<usize>>,
}

/// A function with a body.
pub struct Function {
    pub name: String,
    /// Where its name stands.
    pub offset: usize,
    /// From its opening brace to past its closing one.
    pub body: Range<usize>,
    /// Lines from `fn` to the closing brace.
    pub lines: usize,
}

static FN: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bfn\s+(?:r#)?([A-Za-z_]\w*)"));
static CFG_TEST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"#(!?)\s*\[\s*cfg\s*\(\s*(?:test\s*\)|all\s*\(\s*test\b)"));

impl Source {
    pub fn parse(text: &str) -> Source {
        let lexed = lex(text);
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(offset, _)| offset + 1)).collect();
        let is_test = CFG_TEST.captures_iter(&lexed.code).any(|found| &found[1] == "!");
        let test_ranges = test_ranges(&lexed.code);
        let (comments, strings) = (lexed.comments, lexed.strings);
        Source { code: lexed.code, comments, strings, is_test, line_starts, test_ranges }
    }

    /// The line of an offset, counted from 1.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= offset)
    }

    /// Whether the place is compiled for tests only.
    pub fn in_test(&self, offset: usize) -> bool {
        self.is_test || self.test_ranges.iter().any(|range| range.contains(&offset))
    }

    /// The lines of the file without the test module that ends it.
    pub fn lines_without_tests(&self) -> usize {
        let end = self.code.trim_end().len();
        let trailing = self.test_ranges.iter().find(|range| range.end == end && self.is_module(range));
        match trailing {
            Some(range) => self.line_of(range.start) - 1,
            None if self.code.ends_with('\n') || self.code.is_empty() => self.line_starts.len() - 1,
            None => self.line_starts.len(),
        }
    }

    fn is_module(&self, range: &Range<usize>) -> bool {
        self.code[range.clone()].split_whitespace().any(|word| word == "mod")
    }

    /// All functions with a body, those inside others and in tests included.
    pub fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for found in FN.captures_iter(&self.code) {
            let (Some(whole), Some(name)) = (found.get(0), found.get(1)) else { continue };
            let Some(open) = body_start(&self.code, name.end()) else { continue };
            let body = open..block_end(&self.code, open);
            let lines = self.line_of(body.end - 1) - self.line_of(whole.start()) + 1;
            functions.push(Function { name: name.as_str().to_owned(), offset: name.start(), body, lines });
        }
        functions
    }
}

/// The opening brace of the body of a function whose name ends at `from`; `None` when it has no body.
fn body_start(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.checked_sub(1)?,
            b'{' if depth == 0 => return Some(offset),
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Past the brace that closes the one at `open`; the end of the file when none does.
pub fn block_end(code: &str, open: usize) -> usize {
    let mut depth = 0usize;
    for (offset, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return offset + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// The items under `#[cfg(test)]`, attributes included.
fn test_ranges(code: &str) -> Vec<Range<usize>> {
    let outer = CFG_TEST.captures_iter(code).filter(|found| found[1].is_empty());
    outer.filter_map(|found| found.get(0)).map(|found| found.start()..item_end(code, found.start())).collect()
}

/// Past the item whose first attribute is at `from`: its closing brace, or its semicolon.
fn item_end(code: &str, from: usize) -> usize {
    let mut depth = 0usize;
    for (offset, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            // The end of what encloses the item, which then was a field or a variant.
            b'}' if depth == 0 => return offset,
            b'}' if depth == 1 => return offset + 1,
            b'}' => depth -= 1,
            b';' if depth == 0 => return offset + 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured_from_fn_to_their_last_brace() {
        let source = Source::parse(
            "/// doc\npub fn one(x: [u8; { 2 }])\n-> u8\n{\n    \"}\"; // }\n}\n\
             trait T { fn none(&self); fn some() {} }\nfn pointer(f: fn(u8)) {\n fn inner() {}\n}\n",
        );
        let found: Vec<_> = source
            .functions()
            .iter()
            .map(|function| (function.name.clone(), source.line_of(function.offset), function.lines))
            .collect();
        let expected = [("one", 2, 5), ("some", 7, 1), ("pointer", 8, 3), ("inner", 9, 1)];
        assert_eq!(found, expected.map(|(name, line, lines)| (name.to_owned(), line, lines)));
    }

    #[test]
    fn code_for_tests_is_known() {
        let text = "fn a() {}\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n fn b() {}\n}\nfn c() {}\n\
                    #[cfg(all(test, unix))]\nuse d;\n#[cfg(not(test))]\nfn e() {}\nstruct S {\n#[cfg(test)]\nf: u8 }\nfn g() {}";
        let source = Source::parse(text);
        let tested = |what: &str| source.in_test(text.find(what).expect(what));
        for what in ["fn b", "use d", "f: u8"] {
            assert!(tested(what), "{what}");
        }
        for what in ["fn a", "fn c", "fn e", "fn g"] {
            assert!(!tested(what), "{what}");
        }
        assert!(!source.is_test);
        assert!(Source::parse("//! x\n#![cfg(test)]\nfn a() {}").is_test);
    }

    #[test]
    fn the_test_module_at_the_end_is_not_counted() {
        let lines = |text| Source::parse(text).lines_without_tests();
        assert_eq!(lines("a\nb\n\n#[cfg(test)]\nmod tests {\n}\n// end\n"), 3);
        assert_eq!(lines("a\n#[cfg(test)]\nmod tests {\n}\nfn b() {}\n"), 5);
        assert_eq!(lines("a\n#[cfg(test)]\nmod tests;\n"), 1);
        assert_eq!(lines("a\n#[cfg(test)]\nfn model() {\n}\n"), 4);
        assert_eq!(lines(""), 0);
        assert_eq!(lines("a"), 1);
    }
}
