//! Rows of messages, by their place in the log: ids and topics lead to it.

use std::collections::BTreeMap;
use std::ops::Bound;

use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::{Message, MessageType};
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, insert};
use super::{Space, World};
use crate::Result;
use crate::message::{Logged, Messages};

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<i64, Message>,
    seqs: BTreeMap<MessageId, i64>,
    by_topic: Index<TopicId, i64>,
}

impl Table {
    pub fn at(&self, seq: i64) -> Option<&Message> {
        self.rows.get(&seq)
    }

    pub fn seq(&self, id: MessageId) -> Option<i64> {
        self.seqs.get(&id).copied()
    }

    fn logged(&self, seq: i64) -> Option<Logged> {
        self.at(seq).map(|message| Logged { message: message.clone(), seq })
    }
}

impl Messages for World {
    fn message(&self, workspace: WorkspaceKey, id: MessageId) -> Result<Option<Logged>> {
        let messages = &self.space(workspace).messages;
        Ok(messages.seq(id).and_then(|seq| messages.logged(seq)))
    }

    fn messages_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>> {
        let messages = &self.space(workspace).messages;
        let seqs = messages.by_topic.of(&topic).range((Bound::Excluded(after), Bound::Unbounded));
        Ok(seqs.take(limit).filter_map(|seq| messages.logged(*seq)).collect())
    }

    fn messages_before(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Logged>> {
        let messages = &self.space(workspace).messages;
        let seqs = messages.by_topic.of(&topic).range(..before).rev().take(limit);
        let mut found: Vec<Logged> = seqs.filter_map(|seq| messages.logged(*seq)).collect();
        found.reverse();
        Ok(found)
    }

    fn asker(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        topic: TopicId,
    ) -> Result<Option<ParticipantId>> {
        let messages = &self.space(workspace).messages;
        let asked = messages
            .seq(request)
            .and_then(|seq| messages.at(seq))
            .filter(|message| message.topic == topic && message.kind == MessageType::Request);
        Ok(asked.map(|message| message.sender.clone()))
    }
}

impl Space {
    pub fn insert_message(&mut self, seq: i64, message: &Message) -> Result<()> {
        let Table { rows, seqs, by_topic } = &mut self.messages;
        insert(seqs, message.id, seq, "messages.id")?;
        by_topic.insert(message.topic, seq);
        rows.insert(seq, message.clone());
        Ok(())
    }
}
