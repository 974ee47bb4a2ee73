//! Fences: data between two markers with a random nonce that does not occur in it [P2].

use std::fmt::Write;

use crate::render::hidden::{draws_emoji, hides};

/// Gives out fresh 128-bit values that nobody can guess.
pub trait Nonces {
    fn next(&mut self) -> u128;
}

/// Writes `text` between two markers under a line that says whose data it is. `about` is our own text: ids,
/// kinds and names from the small alphabet only.
pub fn fence(out: &mut String, about: &str, text: &str, nonces: &mut dyn Nonces) {
    let shown = show(text);
    let nonce = loop {
        let nonce = format!("{:032x}", nonces.next());
        if !shown.contains(&nonce) {
            break nonce;
        }
    };
    let _ = writeln!(out, "{about}");
    let _ = writeln!(out, "<<<data {nonce}");
    out.push_str(&shown);
    if !shown.ends_with('\n') {
        out.push('\n');
    }
    let _ = writeln!(out, "data {nonce}>>>");
}

/// Text with every character that could hide or reorder it shown as an escape.
pub fn show(text: &str) -> String {
    pieces(text).collect()
}

/// Characters of a text once it is shown.
pub fn shown_chars(text: &str) -> usize {
    pieces(text).map(Piece::chars).sum()
}

/// As much of the beginning of `text` as is shown in `room` characters, at least its first one.
pub fn beginning(text: &str, room: usize) -> &str {
    let mut left = room;
    for (at, piece) in text.char_indices().map(|(at, _)| at).zip(pieces(text)) {
        let chars = piece.chars();
        if chars > left && at > 0 {
            return &text[..at];
        }
        left = left.saturating_sub(chars);
    }
    text
}

/// Whether anything in a text has to be shown as an escape, line ends and tabs apart.
pub fn hides_something(text: &str) -> bool {
    pieces(text).any(|piece| matches!(piece, Piece::Escaped(_)))
}

/// A character, as it is shown.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Plain(char),
    Escaped(char),
}

impl Piece {
    fn chars(self) -> usize {
        match self {
            Self::Plain(_) => 1,
            Self::Escaped(c) => c.escape_unicode().count(),
        }
    }
}

impl FromIterator<Piece> for String {
    fn from_iter<T: IntoIterator<Item = Piece>>(pieces: T) -> Self {
        let mut shown = Self::new();
        for piece in pieces {
            match piece {
                Piece::Plain(c) => shown.push(c),
                Piece::Escaped(c) => shown.extend(c.escape_unicode()),
            }
        }
        shown
    }
}

fn pieces(text: &str) -> impl Iterator<Item = Piece> + '_ {
    let mut before = ['\n'; 2];
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        let c = chars.next()?;
        let control = c.is_control() && c != '\n' && c != '\t';
        let escaped = control || hides(c) && !draws_emoji(&before, c, chars.peek().copied());
        before = [before[1], c];
        Some(if escaped { Piece::Escaped(c) } else { Piece::Plain(c) })
    })
}

#[cfg(test)]
#[path = "fence_tests.rs"]
mod tests;
