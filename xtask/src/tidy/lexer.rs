//! Tells code from comments and strings in a Rust file. Apart from `syn` because the checks need the comments and the
//! exact lines, and because a file that does not parse yet shall still be checked.

/// A comment or the inside of a string, as written.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where its text begins in the file, in bytes.
    pub offset: usize,
    pub text: String,
}

/// A Rust file taken apart.
pub struct Lexed {
    /// The file with comments and the insides of literals blanked: every offset and line stays where it was.
    pub code: String,
    pub comments: Vec<Piece>,
    pub strings: Vec<Piece>,
}

pub fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        code: text.as_bytes().to_vec(),
        comments: Vec::new(),
        strings: Vec::new(),
    };
    lexer.run();
    Lexed {
        // Whole characters were blanked, so this never has anything to replace.
        code: String::from_utf8_lossy(&lexer.code).into_owned(),
        comments: lexer.comments,
        strings: lexer.strings,
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    code: Vec<u8>,
    comments: Vec<Piece>,
    strings: Vec<Piece>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"//") {
                self.line_comment();
            } else if rest.starts_with(b"/*") {
                self.block_comment();
            } else if rest[0] == b'"' {
                self.string();
            } else if rest[0] == b'\'' {
                self.quote();
            } else if let Some((start, hashes)) = raw_string(rest) {
                self.raw_string(start, hashes);
            } else if is_word(rest[0]) {
                // A whole word at a time, so that the `r` at the end of one never looks like a raw string.
                self.at += rest.iter().take_while(|byte| is_word(**byte)).count();
            } else {
                self.at += 1;
            }
        }
    }

    fn line_comment(&mut self) {
        let length = self.text[self.at..].find('\n').unwrap_or(self.bytes.len() - self.at);
        let end = self.at + length;
        self.comments.push(self.piece(self.at, end));
        self.blank(self.at, end);
        self.at = end;
    }

    /// Block comments nest.
    fn block_comment(&mut self) {
        let (start, mut depth) = (self.at, 0);
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                self.at += 1;
            }
        }
        self.comments.push(self.piece(start, self.at));
        self.blank(start, self.at);
    }

    fn string(&mut self) {
        let start = self.at + 1;
        let mut end = start;
        while end < self.bytes.len() && self.bytes[end] != b'"' {
            end += if self.bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.finish_string(start, end, 1);
    }

    /// `start` bytes lead up to the inside; it ends with a quote and as many hashes as it began with.
    fn raw_string(&mut self, start: usize, hashes: usize) {
        let start = self.at + start;
        let closing = format!("\"{}", "#".repeat(hashes));
        let end = self.text[start..].find(&closing).map_or(self.bytes.len(), |length| start + length);
        self.finish_string(start, end, closing.len());
    }

    fn finish_string(&mut self, start: usize, end: usize, closing: usize) {
        let end = end.min(self.bytes.len());
        self.strings.push(self.piece(start, end));
        self.blank(start, end);
        self.at = (end + closing).min(self.bytes.len());
    }

    /// A character, whose inside is blanked, or the mark of a lifetime, which is code.
    fn quote(&mut self) {
        let inside = self.at + 1;
        let Some(first) = self.text[inside..].chars().next() else {
            self.at = inside;
            return;
        };
        let end = if first == '\\' {
            let after = (inside + 2).min(self.bytes.len());
            self.bytes[after..].iter().position(|byte| *byte == b'\'').map(|length| after + length)
        } else {
            let after = inside + first.len_utf8();
            (self.bytes.get(after) == Some(&b'\'')).then_some(after)
        };
        match end {
            Some(end) => {
                self.blank(inside, end);
                self.at = end + 1;
            }
            None => self.at = inside,
        }
    }

    fn piece(&self, start: usize, end: usize) -> Piece {
        Piece { offset: start, text: self.text[start..end].to_owned() }
    }

    fn blank(&mut self, start: usize, end: usize) {
        for byte in &mut self.code[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// Length of the opening of a raw string at the start of `rest`, and its hashes.
fn raw_string(rest: &[u8]) -> Option<(usize, usize)> {
    let prefix = [&b"r"[..], b"br", b"cr"].into_iter().find(|prefix| rest.starts_with(prefix))?.len();
    let hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    (rest.get(prefix + hashes) == Some(&b'"')).then_some((prefix + hashes + 1, hashes))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str, comments: &[&str], strings: &[&str]) {
        let lexed = lex(text);
        assert_eq!(lexed.code, code, "code of {text}");
        assert_eq!(lexed.code.len(), text.len(), "length of {text}");
        for (pieces, expected) in [(&lexed.comments, comments), (&lexed.strings, strings)] {
            let texts: Vec<_> = pieces.iter().map(|piece| piece.text.as_str()).collect();
            assert_eq!(texts, expected, "pieces of {text}");
            for piece in pieces {
                assert!(text[piece.offset..].starts_with(&piece.text), "offset in {text}");
            }
        }
    }

    #[test]
    fn comments_and_strings_are_taken_out() {
        check("a // b\nc", "a     \nc", &["// b"], &[]);
        check("a /* b /* c */ d */ e", "a                   e", &["/* b /* c */ d */"], &[]);
        check(r#"f("a // b", c)"#, r#"f("      ", c)"#, &[], &["a // b"]);
        check(r#""a\"b" c"#, r#""    " c"#, &[], &[r#"a\"b"#]);
        check(r##"r#"a"b"# c"##, r##"r#"   "# c"##, &[], &[r#"a"b"#]);
        check(r#"br"x" c"y" b"z""#, r#"br" " c" " b" ""#, &[], &["x", "y", "z"]);
        check("\"é\" // ü", "\"  \"      ", &["// ü"], &["é"]);
    }

    #[test]
    fn characters_lifetimes_and_raw_names_are_told_apart() {
        check("'\"' 'a' b'{'", "' ' ' ' b' '", &[], &[]);
        check(r"'\'' '\u{1F600}'", r"'  ' '         '", &[], &[]);
        check("fn f<'a, 'b>(x: &'a str)", "fn f<'a, 'b>(x: &'a str)", &[], &[]);
        check(r#"r#type + bar"x""#, r#"r#type + bar" ""#, &[], &["x"]);
    }

    #[test]
    fn what_never_ends_reaches_to_the_end_of_the_file() {
        check("a \"b", "a \" ", &[], &["b"]);
        check("a \"b\\", "a \"  ", &[], &["b\\"]);
        check("/* a", "    ", &["/* a"], &[]);
        check("r#\"a\"", "r#\"  ", &[], &["a\""]);
        check("'", "'", &[], &[]);
    }
}
