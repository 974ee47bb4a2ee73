//! What is asked about topics and their parties.

use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::refusal::HeldTopic;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::waits::Nudged;
use ygg_domain::topic::{Party, Topic};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A topic whose time has come, or will.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTopic {
    pub workspace: WorkspaceKey,
    pub topic: TopicId,
    pub at: Timestamp,
}

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
    /// Topics of all workspaces whose timers are to be looked at by then, the earliest first.
    fn due_topics(&self, by: Timestamp, limit: usize) -> Result<Vec<DueTopic>>;
    /// When the next topic of all workspaces is to be looked at.
    fn next_due(&self) -> Result<Option<Timestamp>>;
    /// How often who was reminded of whom there, each with the place in the log of the last time.
    fn nudges(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<(Nudged, i64)>>;
    /// Where in the log each party that was asked whether it is done was asked, in order of id.
    fn asked(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<(ParticipantId, i64)>>;
    /// Topics that people are shown: paused or stalled, in order of id.
    fn marked_topics(&self, workspace: WorkspaceKey) -> Result<Vec<Topic>>;
    /// Open topics where the participant was asked whether it is done, and is not, in order of id.
    fn asked_topics(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Topic>>;
    /// Whether there is an open topic other than this one where the agent said that it works [K4].
    fn works_elsewhere(&self, workspace: WorkspaceKey, agent: &ParticipantId, topic: TopicId)
    -> Result<bool>;
    fn is_party(&self, workspace: WorkspaceKey, topic: TopicId, participant: &ParticipantId) -> Result<bool>;
}
