//! What is asked about messages.

use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::Message;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A message with its place in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    pub message: Message,
    pub seq: i64,
}

pub trait Messages {
    fn message(&self, workspace: WorkspaceKey, id: MessageId) -> Result<Option<Logged>>;
    /// Oldest first, after `after`.
    fn messages_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>>;
    /// The last ones before `before`, oldest first.
    fn messages_before(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Logged>>;
    /// Who wrote this message, if it is a request of that topic.
    fn asker(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        topic: TopicId,
    ) -> Result<Option<ParticipantId>>;
}
