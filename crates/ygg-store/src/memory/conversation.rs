//! Rows of conversations, and the stays in them that have not ended: of the others nobody asks.

use std::collections::BTreeMap;
use std::ops::Bound;

use ygg_domain::conversation::{Conversation, Kind, Stint};
use ygg_domain::id::ConversationId;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, broken, insert};
use super::{Space, World};
use crate::Result;
use crate::conversation::Conversations;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<ConversationId, Conversation>,
    by_anchor: BTreeMap<Anchor, ConversationId>,
    /// Each with the place in the log where it began.
    stints: Index<ConversationId, (ParticipantId, i64)>,
    stints_of: Index<ParticipantId, (ConversationId, i64)>,
}

/// Name and anchor of a kind: what a conversation is found by.
type Anchor = (&'static str, String);

fn anchor(kind: &Kind) -> Anchor {
    (kind.name(), kind.anchor())
}

impl Conversations for World {
    fn conversation(&self, workspace: WorkspaceKey, id: ConversationId) -> Result<Option<Conversation>> {
        Ok(self.space(workspace).conversations.rows.get(&id).cloned())
    }

    fn conversation_of_kind(&self, workspace: WorkspaceKey, kind: &Kind) -> Result<Option<Conversation>> {
        let Table { rows, by_anchor, .. } = &*self.space(workspace).conversations;
        Ok(by_anchor.get(&anchor(kind)).and_then(|id| rows.get(id)).cloned())
    }

    fn conversations(
        &self,
        workspace: WorkspaceKey,
        after: Option<ConversationId>,
        limit: usize,
    ) -> Result<Vec<Conversation>> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let rows = self.space(workspace).conversations.rows.range((from, Bound::Unbounded));
        Ok(rows.take(limit).map(|(_, row)| row.clone()).collect())
    }

    fn stints(&self, workspace: WorkspaceKey, conversation: ConversationId) -> Result<Vec<ParticipantId>> {
        let stints = self.space(workspace).conversations.stints.of(&conversation);
        Ok(stints.iter().map(|(participant, _)| participant.clone()).collect())
    }

    fn has_stint(
        &self,
        workspace: WorkspaceKey,
        conversation: ConversationId,
        participant: &ParticipantId,
    ) -> Result<bool> {
        let stints = self.space(workspace).conversations.stints.of(&conversation);
        let theirs = (participant.clone(), i64::MIN)..=(participant.clone(), i64::MAX);
        Ok(stints.range(theirs).next().is_some())
    }

    fn stints_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<ConversationId>> {
        let stints = self.space(workspace).conversations.stints_of.of(participant);
        Ok(stints.iter().map(|(conversation, _)| *conversation).collect())
    }
}

impl Space {
    pub fn insert_conversation(&mut self, conversation: &Conversation) -> Result<()> {
        let Table { rows, by_anchor, .. } = &mut *self.conversations;
        let anchor = anchor(&conversation.kind);
        if by_anchor.contains_key(&anchor) {
            return Err(broken("conversations.anchor"));
        }
        insert(rows, conversation.id, conversation.clone(), "conversations.id")?;
        by_anchor.insert(anchor, conversation.id);
        Ok(())
    }

    pub fn insert_stint(&mut self, seq: i64, stint: &Stint) {
        let Table { stints, stints_of, .. } = &mut *self.conversations;
        stints.insert(stint.conversation, (stint.participant.clone(), seq));
        stints_of.insert(stint.participant.clone(), (stint.conversation, seq));
    }

    pub fn end_stint(&mut self, conversation: ConversationId, participant: &ParticipantId) {
        let Table { stints, stints_of, .. } = &mut *self.conversations;
        let theirs = (conversation, i64::MIN)..=(conversation, i64::MAX);
        let ended: Vec<i64> = stints_of.of(participant).range(theirs).map(|(_, seq)| *seq).collect();
        for seq in ended {
            stints.remove(&conversation, &(participant.clone(), seq));
            stints_of.remove(participant, &(conversation, seq));
        }
    }
}
