//! What is asked about topics and their parties.

use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::refusal::HeldTopic;
use ygg_domain::topic::{Party, Topic};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Topics {
    fn topic(&self, workspace: WorkspaceKey, id: TopicId) -> Result<Option<Topic>>;
    /// Newest first, before `before`; of one conversation or of all.
    fn topics(
        &self,
        workspace: WorkspaceKey,
        conversation: Option<ConversationId>,
        before: Option<TopicId>,
        limit: usize,
    ) -> Result<Vec<Topic>>;
    /// Topics not closed that the participant is a party of, in order of id.
    fn open_topics_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Topic>>;
    /// Topics not closed that the agent opened and is not done with, in order of id [T3].
    fn held_topics(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<HeldTopic>>;
    /// In order of id.
    fn parties(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Party>>;
    fn is_party(&self, workspace: WorkspaceKey, topic: TopicId, participant: &ParticipantId) -> Result<bool>;
}
