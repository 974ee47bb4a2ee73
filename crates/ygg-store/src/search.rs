//! What is asked about words: where they stand.

use ygg_domain::id::{ConversationId, MessageId, TopicId};
use ygg_domain::search::Sought;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A message, or a topic by its title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Of the message, or of the event that gave the title.
    pub seq: i64,
    pub conversation: ConversationId,
    pub topic: TopicId,
    /// None: the topic's title.
    pub message: Option<MessageId>,
}

pub trait Search {
    /// Texts of messages and titles of topics before a place of the log, newest first.
    fn found(
        &self,
        workspace: WorkspaceKey,
        sought: &Sought,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Found>>;
}
