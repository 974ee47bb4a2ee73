//! Rows of `conversations` and `stints`.

use ygg_domain::conversation::{Conversation, Kind, Stint};
use ygg_domain::id::ConversationId;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::conversation::Conversations;
use crate::{Error, Result};

impl<C: Conn> Conversations for Db<C> {
    fn conversation(&self, workspace: WorkspaceKey, id: ConversationId) -> Result<Option<Conversation>> {
        let by_id =
            "SELECT id, kind, anchor, private, made_at FROM conversations WHERE workspace = ?1 AND id = ?2";
        self.known(
            |known| &known.conversations,
            (workspace, id),
            || self.one(by_id, params![workspace.0, id], read),
        )
    }

    fn conversation_of_kind(&self, workspace: WorkspaceKey, kind: &Kind) -> Result<Option<Conversation>> {
        let by_kind = "SELECT id, kind, anchor, private, made_at FROM conversations
             WHERE workspace = ?1 AND kind = ?2 AND anchor = ?3";
        self.known(
            |known| &known.kinds,
            (workspace, kind.name(), kind.anchor()),
            || self.one(by_kind, params![workspace.0, kind.name(), kind.anchor()], read),
        )
    }

    fn conversations(
        &self,
        workspace: WorkspaceKey,
        after: Option<ConversationId>,
        rows: usize,
    ) -> Result<Vec<Conversation>> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        self.many(
            "SELECT id, kind, anchor, private, made_at FROM conversations
             WHERE workspace = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
            params![workspace.0, after, limit(rows)],
            read,
        )
    }

    fn stints(&self, workspace: WorkspaceKey, conversation: ConversationId) -> Result<Vec<ParticipantId>> {
        let of_conversation = "SELECT participant FROM stints
             WHERE workspace = ?1 AND conversation = ?2 AND ended_at IS NULL ORDER BY participant";
        self.known(
            |known| &known.stints,
            (workspace, conversation),
            || {
                let params = params![workspace.0, conversation];
                self.many(of_conversation, params, |row| row.parsed(0, "participant id"))
            },
        )
    }

    fn has_stint(
        &self,
        workspace: WorkspaceKey,
        conversation: ConversationId,
        participant: &ParticipantId,
    ) -> Result<bool> {
        let among = |stints: &Vec<ParticipantId>| stints.contains(participant);
        let known = self.known.as_ref();
        if let Some(is) = known.and_then(|known| known.stints.says(&(workspace, conversation), among)) {
            return Ok(is);
        }
        let found = self.one(
            "SELECT 1 FROM stints
             WHERE workspace = ?1 AND conversation = ?2 AND participant = ?3 AND ended_at IS NULL",
            params![workspace.0, conversation, participant.as_str()],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }

    fn stints_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<ConversationId>> {
        self.many(
            "SELECT conversation FROM stints WHERE workspace = ?1 AND participant = ?2 AND ended_at IS NULL
             ORDER BY conversation",
            params![workspace.0, participant.as_str()],
            |row| row.parsed(0, "conversation id"),
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_conversation(&self, workspace: WorkspaceKey, conversation: &Conversation) -> Result<()> {
        let Conversation { id, kind, made_at } = conversation;
        let private = matches!(kind, Kind::Room { private: true, .. } | Kind::OwnRoom { private: true, .. });
        self.run(
            "INSERT INTO conversations (workspace, id, kind, anchor, private, made_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![workspace.0, *id, kind.name(), kind.anchor(), private, made_at.0],
        )?;
        Ok(())
    }

    pub fn insert_stint(&self, workspace: WorkspaceKey, seq: i64, stint: &Stint) -> Result<()> {
        self.run(
            "INSERT INTO stints (workspace, conversation, participant, seq, begun_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                workspace.0,
                stint.conversation,
                stint.participant.as_str(),
                seq,
                stint.begun_at.0
            ],
        )?;
        Ok(())
    }

    pub fn end_stint(
        &self,
        workspace: WorkspaceKey,
        conversation: ConversationId,
        participant: &ParticipantId,
        at: Timestamp,
    ) -> Result<()> {
        self.run(
            "UPDATE stints SET ended_at = ?4
             WHERE workspace = ?1 AND conversation = ?2 AND participant = ?3 AND ended_at IS NULL",
            params![workspace.0, conversation, participant.as_str(), at.0],
        )?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> Result<Conversation> {
    let (kind, anchor): (String, String) = (row.get(1)?, row.get(2)?);
    Ok(Conversation {
        id: row.parsed(0, "conversation id")?,
        kind: Kind::read(&kind, &anchor, row.get(3)?)
            .ok_or_else(|| Error::corrupt("conversation", format!("{kind} {anchor}")))?,
        made_at: row.at(4)?,
    })
}
