//! Opening: a new topic, and its conversation where that is made on demand [M6, T2].

use crate::change::Change;
use crate::conversation::{Conversation, Kind, Stint, access};
use crate::id::{ConversationId, Ids, TopicId};
use crate::name::ParticipantId;
use crate::time::Timestamp;
use crate::topic::{Status, Topic};

/// Opens a topic in that conversation, or in a new one of this kind.
pub fn open(
    conversation: Option<ConversationId>,
    kind: &Kind,
    opener: &ParticipantId,
    title: Option<String>,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> Topic {
    let conversation = conversation.unwrap_or_else(|| create(kind, ids, now, changes));
    let topic = Topic {
        id: TopicId::fresh(ids),
        conversation,
        title,
        opener: opener.clone(),
        status: Status::Open,
        opened_at: now,
        closed_at: None,
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
