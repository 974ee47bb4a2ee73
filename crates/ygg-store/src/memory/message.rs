//! Rows of messages, by their place in the log: ids and topics lead to it.

use std::collections::BTreeMap;
use std::ops::Bound;

use ygg_domain::change::Posted;
use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::loops::Mark;
use ygg_domain::message::{Fired, Message, MessageType, Origin, REDACTED, Redacted};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::State;
use ygg_domain::topic::timer::{Declared, Wrote};
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, insert};
use super::{Space, World};
use crate::Result;
use crate::message::{Logged, Messages, SameText};

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<i64, Message>,
    seqs: BTreeMap<MessageId, i64>,
    by_topic: Index<TopicId, i64>,
    decisions: BTreeMap<MessageId, Vec<Fired>>,
}

impl Table {
    pub fn at(&self, seq: i64) -> Option<&Message> {
        self.rows.get(&seq)
    }

    pub fn seq(&self, id: MessageId) -> Option<i64> {
        self.seqs.get(&id).copied()
    }

    /// Those of a topic with their places, oldest first.
    pub fn places(&self, topic: TopicId) -> impl DoubleEndedIterator<Item = (i64, &Message)> {
        self.by_topic.of(&topic).iter().filter_map(|seq| self.at(*seq).map(|message| (*seq, message)))
    }

    /// All of them before a place.
    pub fn before(&self, seq: i64) -> impl Iterator<Item = (i64, &Message)> {
        self.rows.range(..seq).map(|(seq, message)| (*seq, message))
    }

    /// How messages were decided is told to nobody any more.
    pub fn forget_decisions(&mut self) {
        self.decisions.clear();
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

    fn last_written(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Wrote>> {
        let mut last: BTreeMap<ParticipantId, (Timestamp, i64)> = BTreeMap::new();
        for (seq, message) in self.space(workspace).messages.places(topic) {
            let (at, place) = last.entry(message.sender.clone()).or_insert((message.sent_at, seq));
            (*at, *place) = ((*at).max(message.sent_at), (*place).max(seq));
        }
        Ok(last.into_iter().map(|(who, (at, seq))| Wrote { who, at, seq }).collect())
    }

    fn last_wait(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        waiter: &ParticipantId,
    ) -> Result<Option<Declared>> {
        let messages = self.space(workspace).messages.places(topic).rev();
        let mut waits = messages.filter(|(_, message)| {
            message.sender == *waiter && matches!(message.state, Some(State::Waiting(_)))
        });
        Ok(waits.next().map(|(seq, message)| {
            let (message, origin) = (message.id, message.origin);
            Declared { waiter: waiter.clone(), message, origin, seq }
        }))
    }

    fn last_sent(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        sender: &ParticipantId,
        recipient: &ParticipantId,
    ) -> Result<Option<(i64, Timestamp)>> {
        let space = self.space(workspace);
        let mut sent = space.sent(topic, sender, recipient).rev();
        Ok(sent.next().map(|(seq, message)| (seq, message.sent_at)))
    }

    fn farthest(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Option<Origin>> {
        let space = self.space(workspace);
        let woke = space.messages.places(topic).filter(|(seq, _)| space.woke_anybody(*seq));
        // Of those as far, the first.
        Ok(woke.map(|(_, message)| message.origin).rev().max_by_key(|origin| origin.hop))
    }

    fn volley(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        between: (&ParticipantId, &ParticipantId),
        rounds: u32,
    ) -> Result<u32> {
        let space = self.space(workspace);
        let (one, other) = between;
        let mut woke = 0;
        for (seq, message) in space.messages.places(topic).rev() {
            let to = match &message.sender {
                sender if sender == one => other,
                sender if sender == other => one,
                _ => break,
            };
            woke += u32::from(space.woke(seq, to));
            if woke >= rounds {
                break;
            }
        }
        Ok(woke)
    }

    fn same_texts(
        &self,
        workspace: WorkspaceKey,
        sender: &ParticipantId,
        recipient: &ParticipantId,
        mark: Mark,
        limit: usize,
    ) -> Result<Vec<SameText>> {
        let space = self.space(workspace);
        let same = space.messages.rows.iter().rev().filter(|(seq, message)| {
            message.sender == *sender && message.mark == Some(mark) && space.is_delivered(**seq, recipient)
        });
        let text = |(seq, message): (&i64, &Message)| SameText {
            topic: message.topic,
            seq: *seq,
            sent_at: message.sent_at,
        };
        Ok(same.take(limit).map(text).collect())
    }

    fn sent_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        between: (&ParticipantId, &ParticipantId),
        after: i64,
        limit: usize,
    ) -> Result<usize> {
        let (sender, recipient) = between;
        let sent = self.space(workspace).sent(topic, sender, recipient);
        Ok(sent.filter(|(seq, _)| *seq > after).take(limit).count())
    }

    fn person_after(&self, workspace: WorkspaceKey, topic: TopicId, after: i64) -> Result<bool> {
        let mut later = self.space(workspace).messages.places(topic).filter(|(seq, _)| *seq > after);
        Ok(later.any(|(_, message)| message.sender.is_person()))
    }

    fn sent_in(
        &self,
        workspace: WorkspaceKey,
        turn: TurnId,
        limit: usize,
    ) -> Result<Vec<(TopicId, MessageId)>> {
        let messages = self.space(workspace).messages.rows.values();
        let sent = messages.filter(|message| message.turn == Some(turn)).take(limit);
        Ok(sent.map(|message| (message.topic, message.id)).collect())
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

    fn decision(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Fired>> {
        Ok(self.space(workspace).messages.decisions.get(&message).cloned().unwrap_or_default())
    }
}

impl Space {
    /// What the sender sent the recipient in a topic, oldest first.
    fn sent(
        &self,
        topic: TopicId,
        sender: &ParticipantId,
        recipient: &ParticipantId,
    ) -> impl DoubleEndedIterator<Item = (i64, &Message)> {
        self.messages
            .places(topic)
            .filter(move |(seq, message)| message.sender == *sender && self.is_delivered(*seq, recipient))
    }

    /// What a removed agent wrote says the same as nobody's text any more.
    pub fn forget_marks(&mut self, sender: &ParticipantId) {
        for message in self.messages.rows.values_mut().filter(|message| message.sender == *sender) {
            message.mark = None;
        }
    }

    pub fn redact_message(&mut self, id: MessageId, by: &ParticipantId, at: Timestamp) {
        let Some(seq) = self.messages.seq(id) else { return };
        let Some(message) = self.messages.rows.get_mut(&seq) else { return };
        let attachments = std::mem::take(&mut message.attachments);
        (message.text, message.body, message.mark) = (REDACTED.to_owned(), None, None);
        message.redacted = Some(Redacted { by: by.clone(), at });
        self.delete_attachments(seq, &attachments);
    }

    pub fn insert_message(&mut self, seq: i64, posted: &Posted) -> Result<()> {
        let Table { rows, seqs, by_topic, decisions } = &mut *self.messages;
        let message = &posted.message;
        insert(seqs, message.id, seq, "messages.id")?;
        by_topic.insert(message.topic, seq);
        rows.insert(seq, message.clone());
        decisions.insert(message.id, posted.fired.clone());
        self.attach_files(seq, message);
        Ok(())
    }
}
