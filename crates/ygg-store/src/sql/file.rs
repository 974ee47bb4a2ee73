//! Rows of `files`, of `contents`, which keep what is in them once for each hash, and of `attachments`, which say
//! which messages carry them.

use ygg_domain::file::{Attachment, File, FileHash, Label, Loose};
use ygg_domain::id::{FileId, MessageId, TopicId};
use ygg_domain::message::Message;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::file::Files;
use crate::{Error, Result};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, media_type, size, hash, uploader, uploaded_at, loose_since FROM files ",
            $rest
        )
    };
}

/// In this order: contents that no other message's files hold, files without contents, files that no other message
/// carries, and that this one carries them.
const REDACTED_FILES: [&str; 4] = [
    "DELETE FROM contents WHERE workspace = ?1
       AND hash IN (SELECT f.hash FROM attachments a JOIN files f ON f.workspace = a.workspace AND f.id = a.file
                    WHERE a.workspace = ?1 AND a.message = ?2)
       AND NOT EXISTS (
           SELECT 1 FROM files f JOIN attachments a ON a.workspace = f.workspace AND a.file = f.id
           WHERE f.workspace = ?1 AND f.hash = contents.hash AND a.message <> ?2)",
    "DELETE FROM files WHERE workspace = ?1
       AND hash IN (SELECT f.hash FROM attachments a JOIN files f ON f.workspace = a.workspace AND f.id = a.file
                    WHERE a.workspace = ?1 AND a.message = ?2)
       AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.workspace = ?1 AND c.hash = files.hash)",
    "DELETE FROM files WHERE workspace = ?1
       AND id IN (SELECT a.file FROM attachments a WHERE a.workspace = ?1 AND a.message = ?2)
       AND NOT EXISTS (SELECT 1 FROM attachments a WHERE a.workspace = ?1 AND a.file = files.id AND a.message <> ?2)",
    "DELETE FROM attachments WHERE workspace = ?1 AND message = ?2",
];

impl<C: Conn> Files for Db<C> {
    fn file(&self, workspace: WorkspaceKey, id: FileId) -> Result<Option<File>> {
        self.one(select!("WHERE workspace = ?1 AND id = ?2"), params![workspace.0, id], read)
    }

    fn same_file(
        &self,
        workspace: WorkspaceKey,
        uploader: &ParticipantId,
        hash: FileHash,
        label: &Label,
    ) -> Result<Option<File>> {
        self.one(
            select!(
                "WHERE workspace = ?1 AND hash = ?2 AND uploader = ?3 AND name = ?4 AND media_type = ?5
                 ORDER BY uploaded_at DESC, id DESC LIMIT 1"
            ),
            params![workspace.0, &hash.0, uploader.as_str(), &label.name, &label.media_type],
            read,
        )
    }

    fn content(&self, workspace: WorkspaceKey, hash: FileHash) -> Result<Option<Vec<u8>>> {
        self.one(
            "SELECT content FROM contents WHERE workspace = ?1 AND hash = ?2",
            params![workspace.0, &hash.0],
            |row| row.get(0),
        )
    }

    fn carried_in(&self, workspace: WorkspaceKey, id: FileId, rows: usize) -> Result<Vec<TopicId>> {
        self.many(
            "SELECT m.topic FROM attachments a JOIN messages m ON m.workspace = a.workspace AND m.id = a.message
             WHERE a.workspace = ?1 AND a.file = ?2 ORDER BY m.seq DESC LIMIT ?3",
            params![workspace.0, id, limit(rows)],
            |row| row.parsed(0, "topic id"),
        )
    }

    fn loose(&self, workspace: WorkspaceKey, uploader: &ParticipantId) -> Result<Loose> {
        let sizes = self.many(
            "SELECT size FROM files WHERE workspace = ?1 AND uploader = ?2 AND loose_since IS NOT NULL",
            params![workspace.0, uploader.as_str()],
            |row| size(row, 0),
        )?;
        Ok(Loose { files: sizes.len(), bytes: sizes.iter().sum() })
    }

    fn stale_files(&self, by: Timestamp, rows: usize) -> Result<Vec<(WorkspaceKey, FileId)>> {
        self.many(
            "SELECT workspace, id FROM files WHERE loose_since <= ?1 ORDER BY loose_since, workspace, id LIMIT ?2",
            params![by.0, limit(rows)],
            |row| Ok((WorkspaceKey(row.get(0)?), row.parsed(1, "file id")?)),
        )
    }
}

impl<C: Conn> Db<C> {
    /// Adds it, or counts its time anew.
    pub fn put_file(&self, workspace: WorkspaceKey, file: &File, content: &[u8]) -> Result<()> {
        self.run(
            "INSERT INTO contents (workspace, hash, content) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![workspace.0, &file.hash.0, content],
        )?;
        let Attachment { file: id, name, media_type, bytes } = &file.shown;
        let size = i64::try_from(*bytes).map_err(|_| Error::corrupt("size", bytes.to_string()))?;
        self.run(
            "INSERT INTO files (workspace, id, name, media_type, size, hash, uploader, uploaded_at, loose_since)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (workspace, id) DO UPDATE SET
                 uploaded_at = excluded.uploaded_at, loose_since = excluded.loose_since",
            params![
                workspace.0,
                *id,
                name,
                media_type,
                size,
                &file.hash.0,
                file.uploader.as_str(),
                file.uploaded_at.0,
                file.loose.then_some(file.uploaded_at.0),
            ],
        )
    }

    /// One that a message carries by now stays.
    pub fn delete_loose_file(&self, workspace: WorkspaceKey, id: FileId) -> Result<()> {
        self.run(
            "DELETE FROM contents WHERE workspace = ?1
               AND hash IN (SELECT hash FROM files WHERE workspace = ?1 AND id = ?2 AND loose_since IS NOT NULL)
               AND NOT EXISTS (
                   SELECT 1 FROM files f WHERE f.workspace = ?1 AND f.hash = contents.hash AND f.id <> ?2)",
            params![workspace.0, id],
        )?;
        self.run(
            "DELETE FROM files WHERE workspace = ?1 AND id = ?2 AND loose_since IS NOT NULL",
            params![workspace.0, id],
        )
    }

    /// What a message carries is loose no more.
    pub fn attach_files(&self, workspace: WorkspaceKey, message: &Message) -> Result<()> {
        for (place, attachment) in (0i64..).zip(&message.attachments) {
            self.run(
                "INSERT INTO attachments (workspace, message, place, file) VALUES (?1, ?2, ?3, ?4)",
                params![workspace.0, message.id, place, attachment.file],
            )?;
            self.run(
                "UPDATE files SET loose_since = NULL WHERE workspace = ?1 AND id = ?2",
                params![workspace.0, attachment.file],
            )?;
        }
        Ok(())
    }

    /// What a participant did not get to send goes with it [W7].
    pub fn purge_files(&self, workspace: WorkspaceKey, uploader: &ParticipantId) -> Result<()> {
        let loose = self.many(
            "SELECT id FROM files WHERE workspace = ?1 AND uploader = ?2 AND loose_since IS NOT NULL",
            params![workspace.0, uploader.as_str()],
            |row| row.parsed(0, "file id"),
        )?;
        loose.into_iter().try_for_each(|id| self.delete_loose_file(workspace, id))
    }

    /// What no other message carries goes: files, and what is in them, also where another file that nobody sent holds
    /// the same [W6].
    pub fn delete_attachments(&self, workspace: WorkspaceKey, message: MessageId) -> Result<()> {
        for sql in REDACTED_FILES {
            self.run(sql, params![workspace.0, message])?;
        }
        Ok(())
    }

    pub fn attachments(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Attachment>> {
        self.many(
            "SELECT f.id, f.name, f.media_type, f.size FROM attachments a
             JOIN files f ON f.workspace = a.workspace AND f.id = a.file
             WHERE a.workspace = ?1 AND a.message = ?2 ORDER BY a.place",
            params![workspace.0, message],
            attachment,
        )
    }
}

fn read(row: &Row<'_>) -> Result<File> {
    Ok(File {
        shown: attachment(row)?,
        hash: FileHash(row.get(4)?),
        uploader: row.parsed(5, "participant id")?,
        uploaded_at: row.at(6)?,
        loose: row.at_if(7)?.is_some(),
    })
}

fn attachment(row: &Row<'_>) -> Result<Attachment> {
    Ok(Attachment {
        file: row.parsed(0, "file id")?,
        name: row.get(1)?,
        media_type: row.get(2)?,
        bytes: size(row, 3)?,
    })
}

fn size(row: &Row<'_>, column: usize) -> Result<u64> {
    let size: i64 = row.get(column)?;
    u64::try_from(size).map_err(|_| Error::corrupt("size", size.to_string()))
}
