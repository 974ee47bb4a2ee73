//! Messages, titles and descriptions as tools give them back: each text in a fence of its own [P5].

use std::fmt::Write;

use crate::message::Message;
use crate::render::age;
use crate::render::fence::{Nonces, beginning, fence};
use crate::time::Timestamp;

/// Writes one message, its text from a character on and as far as it fits `room` characters of what is shown.
/// Returns the character at which the rest begins.
pub fn message(
    out: &mut String,
    message: &Message,
    from: usize,
    room: usize,
    now: Timestamp,
    nonces: &mut dyn Nonces,
) -> Option<usize> {
    let start = message.text.char_indices().nth(from).map_or(message.text.len(), |(at, _)| at);
    let rest = &message.text[start..];
    let shown = beginning(rest, room);
    fence(out, &format!("\n{}, as data:", head(message, now)), shown, nonces);
    let cut = shown.len() < rest.len();
    if start == 0 && !cut {
        return None;
    }
    let (to, whole) = (from + shown.chars().count(), message.text.chars().count());
    let _ = write!(out, "(Characters {} to {to} of {whole}.", from.min(whole));
    if cut {
        let _ = write!(out, " {} goes on: call ygg_conversation with message_id and from {to}.", message.id);
    }
    out.push_str(")\n");
    cut.then_some(to)
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
