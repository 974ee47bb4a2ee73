//! Rows of `messages`.

use ygg_domain::change::Posted;
use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::{Message, MessageType, Origin};
use ygg_domain::name::ParticipantId;
use ygg_domain::topic::State;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::topic::awaited;
use super::{Conn, Db, Row, params};
use crate::message::{Logged, Messages};
use crate::{Error, Result};

/// The columns of a message under the alias `m`, in the order that `read` takes them.
macro_rules! columns {
    () => {
        "m.id, m.topic, m.conversation, m.sender, m.type, m.text, m.body, m.in_reply_to, m.state, m.waiting_for,
         m.origin, m.hop, m.charged, m.sent_at, m.seq"
    };
}
pub(super) use columns;

/// How many columns `columns!` names: where those of a join begin.
pub const WIDTH: usize = 15;

impl<C: Conn> Messages for Db<C> {
    fn message(&self, workspace: WorkspaceKey, id: MessageId) -> Result<Option<Logged>> {
        self.one(
            concat!("SELECT ", columns!(), " FROM messages m WHERE m.workspace = ?1 AND m.id = ?2"),
            params![workspace.0, id],
            read,
        )
    }

    fn messages_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        after: i64,
        rows: usize,
    ) -> Result<Vec<Logged>> {
        self.many(
            concat!(
                "SELECT ",
                columns!(),
                " FROM messages m WHERE m.workspace = ?1 AND m.topic = ?2 AND m.seq > ?3 ORDER BY m.seq LIMIT ?4"
            ),
            params![workspace.0, topic, after, limit(rows)],
            read,
        )
    }

    fn messages_before(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        before: i64,
        rows: usize,
    ) -> Result<Vec<Logged>> {
        let mut found = self.many(
            concat!(
                "SELECT ",
                columns!(),
                " FROM messages m
                 WHERE m.workspace = ?1 AND m.topic = ?2 AND m.seq < ?3 ORDER BY m.seq DESC LIMIT ?4"
            ),
            params![workspace.0, topic, before, limit(rows)],
            read,
        )?;
        found.reverse();
        Ok(found)
    }

    fn asker(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        topic: TopicId,
    ) -> Result<Option<ParticipantId>> {
        self.one(
            "SELECT sender FROM messages WHERE workspace = ?1 AND id = ?2 AND topic = ?3 AND type = 'request'",
            params![workspace.0, request, topic],
            |row| row.parsed(0, "participant id"),
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_message(&self, workspace: WorkspaceKey, seq: i64, posted: &Posted) -> Result<()> {
        let message = &posted.message;
        let fired: Vec<(&str, &str)> = posted.fired.iter().map(|fired| (fired.rule, &*fired.facts)).collect();
        let decision =
            serde_json::to_string(&fired).map_err(|error| Error::corrupt("decision", error.to_string()))?;
        self.run(
            "INSERT INTO messages (workspace, id, seq, topic, conversation, sender, type, text, body, in_reply_to,
                                   state, waiting_for, origin, hop, charged, sent_at, decision)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
            params![
                workspace.0,
                message.id,
                seq,
                message.topic,
                message.conversation,
                message.sender.as_str(),
                message.kind.name(),
                &message.text,
                &message.body,
                message.in_reply_to,
                message.state.as_ref().map(State::name),
                message.state.as_ref().map(awaited).unwrap_or_default(),
                message.origin.message,
                message.origin.hop,
                message.charged,
                message.sent_at.0,
                decision,
            ],
        )?;
        Ok(())
    }
}

/// Reads what `columns!` selected, from the first column on.
pub fn read(row: &Row<'_>) -> Result<Logged> {
    let state: Option<String> = row.get(8)?;
    let state = match state {
        None => None,
        Some(name) => Some(State::read(&name, row.ids(9)?).ok_or_else(|| Error::corrupt("state", name))?),
    };
    let message = Message {
        id: row.parsed(0, "message id")?,
        topic: row.parsed(1, "topic id")?,
        conversation: row.parsed(2, "conversation id")?,
        sender: row.parsed(3, "participant id")?,
        kind: row.named(4, "message type", MessageType::read)?,
        text: row.get(5)?,
        body: row.get(6)?,
        in_reply_to: row.parsed_if(7, "message id")?,
        state,
        origin: Origin { message: row.parsed(10, "message id")?, hop: row.get(11)? },
        charged: row.get(12)?,
        sent_at: row.at(13)?,
    };
    Ok(Logged { message, seq: row.get(14)? })
}
