//! Rows of `messages`.

use std::cell::{Cell, RefCell};

use ygg_domain::change::Posted;
use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::loops::Mark;
use ygg_domain::message::{Fired, Message, MessageType, Origin, REDACTED, Redacted};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::State;
use ygg_domain::topic::timer::{Declared, Wrote};
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::topic::awaited;
use super::{Conn, Db, Row, Value, decision, params};
use crate::message::{Logged, Messages, SameText};
use crate::{Error, Result};

/// The columns of a message under the alias `m`, in the order that `read` takes them.
macro_rules! columns {
    () => {
        "m.id, m.topic, m.conversation, m.sender, m.type, m.text, m.body, m.in_reply_to, m.state, m.waiting_for,
         m.origin, m.hop, m.charged, m.sent_at, m.seq, m.mark, m.turn, m.attached,
         m.redacted_by, m.redacted_at"
    };
}
pub(super) use columns;

/// Messages looked at once for a back-and-forth.
const VOLLEY_PAGE: u32 = 32;

/// How many columns `columns!` names: where those of a join begin.
pub const WIDTH: usize = 20;

/// The column that says whether files go with the message.
const ATTACHED: usize = 17;

impl<C: Conn> Messages for Db<C> {
    fn message(&self, workspace: WorkspaceKey, id: MessageId) -> Result<Option<Logged>> {
        let sql = concat!("SELECT ", columns!(), " FROM messages m WHERE m.workspace = ?1 AND m.id = ?2");
        Ok(self.logged(workspace, sql, params![workspace.0, id])?.pop())
    }

    fn messages_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        after: i64,
        rows: usize,
    ) -> Result<Vec<Logged>> {
        self.logged(
            workspace,
            concat!(
                "SELECT ",
                columns!(),
                " FROM messages m WHERE m.workspace = ?1 AND m.topic = ?2 AND m.seq > ?3 ORDER BY m.seq LIMIT ?4"
            ),
            params![workspace.0, topic, after, limit(rows)],
        )
    }

    fn messages_before(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        before: i64,
        rows: usize,
    ) -> Result<Vec<Logged>> {
        let mut found = self.logged(
            workspace,
            concat!(
                "SELECT ",
                columns!(),
                " FROM messages m
                 WHERE m.workspace = ?1 AND m.topic = ?2 AND m.seq < ?3 ORDER BY m.seq DESC LIMIT ?4"
            ),
            params![workspace.0, topic, before, limit(rows)],
        )?;
        found.reverse();
        Ok(found)
    }

    fn last_written(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Wrote>> {
        self.many(
            "SELECT sender, max(sent_at), max(seq) FROM messages WHERE workspace = ?1 AND topic = ?2
             GROUP BY sender ORDER BY sender",
            params![workspace.0, topic],
            |row| Ok(Wrote { who: row.parsed(0, "participant id")?, at: row.at(1)?, seq: row.get(2)? }),
        )
    }

    fn last_wait(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        waiter: &ParticipantId,
    ) -> Result<Option<Declared>> {
        self.one(
            "SELECT id, origin, hop, seq FROM messages WHERE workspace = ?1 AND topic = ?2 AND sender = ?3 AND state = 'waiting'
             ORDER BY seq DESC LIMIT 1",
            params![workspace.0, topic, waiter.as_str()],
            |row| {
                let message = row.parsed(0, "message id")?;
                Ok(Declared { waiter: waiter.clone(), message, origin: origin(row, 1)?, seq: row.get(3)? })
            },
        )
    }

    fn last_sent(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        sender: &ParticipantId,
        recipient: &ParticipantId,
    ) -> Result<Option<(i64, Timestamp)>> {
        self.one(
            "SELECT m.seq, m.sent_at FROM messages m
             JOIN deliveries d ON d.workspace = m.workspace AND d.message = m.id AND d.recipient = ?4
             WHERE m.workspace = ?1 AND m.topic = ?2 AND m.sender = ?3 ORDER BY m.seq DESC LIMIT 1",
            params![workspace.0, topic, sender.as_str(), recipient.as_str()],
            |row| Ok((row.get(0)?, row.at(1)?)),
        )
    }

    fn farthest(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Option<Origin>> {
        self.one(
            "SELECT m.origin, m.hop FROM messages m WHERE m.workspace = ?1 AND m.topic = ?2 AND EXISTS (
                 SELECT 1 FROM deliveries d WHERE d.workspace = m.workspace AND d.message = m.id AND d.effect = 'wake')
             ORDER BY m.hop DESC, m.seq LIMIT 1",
            params![workspace.0, topic],
            |row| origin(row, 0),
        )
    }

    fn volley(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        between: (&ParticipantId, &ParticipantId),
        rounds: u32,
    ) -> Result<u32> {
        let (one, other) = between;
        let sql = "SELECT m.seq, m.sender, d.effect FROM messages m
             LEFT JOIN deliveries d ON d.workspace = m.workspace AND d.message = m.id
               AND d.recipient = CASE WHEN m.sender = ?3 THEN ?4 ELSE ?3 END
             WHERE m.workspace = ?1 AND m.topic = ?2 AND m.seq < ?5 ORDER BY m.seq DESC LIMIT ?6";
        let (mut woke, mut before) = (0, i64::MAX);
        // A database may send all rows that are asked for: a page at a time, most often the only one.
        loop {
            let page = params![workspace.0, topic, one.as_str(), other.as_str(), before, VOLLEY_PAGE];
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let found: Vec<(i64, String, Option<String>)> = self.many(sql, page, read)?;
            for (seq, sender, effect) in &found {
                if sender != one.as_str() && sender != other.as_str() {
                    return Ok(woke);
                }
                woke += u32::from(effect.as_deref() == Some("wake"));
                if woke >= rounds {
                    return Ok(woke);
                }
                before = *seq;
            }
            if found.len() < VOLLEY_PAGE as usize {
                return Ok(woke);
            }
        }
    }

    fn same_texts(
        &self,
        workspace: WorkspaceKey,
        sender: &ParticipantId,
        recipient: &ParticipantId,
        mark: Mark,
        rows: usize,
    ) -> Result<Vec<SameText>> {
        self.many(
            "SELECT m.topic, m.seq, m.sent_at FROM messages m
             JOIN deliveries d ON d.workspace = m.workspace AND d.message = m.id AND d.recipient = ?3
             WHERE m.workspace = ?1 AND m.sender = ?2 AND m.mark = ?4 ORDER BY m.seq DESC LIMIT ?5",
            params![workspace.0, sender.as_str(), recipient.as_str(), mark.0, limit(rows)],
            |row| Ok(SameText { topic: row.parsed(0, "topic id")?, seq: row.get(1)?, sent_at: row.at(2)? }),
        )
    }

    fn sent_after(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        between: (&ParticipantId, &ParticipantId),
        after: i64,
        rows: usize,
    ) -> Result<usize> {
        let (sender, recipient) = between;
        let found = self.many(
            "SELECT 1 FROM messages m
             JOIN deliveries d ON d.workspace = m.workspace AND d.message = m.id AND d.recipient = ?4
             WHERE m.workspace = ?1 AND m.topic = ?2 AND m.sender = ?3 AND m.seq > ?5 LIMIT ?6",
            params![workspace.0, topic, sender.as_str(), recipient.as_str(), after, limit(rows)],
            |_| Ok(()),
        )?;
        Ok(found.len())
    }

    fn person_after(&self, workspace: WorkspaceKey, topic: TopicId, after: i64) -> Result<bool> {
        let found = self.one(
            "SELECT 1 FROM messages WHERE workspace = ?1 AND topic = ?2 AND seq > ?3 AND sender LIKE 'human.%' LIMIT 1",
            params![workspace.0, topic, after],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
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

    fn sent_in(
        &self,
        workspace: WorkspaceKey,
        turn: TurnId,
        rows: usize,
    ) -> Result<Vec<(TopicId, MessageId)>> {
        self.many(
            "SELECT topic, id FROM messages WHERE workspace = ?1 AND turn = ?2 ORDER BY seq LIMIT ?3",
            params![workspace.0, turn, limit(rows)],
            |row| Ok((row.parsed(0, "topic id")?, row.parsed(1, "message id")?)),
        )
    }

    fn decision(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Fired>> {
        let kept = self.one(
            "SELECT decision FROM messages WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, message],
            |row| row.get::<String>(0),
        )?;
        kept.map_or(Ok(Vec::new()), |kept| decision::read(&kept))
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_message(&self, workspace: WorkspaceKey, seq: i64, posted: &Posted) -> Result<()> {
        let message = &posted.message;
        self.run(
            "INSERT INTO messages (workspace, id, seq, topic, conversation, sender, type, text, body, in_reply_to,
                                   state, waiting_for, origin, hop, charged, sent_at, decision, mark, turn, attached)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
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
                decision::text(&posted.fired),
                message.mark.map(|mark| mark.0),
                message.turn,
                !message.attachments.is_empty(),
            ],
        )?;
        self.add_words(workspace, seq, &posted.index)?;
        self.attach_files(workspace, message)
    }

    /// Nothing that it said is left in a row, nor what texts that say the same would have in common with it.
    pub fn redact_message(
        &self,
        workspace: WorkspaceKey,
        message: MessageId,
        by: &ParticipantId,
        at: Timestamp,
    ) -> Result<()> {
        self.drop_message_words(workspace, message)?;
        self.run(
            "UPDATE messages SET text = ?3, body = NULL, mark = NULL, attached = 0, redacted_by = ?4, redacted_at = ?5
             WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, message, REDACTED, by.as_str(), at.0],
        )?;
        self.delete_attachments(workspace, message)?;
        self.conn.erased();
        Ok(())
    }

    fn logged(
        &self,
        workspace: WorkspaceKey,
        sql: &'static str,
        params: &[Value<'_>],
    ) -> Result<Vec<Logged>> {
        self.messages(workspace, sql, params, read, |logged| &mut logged.message)
    }

    /// What `columns!` selected, and more beside it, with the files of the few messages that carry some.
    pub fn messages<T>(
        &self,
        workspace: WorkspaceKey,
        sql: &'static str,
        params: &[Value<'_>],
        read: impl Fn(&Row<'_>) -> Result<T>,
        message: impl Fn(&mut T) -> &mut Message,
    ) -> Result<Vec<T>> {
        let (number, carrying) = (Cell::new(0), RefCell::new(Vec::new()));
        let mut found = self.many(sql, params, |row| {
            if row.get(ATTACHED)? {
                carrying.borrow_mut().push(number.get());
            }
            number.set(number.get() + 1);
            read(row)
        })?;
        for place in carrying.into_inner() {
            let message = message(&mut found[place]);
            message.attachments = self.attachments(workspace, message.id)?;
        }
        Ok(found)
    }
}

fn origin(row: &Row<'_>, column: usize) -> Result<Origin> {
    Ok(Origin { message: row.parsed(column, "message id")?, hop: row.get(column + 1)? })
}

/// Reads what `columns!` selected, from the first column on, all but the files.
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
        mark: row.get::<Option<i64>>(15)?.map(Mark),
        body: row.get(6)?,
        attachments: Vec::new(),
        in_reply_to: row.parsed_if(7, "message id")?,
        state,
        origin: Origin { message: row.parsed(10, "message id")?, hop: row.get(11)? },
        charged: row.get(12)?,
        sent_at: row.at(13)?,
        turn: row.parsed_if(16, "turn id")?,
        redacted: match row.parsed_if(18, "participant id")? {
            Some(by) => Some(Redacted { by, at: row.at(19)? }),
            None => None,
        },
    };
    Ok(Logged { message, seq: row.get(14)? })
}
