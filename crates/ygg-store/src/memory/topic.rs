//! Rows of topics and their parties.

use std::collections::BTreeMap;

use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::refusal::HeldTopic;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::waits::Nudged;
use ygg_domain::topic::{Party, State, Status, Topic};
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, insert};
use super::{Space, World};
use crate::Result;
use crate::topic::{DueTopic, Topics};

/// By who waits and on whom, each with the place of the log of the last one.
type Nudges = BTreeMap<(ParticipantId, ParticipantId), (Nudged, i64)>;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<TopicId, Topic>,
    /// By the place where each got its title.
    titled: BTreeMap<i64, TopicId>,
    by_conversation: Index<ConversationId, TopicId>,
    parties: BTreeMap<TopicId, BTreeMap<ParticipantId, Party>>,
    nudges: BTreeMap<TopicId, Nudges>,
    /// The place of the log at which a party was asked whether it is done.
    asked: BTreeMap<(TopicId, ParticipantId), i64>,
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

    pub fn titled_before(&self, seq: i64) -> impl Iterator<Item = (i64, &Topic)> {
        let titled = self.titled.range(..seq);
        titled.filter_map(|(seq, id)| self.rows.get(id).map(|topic| (*seq, topic)))
    }

    /// Each with its parties and its reminders, in order of opening.
    pub fn all(
        &self,
    ) -> impl Iterator<Item = (&Topic, impl Iterator<Item = &Party>, impl Iterator<Item = &(Nudged, i64)>)>
    {
        self.rows.values().map(|topic| {
            let parties = self.parties.get(&topic.id).into_iter().flat_map(BTreeMap::values);
            let nudges = self.nudges.get(&topic.id).into_iter().flat_map(BTreeMap::values);
            (topic, parties, nudges)
        })
    }

    fn party(&self, topic: TopicId, participant: &ParticipantId) -> Option<&Party> {
        self.parties.get(&topic)?.get(participant)
    }

    fn state(&self, topic: TopicId, participant: &ParticipantId) -> Option<&State> {
        self.party(topic, participant).map(|party| &party.state)
    }
}

impl World {
    fn due(&self) -> impl Iterator<Item = DueTopic> {
        self.spaces.iter().flat_map(|(workspace, space)| {
            let topics = space.topics.rows.values();
            topics.filter_map(|topic| {
                topic.due.map(|at| DueTopic { workspace: *workspace, topic: topic.id, at })
            })
        })
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
        let Table { rows, by_conversation, .. } = &*self.space(workspace).topics;
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
        Ok(parties.map(|(_, party)| party.clone()).collect())
    }

    fn due_topics(&self, by: Timestamp, limit: usize) -> Result<Vec<DueTopic>> {
        let mut found: Vec<DueTopic> = self.due().filter(|due| due.at <= by).collect();
        found.sort_by_key(|due| (due.at, due.workspace, due.topic));
        found.truncate(limit);
        Ok(found)
    }

    fn next_due(&self) -> Result<Option<Timestamp>> {
        Ok(self.due().map(|due| due.at).min())
    }

    fn asked(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<(ParticipantId, i64)>> {
        let asked = self.space(workspace).topics.asked.iter().filter(|((of, _), _)| *of == topic);
        Ok(asked.map(|((_, who), seq)| (who.clone(), *seq)).collect())
    }

    fn nudges(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<(Nudged, i64)>> {
        let nudges = self.space(workspace).topics.nudges.get(&topic).into_iter().flatten();
        Ok(nudges.map(|(_, nudged)| nudged.clone()).collect())
    }

    fn marked_topics(&self, workspace: WorkspaceKey) -> Result<Vec<Topic>> {
        let topics = self.space(workspace).topics.rows.values();
        let marked = |topic: &&Topic| topic.stalled || matches!(topic.status, Status::Paused(_));
        Ok(topics.filter(marked).cloned().collect())
    }

    fn asked_topics(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Topic>> {
        let topics = &self.space(workspace).topics;
        let asked = topics.open_of(participant).filter(|topic| {
            let party = topics.party(topic.id, participant);
            party.is_some_and(|party| party.asked_at.is_some() && party.state != State::Done)
        });
        Ok(asked.cloned().collect())
    }

    fn works_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool> {
        let topics = &self.space(workspace).topics;
        let mut others = topics.open_of(agent).filter(|other| other.id != topic);
        Ok(others.any(|other| {
            let party = topics.party(other.id, agent);
            party.is_some_and(|party| party.declared && party.state == State::Working)
        }))
    }

    fn is_party(&self, workspace: WorkspaceKey, topic: TopicId, participant: &ParticipantId) -> Result<bool> {
        Ok(self.space(workspace).topics.state(topic, participant).is_some())
    }
}

impl Space {
    pub fn insert_topic(&mut self, seq: i64, topic: &Topic) -> Result<()> {
        insert(&mut self.topics.rows, topic.id, topic.clone(), "topics.id")?;
        self.topics.titled.extend(topic.title.as_ref().map(|_| (seq, topic.id)));
        self.topics.by_conversation.insert(topic.conversation, topic.id);
        Ok(())
    }

    pub fn set_title(&mut self, seq: i64, topic: TopicId, title: &str) {
        let Table { rows, titled, .. } = &mut *self.topics;
        if let Some(topic) = rows.get_mut(&topic) {
            topic.title = Some(title.to_owned());
            titled.retain(|_, titled| *titled != topic.id);
            titled.insert(seq, topic.id);
        }
    }

    pub fn close_topic(&mut self, id: TopicId, at: Timestamp) {
        let Table { rows, parties, open, .. } = &mut *self.topics;
        let Some(topic) = rows.get_mut(&id) else { return };
        topic.status = Status::Closed;
        (topic.stalled, topic.due) = (false, None);
        topic.closed_at = Some(at);
        for party in parties.get(&id).into_iter().flat_map(BTreeMap::keys) {
            open.remove(party, &id);
        }
    }

    pub fn mark_topic(&mut self, marked: &Topic) {
        if let Some(topic) = self.topics.rows.get_mut(&marked.id) {
            topic.status = marked.status;
            topic.resumed_at = marked.resumed_at;
            topic.due = marked.due;
            (topic.stalled, topic.looped) = (marked.stalled, marked.looped);
        }
    }

    pub fn write_due(&mut self, topic: TopicId, due: Option<Timestamp>) {
        if let Some(topic) = self.topics.rows.get_mut(&topic) {
            topic.due = due;
        }
    }

    pub fn put_nudged(&mut self, seq: i64, topic: TopicId, nudged: &Nudged) {
        let key = (nudged.waiter.clone(), nudged.on.clone());
        self.topics.nudges.entry(topic).or_default().insert(key, (nudged.clone(), seq));
    }

    pub fn put_party(&mut self, seq: i64, topic: TopicId, party: &Party) {
        let Table { parties, open, asked, .. } = &mut *self.topics;
        let before = parties.entry(topic).or_default().insert(party.participant.clone(), party.clone());
        let place = (topic, party.participant.clone());
        match party.asked_at {
            None => drop(asked.remove(&place)),
            Some(_) if before.is_some_and(|before| before.asked_at == party.asked_at) => {}
            Some(_) => drop(asked.insert(place, seq)),
        }
        open.insert(party.participant.clone(), topic);
    }

    pub fn delete_party(&mut self, topic: TopicId, participant: &ParticipantId) {
        let Table { parties, open, asked, .. } = &mut *self.topics;
        if let Some(parties) = parties.get_mut(&topic) {
            parties.remove(participant);
        }
        asked.remove(&(topic, participant.clone()));
        open.remove(participant, &topic);
    }

    pub fn has_part(&self, participant: &ParticipantId, topic: TopicId) -> bool {
        self.topics.party(topic, participant).is_some()
    }

    /// All that the participant is a party of, closed ones too.
    pub fn topics_of(&self, participant: &ParticipantId) -> impl Iterator<Item = TopicId> {
        let parties = self.topics.parties.iter();
        parties.filter(|(_, parties)| parties.contains_key(participant)).map(|(topic, _)| *topic)
    }

    pub fn conversation_of(&self, topic: TopicId) -> Option<ConversationId> {
        self.topics.rows.get(&topic).map(|topic| topic.conversation)
    }

    /// The participant is a party of nothing any more.
    pub fn delete_parties_of(&mut self, participant: &ParticipantId) {
        let topics: Vec<TopicId> = self.topics.parties.keys().copied().collect();
        for topic in topics {
            self.delete_party(topic, participant);
        }
    }
}
