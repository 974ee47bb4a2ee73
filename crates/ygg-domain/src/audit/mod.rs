//! The audit log: what people decide, and which sends were refused [W3]. An entry holds ids, names and numbers: no text
//! that somebody wrote and no secret [O9].

mod acts;
mod kind;

pub use acts::entries;
pub use kind::Kind;

use std::collections::BTreeMap;

use crate::id::{ConversationId, TopicId};
use crate::name::ParticipantId;
use crate::refusal::Refusal;
use crate::time::Timestamp;

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// The server itself, or its operator.
    Server,
    /// Whoever it is about: somebody who comes in, signs in or changes a password.
    Themselves,
    Participant(ParticipantId),
}

/// One of the few facts beside the ids: a name out of a closed set, an id, a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum {
    Name(String),
    Number(i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub kind: Kind,
    /// None: the server's operator.
    pub by: Option<ParticipantId>,
    /// Whom it is about.
    pub participant: Option<ParticipantId>,
    pub conversation: Option<ConversationId>,
    pub topic: Option<TopicId>,
    pub data: BTreeMap<String, Datum>,
    /// Entries that have this in common are one, which counts them: so nobody fills the log by trying again.
    pub same: Option<String>,
}

impl Entry {
    fn new(kind: Kind, by: Option<ParticipantId>) -> Self {
        let (participant, conversation, topic) = (None, None, None);
        Self { kind, by, participant, conversation, topic, data: BTreeMap::new(), same: None }
    }

    fn about(self, participant: &ParticipantId) -> Self {
        Self { participant: Some(participant.clone()), ..self }
    }

    fn at(self, topic: TopicId, conversation: ConversationId) -> Self {
        Self { topic: Some(topic), conversation: Some(conversation), ..self }
    }

    fn name(mut self, name: &str, value: impl ToString) -> Self {
        self.data.insert(name.to_owned(), Datum::Name(value.to_string()));
        self
    }

    fn number(mut self, name: &str, value: i64) -> Self {
        self.data.insert(name.to_owned(), Datum::Number(value));
        self
    }
}

/// A send that was refused: one entry for each reason, sender and topic that is there.
pub fn refused(sender: &ParticipantId, refusal: &Refusal, topic: Option<TopicId>) -> Entry {
    let reason = refusal.code();
    let place = topic.map_or_else(|| "-".to_owned(), |topic| topic.to_string());
    let entry = Entry::new(Kind::SendRefused, Some(sender.clone())).name("reason", reason);
    Entry { topic, same: Some(format!("refused {reason} {sender} {place}")), ..entry }
}

/// How a private conversation of others was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Somebody opened it.
    Opened,
    /// An open event stream told of it.
    Streamed,
}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Streamed => "streamed",
        }
    }
}

/// One entry for each reader, conversation and UTC day, however often it was read.
pub fn private_read(reader: &ParticipantId, conversation: ConversationId, way: Way, now: Timestamp) -> Entry {
    let (name, day) = (way.name(), now.utc_day());
    let entry = Entry::new(Kind::PrivateRead, Some(reader.clone())).name("way", name);
    let same = Some(format!("read {name} {reader} {conversation} {day}"));
    Entry { conversation: Some(conversation), same, ..entry }
}
