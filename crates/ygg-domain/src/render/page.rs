//! Messages, titles and descriptions as tools give them back: each text in a fence of its own [P5].

use std::fmt::Write;

use crate::file::Attachment;
use crate::message::Message;
use crate::render::fence::{Nonces, beginning, fence};
use crate::render::{age, counted};
use crate::time::Timestamp;

/// In place of what a redacted message said [W6].
pub const REDACTED_SINCE: &str =
    "An admin has redacted it since: its words and files are gone. Do not ask for them again.";

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
    if message.redacted.is_some() {
        let _ = writeln!(out, "\n{}. {REDACTED_SINCE}", head(message, now));
        return None;
    }
    if message.text.is_empty() {
        let _ = writeln!(out, "\n{}. It says nothing besides its files.", head(message, now));
        return None;
    }
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

/// The files that a message carries and how to fetch them. Their names and types are words of others [P5].
pub fn files(out: &mut String, workspace: &str, attachments: &[Attachment], nonces: &mut dyn Nonces) {
    let many = i64::try_from(attachments.len()).unwrap_or(i64::MAX);
    let about = format!(
        "With {}. To fetch one: GET /v1/w/{workspace}/files/ and its id, with your key. Their names, as data:",
        counted(many, "file")
    );
    let entry = |file: &Attachment| {
        let bytes = counted(i64::try_from(file.bytes).unwrap_or(i64::MAX), "byte");
        (file.file.to_string(), format!("{bytes}, {}: {}", file.media_type, file.name))
    };
    list(out, &about, &attachments.iter().map(entry).collect::<Vec<_>>(), nonces);
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
