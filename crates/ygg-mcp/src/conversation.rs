//! `ygg_conversation`: a topic read back page by page, or one long text from a character on.

use std::fmt::Write;

use serde::Serialize;
use ygg_domain::participant::Trust;
use ygg_domain::{Refusal, name};
use ygg_engine::{Caller, Engine, ReadBack};
use ygg_wire::message::MessageView;

use crate::answer::{Answer, done};
use crate::arguments::Arguments;

#[derive(Serialize)]
struct Page {
    messages: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest_from: Option<usize>,
}

/// A message without its text and body: those stand fenced in the rendered text alone [P5].
#[derive(Serialize)]
struct Line {
    message_id: String,
    topic_id: String,
    from: String,
    trust: &'static str,
    #[serde(rename = "type")]
    message_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_reply_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    sent_at: String,
    /// Length of the whole text in characters.
    chars: usize,
    /// Ids of the files that it carries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<String>,
}

pub async fn read_back(engine: &Engine, caller: &Caller, arguments: &Arguments) -> Answer {
    match (arguments.text("topic_id")?, arguments.text("message_id")?) {
        (Some(topic), None) => {
            let found = engine.read_back(caller, topic, arguments.whole("before")?).await?;
            Ok(done(topic_text(&found), &page(&found)))
        }
        (None, Some(message)) => {
            let found = engine.read_back_message(caller, message, arguments.from()?).await?;
            Ok(done(message_text(&found), &page(&found)))
        }
        (None, None) | (Some(_), Some(_)) => {
            let what = "Call again with topic_id for a topic, or with message_id for one long message.";
            Err(Refusal::invalid(what).into())
        }
    }
}

fn topic_text(found: &ReadBack) -> String {
    let Some(first) = found.messages.first() else {
        return "No message of this topic is here; nothing was said before that place.".to_owned();
    };
    let mut out = format!("Topic {}, oldest message first.\n{}", first.topic_id, found.text);
    match found.earlier {
        Some(before) => {
            let _ = writeln!(out, "\nMore was said earlier: call ygg_conversation with before {before}.");
        }
        None => out.push_str("\nThis is the beginning of the topic.\n"),
    }
    out
}

fn message_text(found: &ReadBack) -> String {
    let mut out = found.text.trim_start().to_owned();
    if found.rest_from.is_none() {
        out.push_str("\nThis is the end of the text.\n");
    }
    out
}

fn page(found: &ReadBack) -> Page {
    let messages = found.messages.iter().map(line).collect();
    Page { messages, earlier: found.earlier, rest_from: found.rest_from }
}

fn line(message: &MessageView) -> Line {
    Line {
        message_id: message.id.clone(),
        topic_id: message.topic_id.clone(),
        from: message.sender.clone(),
        trust: trust(&message.sender).name(),
        message_type: message.kind.clone(),
        in_reply_to: message.in_reply_to.clone(),
        state: message.state.clone(),
        sent_at: message.sent_at.clone(),
        chars: chars(message),
        attachments: message.attachments.iter().map(|file| file.id.clone()).collect(),
    }
}

/// What is read back is data, an operator's line as well: so nothing here is of more than a participant's trust.
fn trust(sender: &str) -> Trust {
    match sender.parse::<name::ParticipantId>().map(|id| id.kind()) {
        Ok(name::Kind::Hook) | Err(_) => Trust::Public,
        Ok(name::Kind::Person | name::Kind::Agent | name::Kind::System) => Trust::Participant,
    }
}

fn chars(message: &MessageView) -> usize {
    message.text.chars().count()
}
