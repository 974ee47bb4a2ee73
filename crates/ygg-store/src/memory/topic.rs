//! Rows of topics and their parties.

use std::collections::BTreeMap;

use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::refusal::HeldTopic;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::{Party, State, Status, Topic};
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, insert};
use super::{Space, World};
use crate::Result;
use crate::topic::Topics;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<TopicId, Topic>,
    by_conversation: Index<ConversationId, TopicId>,
    parties: BTreeMap<TopicId, BTreeMap<ParticipantId, State>>,
    /// Topics by party. Closing takes a topic out, so that what is over slows nobody down; one that is closed may
    /// still stand here when its parties moved later.
    open: Index<ParticipantId, TopicId>,
}

impl Table {
    /// Topics not closed that the participant is a party of.
    fn open_of(&self, participant: &ParticipantId) -> impl Iterator<Item = &Topic> {
        let topics = self.open.of(participant).iter().filter_map(|id| self.rows.get(id));
        topics.filter(|topic| topic.status != Status::Closed)
    }

    fn state(&self, topic: TopicId, participant: &ParticipantId) -> Option<&State> {
        self.parties.get(&topic)?.get(participant)
    }
}

impl Topics for World {
    fn topic(&self, workspace: WorkspaceKey, id: TopicId) -> Result<Option<Topic>> {
        Ok(self.space(workspace).topics.rows.get(&id).cloned())
    }

    fn topics(
        &self,
        workspace: WorkspaceKey,
        conversation: Option<ConversationId>,
        before: Option<TopicId>,
        limit: usize,
    ) -> Result<Vec<Topic>> {
        let Table { rows, by_conversation, .. } = &self.space(workspace).topics;
        let earlier = |id: &TopicId| before.is_none_or(|before| *id < before);
        let found = match (conversation, before) {
            (None, None) => rows.values().rev().take(limit).cloned().collect(),
            (None, Some(before)) => {
                rows.range(..before).rev().take(limit).map(|(_, row)| row.clone()).collect()
            }
            (Some(conversation), _) => {
                let ids = by_conversation.of(&conversation).iter().rev().filter(|id| earlier(id));
                ids.filter_map(|id| rows.get(id)).take(limit).cloned().collect()
            }
        };
        Ok(found)
    }

    fn open_topics_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Topic>> {
        Ok(self.space(workspace).topics.open_of(participant).cloned().collect())
    }

    fn held_topics(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<HeldTopic>> {
        let topics = &self.space(workspace).topics;
        let held = topics
            .open_of(agent)
            .filter(|topic| topic.opener == *agent && topics.state(topic.id, agent) != Some(&State::Done));
        Ok(held.map(|topic| HeldTopic { id: topic.id, title: topic.title.clone() }).collect())
    }

    fn parties(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Party>> {
        let parties = self.space(workspace).topics.parties.get(&topic).into_iter().flatten();
        let party =
            |(id, state): (&ParticipantId, &State)| Party { participant: id.clone(), state: state.clone() };
        Ok(parties.map(party).collect())
    }

    fn is_party(&self, workspace: WorkspaceKey, topic: TopicId, participant: &ParticipantId) -> Result<bool> {
        Ok(self.space(workspace).topics.state(topic, participant).is_some())
    }
}

impl Space {
    pub fn insert_topic(&mut self, topic: &Topic) -> Result<()> {
        insert(&mut self.topics.rows, topic.id, topic.clone(), "topics.id")?;
        self.topics.by_conversation.insert(topic.conversation, topic.id);
        Ok(())
    }

    pub fn set_title(&mut self, topic: TopicId, title: &str) {
        if let Some(topic) = self.topics.rows.get_mut(&topic) {
            topic.title = Some(title.to_owned());
        }
    }

    pub fn close_topic(&mut self, id: TopicId, at: Timestamp) {
        let Table { rows, parties, open, .. } = &mut self.topics;
        let Some(topic) = rows.get_mut(&id) else { return };
        topic.status = Status::Closed;
        topic.closed_at = Some(at);
        for party in parties.get(&id).into_iter().flat_map(BTreeMap::keys) {
            open.remove(party, &id);
        }
    }

    pub fn put_party(&mut self, topic: TopicId, participant: &ParticipantId, state: &State) {
        let Table { parties, open, .. } = &mut self.topics;
        parties.entry(topic).or_default().insert(participant.clone(), state.clone());
        open.insert(participant.clone(), topic);
    }
}
