//! Opening: a new topic, and its conversation where that is made on demand [M6, T2].

use crate::change::Change;
use crate::conversation::{Conversation, Kind, Stint, access};
use crate::id::{ConversationId, Ids, TopicId};
use crate::name::ParticipantId;
use crate::time::Timestamp;
use crate::topic::{Status, Topic};

/// A topic that is to be opened.
pub struct Opening<'a> {
    /// None: in a new one of this kind.
    pub conversation: Option<ConversationId>,
    pub kind: &'a Kind,
    pub opener: &'a ParticipantId,
    pub title: Option<String>,
    /// When its timers are to be looked at first.
    pub due: Timestamp,
}

pub fn open(opening: Opening<'_>, ids: &mut dyn Ids, now: Timestamp, changes: &mut Vec<Change>) -> Topic {
    let Opening { conversation, kind, opener, title, due } = opening;
    let conversation = conversation.unwrap_or_else(|| create(kind, ids, now, changes));
    let topic = Topic {
        id: TopicId::fresh(ids),
        conversation,
        title,
        opener: opener.clone(),
        status: Status::Open,
        opened_at: now,
        closed_at: None,
        resumed_at: None,
        stalled: false,
        looped: false,
        due: Some(due),
    };
    changes.push(Change::TopicOpened(topic.clone()));
    topic
}

/// A new conversation with those who follow from its kind.
pub fn create(kind: &Kind, ids: &mut dyn Ids, now: Timestamp, changes: &mut Vec<Change>) -> ConversationId {
    let id = ConversationId::fresh(ids);
    changes.push(Change::ConversationCreated(Conversation { id, kind: kind.clone(), made_at: now }));
    for participant in access::first_stints(kind) {
        changes.push(Change::ParticipantJoined(Stint { conversation: id, participant, begun_at: now }));
    }
    id
}
