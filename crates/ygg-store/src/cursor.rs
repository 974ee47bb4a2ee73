//! What is asked about how far people have read.

use ygg_domain::cursor::Reading;
use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A topic of a person where something is unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreadTopic {
    pub topic: TopicId,
    pub conversation: ConversationId,
    /// The person has a part in it; else something addressed to them is unread there.
    pub is_party: bool,
    pub unread: usize,
}

pub trait Cursors {
    /// How the person stands in each of these topics, in order of topic, where they have read at least to that place.
    /// One question for all of them.
    fn readings(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        topics: &[TopicId],
        at_least: i64,
    ) -> Result<Vec<Reading>>;
    /// Where something is unread, of the topics that count in what the person has unread in all; in order of topic.
    fn unread_topics(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Vec<UnreadTopic>>;
    /// Whether something addressed to the person up to that place is not read.
    fn has_unread_up_to(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        topic: TopicId,
        seq: i64,
    ) -> Result<bool>;
    /// The place of the newest message of the topic; 0 without any.
    fn newest(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<i64>;
}
