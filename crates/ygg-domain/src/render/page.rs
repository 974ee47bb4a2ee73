//! Messages, titles and descriptions as tools give them back: each text in a fence of its own [P5].

use std::fmt::Write;

use crate::message::Message;
use crate::render::age;
use crate::render::fence::{Nonces, fence};
use crate::time::Timestamp;

/// Messages read back, oldest first. `shown` is the part of the text to show, and `whole` its full length in
/// characters.
pub struct Part<'a> {
    pub message: &'a Message,
    pub from: usize,
    pub shown: &'a str,
    pub whole: usize,
}

pub fn messages(parts: &[Part<'_>], now: Timestamp, nonces: &mut dyn Nonces) -> String {
    let mut out = String::new();
    for part in parts {
        let message = part.message;
        let about = format!("\n{}, as data:", head(message, now));
        fence(&mut out, &about, part.shown, nonces);
        let to = part.from + part.shown.chars().count();
        if part.from > 0 || to < part.whole {
            let _ = writeln!(out, "(Characters {} to {to} of {}.)", part.from, part.whole);
        }
    }
    out
}

/// Ids, kinds, state and age of one message.
fn head(message: &Message, now: Timestamp) -> String {
    let mut head =
        format!("{} {} from {} in {}", message.kind.name(), message.id, message.sender, message.topic);
    if let Some(request) = message.in_reply_to {
        let _ = write!(head, ", answering {request}");
    }
    if let Some(state) = &message.state {
        let _ = write!(head, ", state {}", state.name());
    }
    let _ = write!(head, ", sent {}", age(now, message.sent_at));
    head
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
