//! Drafts: what a sender wrote, made sense of. Malformed is never a wake: what cannot stand is dropped with a
//! note and the message becomes an inform [M5].

use sha2::{Digest, Sha256};

use crate::id::{ConversationId, FileId, MessageId, TopicId};
use crate::key::contains_key;
use crate::limits;
use crate::loops::Mark;
use crate::message::MessageType;
use crate::message::absorb::is_backend;
use crate::name::Address;
use crate::refusal::{Refusal, Unit};
use crate::{search, words};

/// A draft as it came in: strings as they stood, nothing checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawDraft {
    pub to: Vec<String>,
    pub kind: Option<String>,
    pub topic_id: Option<String>,
    pub title: Option<String>,
    pub text: Option<String>,
    /// JSON text.
    pub body: Option<String>,
    /// Ids of files.
    pub attachments: Vec<String>,
    pub in_reply_to: Option<String>,
    pub state: Option<String>,
    pub waiting_for: Vec<String>,
    pub conversation_id: Option<String>,
    pub idempotency_key: Option<String>,
    /// Fields of a wrong JSON type: dropped, and the message becomes an inform.
    pub wrong: Vec<&'static str>,
    /// Fields that no draft has, or that the backend alone sets: ignored with a note.
    pub ignored: Vec<String>,
}

/// What was dropped from a draft, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The rule by which it was.
    pub rule: &'static str,
    pub field: String,
    pub note: String,
}

impl Repair {
    /// Rules by which something is dropped.
    pub const RULES: [&str; 7] = ["M1", "M5", "M6", "T2", "T3", "S2", "K5"];

    pub fn new(rule: &'static str, field: impl Into<String>, note: impl Into<String>) -> Self {
        Self { rule, field: field.into(), note: note.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TopicNamed {
    None,
    New,
    Id(TopicId),
    /// Written like no topic's id.
    Nonsense(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConversationNamed {
    Id(ConversationId),
    Nonsense(String),
}

/// The states that a sender may declare [S1].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared {
    Working,
    Waiting,
    NeedsHuman,
    Done,
}

impl Declared {
    fn read(name: &str) -> Option<Self> {
        match name {
            "working" => Some(Self::Working),
            "waiting" => Some(Self::Waiting),
            "needs_human" => Some(Self::NeedsHuman),
            "done" => Some(Self::Done),
            _ => None,
        }
    }
}

/// The sender's own name for a send [M8].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    pub key: String,
    /// Of everything the sender wrote: equal drafts have equal digests.
    pub digest: [u8; 32],
}

/// A draft that makes sense by itself; whom and what it names is looked up next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub to: Vec<Address>,
    pub kind: MessageType,
    pub topic: TopicNamed,
    pub title: Option<String>,
    pub text: String,
    /// What texts that say the same have in common [L1].
    pub mark: Mark,
    /// What the message is found by.
    pub index: String,
    pub body: Option<String>,
    /// Each once, in the order in which they were first named.
    pub attachments: Vec<FileId>,
    pub in_reply_to: Option<MessageId>,
    pub state: Option<Declared>,
    pub waiting_for: Vec<Address>,
    pub conversation: Option<ConversationNamed>,
    pub key: Option<Keyed>,
    pub repairs: Vec<Repair>,
}

impl Draft {
    /// Drops the field, notes why, and makes the message an inform [M5].
    pub fn downgrade(&mut self, field: &str, note: impl Into<String>) {
        self.repairs.push(Repair::new("M5", field, note));
        self.kind = MessageType::Inform;
    }
}

/// Makes sense of a draft, or says why it cannot be understood at all.
pub fn understand(raw: RawDraft) -> Result<Draft, Refusal> {
    check_sizes(&raw)?;
    let attachments = read_attachments(&raw.attachments)?;
    let words = words::of(raw.text.as_deref().unwrap_or_default());
    let key = raw.idempotency_key.clone().map(|key| Keyed { key, digest: digest(&raw) });
    let mut draft = Draft {
        to: distinct(&raw.to),
        kind: MessageType::Inform,
        topic: read_topic(raw.topic_id),
        title: raw.title,
        mark: Mark::of_words(raw.text.as_deref().unwrap_or_default(), &words),
        index: search::index(words),
        text: raw.text.unwrap_or_default(),
        body: raw.body,
        attachments,
        in_reply_to: None,
        state: None,
        waiting_for: raw.waiting_for.iter().map(|entry| Address::read(entry)).collect(),
        conversation: raw.conversation_id.map(|text| match text.parse() {
            Ok(id) => ConversationNamed::Id(id),
            Err(_) => ConversationNamed::Nonsense(text),
        }),
        key,
        repairs: Vec::new(),
    };
    for field in raw.ignored {
        let note = "ignored: a draft has no such field, or the backend sets it";
        draft.repairs.push(Repair::new("M1", field, note));
    }
    leave_backend_out(&mut draft);
    read_kind(&mut draft, raw.kind, &raw.wrong);
    read_in_reply_to(&mut draft, raw.in_reply_to);
    read_state(&mut draft, raw.state);
    for field in raw.wrong.into_iter().filter(|field| *field != "type") {
        draft.downgrade(field, "dropped: it has the wrong JSON type; the message became an inform");
    }
    if draft.kind != MessageType::Response {
        draft.in_reply_to = None;
    }
    Ok(draft)
}

/// Each address once, in the order in which they were first named.
fn distinct(entries: &[String]) -> Vec<Address> {
    let mut addresses = Vec::with_capacity(entries.len());
    for address in entries.iter().map(|entry| Address::read(entry)) {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// A file that was not meant to be left out must not be: what names none is refused, not dropped.
fn read_attachments(named: &[String]) -> Result<Vec<FileId>, Refusal> {
    let mut files = Vec::with_capacity(named.len());
    for name in named {
        let shown = || name.chars().take(limits::ADDRESS_BYTES).collect::<String>();
        let file: FileId = name.parse().map_err(|_| no_such_file(shown()))?;
        if !files.contains(&file) {
            files.push(file);
        }
    }
    Ok(files)
}

/// Unknown, somebody else's, gone: the same for all [W1].
pub fn no_such_file(named: impl std::fmt::Display) -> Refusal {
    Refusal::invalid(format!(
        "There is no file {named} that you could send; upload it, and give the id that you get. Nothing was sent."
    ))
}

/// The backend needs no answers: named beside others it is left out [K5].
fn leave_backend_out(draft: &mut Draft) {
    let others = draft.to.iter().any(|address| !is_backend(address));
    let before = draft.to.len();
    draft.to.retain(|address| !others || !is_backend(address));
    if draft.to.len() < before {
        draft.repairs.push(Repair::new("K5", "to", "system.ygg left out: it needs no answers"));
    }
}

fn check_sizes(raw: &RawDraft) -> Result<(), Refusal> {
    let text = raw.text.as_deref().unwrap_or_default();
    if text.is_empty() && raw.attachments.is_empty() {
        return Err(Refusal::invalid("Give the message a text, or files in attachments."));
    }
    for (what, size, limit, unit) in [
        ("text", text.len(), limits::MESSAGE_TEXT_BYTES, Unit::Bytes),
        ("body", raw.body.as_ref().map_or(0, String::len), limits::MESSAGE_BODY_BYTES, Unit::Bytes),
        ("list in to", raw.to.len(), limits::ADDRESSES, Unit::Entries),
        ("list in waiting_for", raw.waiting_for.len(), limits::ADDRESSES, Unit::Entries),
        ("list in attachments", raw.attachments.len(), limits::ATTACHMENTS, Unit::Entries),
        (
            "idempotency_key",
            raw.idempotency_key.as_ref().map_or(0, String::len),
            limits::IDEMPOTENCY_KEY_BYTES,
            Unit::Bytes,
        ),
    ] {
        if size > limit {
            return Err(Refusal::TooLarge { what, size, limit, unit });
        }
    }
    let fields = [
        &raw.text,
        &raw.title,
        &raw.body,
        &raw.idempotency_key,
        &raw.kind,
        &raw.topic_id,
        &raw.in_reply_to,
        &raw.state,
        &raw.conversation_id,
    ];
    let lists = raw.to.iter().chain(&raw.waiting_for).chain(&raw.attachments).chain(&raw.ignored);
    for part in fields.into_iter().flatten().chain(lists) {
        if part.contains('\0') {
            return Err(Refusal::invalid("Take the NUL character out of the message; no store can keep it."));
        }
        if contains_key(part) {
            return Err(Refusal::invalid(
                "This message contains a Ygg key and was not stored; take it out, and have that key revoked.",
            ));
        }
    }
    Ok(())
}

fn read_topic(named: Option<String>) -> TopicNamed {
    match named {
        None => TopicNamed::None,
        Some(text) if text == "new" => TopicNamed::New,
        Some(text) => text.parse().map_or(TopicNamed::Nonsense(text), TopicNamed::Id),
    }
}

fn read_kind(draft: &mut Draft, kind: Option<String>, wrong: &[&str]) {
    match kind.as_deref().map(MessageType::read) {
        Some(Some(kind)) => draft.kind = kind,
        Some(None) => {
            draft.downgrade("type", "unknown type; it became an inform: use request, response or inform")
        }
        None if wrong.contains(&"type") => draft.downgrade("type", "not a string; it became an inform"),
        None => draft.downgrade("type", "no type; it became an inform, which wakes nobody"),
    }
}

fn read_in_reply_to(draft: &mut Draft, named: Option<String>) {
    let Some(text) = named else { return };
    if draft.kind != MessageType::Response {
        draft.downgrade("in_reply_to", "dropped: only a response answers; the message became an inform");
        return;
    }
    draft.in_reply_to = text.parse().ok();
    if draft.in_reply_to.is_none() {
        draft.repairs.push(Repair::new("M5", "in_reply_to", "dropped: not a message's id"));
    }
}

fn read_state(draft: &mut Draft, state: Option<String>) {
    if let Some(text) = state {
        draft.state = Declared::read(&text);
        if draft.state.is_none() {
            draft.downgrade("state", "dropped: use working, waiting, needs_human or done");
        }
    }
    if !draft.waiting_for.is_empty() && draft.state != Some(Declared::Waiting) {
        draft.waiting_for.clear();
        draft.downgrade(
            "waiting_for",
            "dropped: it goes with state \"waiting\"; the message became an inform",
        );
    }
}

/// Each field behind its name and length, so that no two drafts run together.
fn digest(raw: &RawDraft) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut field = |name: &str, text: &str| {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    for (name, value) in [
        ("type", &raw.kind),
        ("topic_id", &raw.topic_id),
        ("title", &raw.title),
        ("text", &raw.text),
        ("body", &raw.body),
        ("in_reply_to", &raw.in_reply_to),
        ("state", &raw.state),
        ("conversation_id", &raw.conversation_id),
    ] {
        if let Some(text) = value {
            field(name, text);
        }
    }
    raw.to.iter().for_each(|entry| field("to", entry));
    raw.waiting_for.iter().for_each(|entry| field("waiting_for", entry));
    raw.attachments.iter().for_each(|entry| field("attachments", entry));
    hash.finalize().into()
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;
