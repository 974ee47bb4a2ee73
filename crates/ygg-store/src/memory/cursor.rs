//! Rows of cursors, and what they leave unread.

use std::collections::{BTreeMap, BTreeSet};

use ygg_domain::cursor::Reading;
use ygg_domain::id::TopicId;
use ygg_domain::limits;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use super::{Space, World};
use crate::Result;
use crate::cursor::{Cursors, UnreadTopic};

#[derive(Clone, Default)]
pub struct Table(BTreeMap<ParticipantId, BTreeMap<TopicId, i64>>);

impl Table {
    fn seq(&self, person: &ParticipantId, topic: TopicId) -> i64 {
        self.0.get(person).and_then(|topics| topics.get(&topic)).copied().unwrap_or(0)
    }
}

impl Cursors for World {
    fn readings(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        topics: &[TopicId],
        at_least: i64,
    ) -> Result<Vec<Reading>> {
        let space = self.space(workspace);
        let named: BTreeSet<TopicId> = topics.iter().copied().collect();
        let reading = |topic| {
            let seq = space.cursors.seq(person, topic).max(at_least);
            let addressed = space.pending_here(person, topic).any(|place| place > seq);
            let concerns_reader = addressed || space.has_part(person, topic);
            Reading { topic, seq, unread: space.unread_after(person, topic, seq), concerns_reader }
        };
        Ok(named.into_iter().map(reading).collect())
    }

    fn unread_topics(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Vec<UnreadTopic>> {
        let space = self.space(workspace);
        let topics: BTreeSet<TopicId> = space.topics_of(person).chain(space.pending_topics(person)).collect();
        let unread = |topic: TopicId| {
            let unread = space.unread_after(person, topic, space.cursors.seq(person, topic));
            let conversation = space.conversation_of(topic)?;
            let is_party = space.has_part(person, topic);
            (unread > 0).then_some(UnreadTopic { topic, conversation, is_party, unread })
        };
        Ok(topics.into_iter().filter_map(unread).collect())
    }

    fn has_unread_up_to(
        &self,
        workspace: WorkspaceKey,
        person: &ParticipantId,
        topic: TopicId,
        seq: i64,
    ) -> Result<bool> {
        Ok(self.space(workspace).pending_here(person, topic).any(|place| place <= seq))
    }

    fn newest(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<i64> {
        let mut places = self.space(workspace).messages.places(topic);
        Ok(places.next_back().map_or(0, |(seq, _)| seq))
    }
}

impl Space {
    pub fn put_cursor(&mut self, person: &ParticipantId, reading: &Reading) {
        self.cursors.0.entry(person.clone()).or_default().insert(reading.topic, reading.seq);
    }

    pub fn forget_cursors(&mut self, person: &ParticipantId) {
        self.cursors.0.remove(person);
    }

    fn unread_after(&self, person: &ParticipantId, topic: TopicId, seq: i64) -> usize {
        let after = self.messages.places(topic).filter(|(place, _)| *place > seq);
        after.filter(|(_, message)| message.sender != *person).take(limits::UNREAD).count()
    }
}
