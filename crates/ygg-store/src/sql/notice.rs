//! Rows of `notices`.

use ygg_domain::id::{NoticeId, TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::{Notice, NoticeKind};
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::Result;
use crate::notice::Notices;

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT id, recipient, topic, kind, about, message, wake FROM notices ", $rest)
    };
}

impl<C: Conn> Notices for Db<C> {
    fn pending_notices(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        rows: usize,
    ) -> Result<Vec<Notice>> {
        self.many(
            select!("WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending' ORDER BY seq LIMIT ?3"),
            params![workspace.0, recipient.as_str(), limit(rows)],
            read,
        )
    }

    fn pending_here(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        recipients: &[ParticipantId],
    ) -> Result<Vec<Notice>> {
        let mut found = Vec::new();
        for recipient in recipients {
            found.extend(self.many(
                select!(
                    "WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending' AND topic = ?3 ORDER BY seq"
                ),
                params![workspace.0, recipient.as_str(), topic],
                read,
            )?);
        }
        Ok(found)
    }

    fn handed_notices(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Notice>> {
        self.many(
            select!("WHERE workspace = ?1 AND turn = ?2 ORDER BY seq"),
            params![workspace.0, turn],
            read,
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_notice(&self, workspace: WorkspaceKey, seq: i64, notice: &Notice) -> Result<()> {
        self.run(
            "INSERT INTO notices (workspace, id, seq, recipient, topic, kind, about, message, wake, step)
             VALUES (?1, ?2, ?8, ?3, ?4, ?5, ?6, ?7, ?9, 'pending')",
            params![
                workspace.0,
                notice.id,
                notice.recipient.as_str(),
                notice.topic,
                notice.kind.name(),
                notice.about.as_ref().map(ParticipantId::as_str),
                notice.message,
                seq,
                notice.wake,
            ],
        )?;
        Ok(())
    }

    pub fn end_notice(&self, workspace: WorkspaceKey, notice: NoticeId) -> Result<()> {
        self.run(
            "UPDATE notices SET step = 'ended' WHERE workspace = ?1 AND id = ?2 AND step = 'pending'",
            params![workspace.0, notice],
        )
    }

    pub fn hand_notices(&self, workspace: WorkspaceKey, turn: TurnId, notices: &[Notice]) -> Result<()> {
        for notice in notices {
            self.run(
                "UPDATE notices SET step = 'read', turn = ?3 WHERE workspace = ?1 AND id = ?2",
                params![workspace.0, notice.id, turn],
            )?;
        }
        Ok(())
    }

    pub fn return_notices(&self, workspace: WorkspaceKey, turn: TurnId, notices: &[NoticeId]) -> Result<()> {
        for &notice in notices {
            self.run(
                "UPDATE notices SET step = 'pending', turn = NULL WHERE workspace = ?1 AND id = ?2 AND turn = ?3",
                params![workspace.0, notice, turn],
            )?;
        }
        Ok(())
    }
}

/// From the columns of `select!`.
pub fn read(row: &Row<'_>) -> Result<Notice> {
    Ok(Notice {
        id: row.parsed(0, "notice id")?,
        recipient: row.parsed(1, "participant id")?,
        topic: row.parsed_if(2, "topic id")?,
        kind: row.named(3, "kind of notice", NoticeKind::read)?,
        about: row.parsed_if(4, "participant id")?,
        message: row.parsed_if(5, "message id")?,
        wake: row.parsed_if(6, "wake id")?,
    })
}
