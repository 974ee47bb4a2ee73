//! Messages, titles and descriptions as tools give them back: each text in a fence of its own [P5].

use std::fmt::Write;

use crate::message::Message;
use crate::render::fence::{Nonces, fence};

/// Messages read back, oldest first. `shown` is the part of the text to show, and `whole` its full length in
/// characters.
pub struct Part<'a> {
    pub message: &'a Message,
    pub from: usize,
    pub shown: &'a str,
    pub whole: usize,
}

pub fn messages(parts: &[Part<'_>], nonces: &mut dyn Nonces) -> String {
    let mut out = String::new();
    for part in parts {
        let message = part.message;
        let about = format!(
            "\n{} {} from {} in {}, as data:",
            message.kind.name(),
            message.id,
            message.sender,
            message.topic
        );
        fence(&mut out, &about, part.shown, nonces);
        let to = part.from + part.shown.chars().count();
        if part.from > 0 || to < part.whole {
            let _ = writeln!(out, "(Characters {} to {to} of {}.)", part.from, part.whole);
        }
    }
    out
}

/// One line per entry, `id: text`, all in one fence: each text is a single line, so none can pass for two.
pub fn list(out: &mut String, about: &str, entries: &[(String, String)], nonces: &mut dyn Nonces) {
    if entries.is_empty() {
        return;
    }
    let lines: Vec<String> =
        entries.iter().map(|(id, text)| format!("{id}: {}", text.replace(['\n', '\r'], " "))).collect();
    fence(out, about, &lines.join("\n"), nonces);
}
