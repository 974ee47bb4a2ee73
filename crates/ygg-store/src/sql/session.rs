//! Rows of `sessions`: hashes, never secrets [O8].

use ygg_domain::id::SessionId;
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::session::Session;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, Row, params};
use crate::Result;
use crate::session::{Renewal, Sessions};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, participant, label, hash, former, made_at, rotated_at, used_at, ended_at, workspace
             FROM sessions ",
            $rest
        )
    };
}

impl<C: Conn> Sessions for Db<C> {
    fn session_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Session)>> {
        self.one(select!("WHERE hash = ?1 OR former = ?1"), params![&hash.0], |row| {
            Ok((WorkspaceKey(row.get(9)?), read(row)?))
        })
    }

    fn session(&self, workspace: WorkspaceKey, id: SessionId) -> Result<Option<Session>> {
        self.one(select!("WHERE workspace = ?1 AND id = ?2"), params![workspace.0, id], read)
    }

    fn sessions_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Session>> {
        self.many(
            select!("WHERE workspace = ?1 AND participant = ?2 AND ended_at IS NULL ORDER BY id"),
            params![workspace.0, participant.as_str()],
            read,
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_session(&self, workspace: WorkspaceKey, session: &Session) -> Result<()> {
        self.run(
            "INSERT INTO sessions (workspace, id, participant, label, hash, made_at, rotated_at, used_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6)",
            params![
                workspace.0,
                session.id,
                session.participant.as_str(),
                &session.label,
                &session.hash.0,
                session.made_at.0
            ],
        )
    }

    pub fn end_session(&self, workspace: WorkspaceKey, id: SessionId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE sessions SET ended_at = ?3 WHERE workspace = ?1 AND id = ?2 AND ended_at IS NULL",
            params![workspace.0, id, at.0],
        )
    }

    pub fn renew(&self, workspace: WorkspaceKey, renewal: &Renewal) -> Result<()> {
        let (id, at) = (renewal.session, renewal.used_at.0);
        match &renewal.hash {
            None => self.run(
                "UPDATE sessions SET used_at = ?3 WHERE workspace = ?1 AND id = ?2",
                params![workspace.0, id, at],
            ),
            Some(hash) => self.run(
                "UPDATE sessions SET used_at = ?3, rotated_at = ?3, hash = ?4,
                     former = CASE WHEN ?5 = 1 THEN hash ELSE NULL END
                 WHERE workspace = ?1 AND id = ?2",
                params![workspace.0, id, at, &hash.0, renewal.keeps_former],
            ),
        }
    }
}

fn read(row: &Row<'_>) -> Result<Session> {
    Ok(Session {
        id: row.parsed(0, "session id")?,
        participant: row.parsed(1, "participant id")?,
        label: row.get(2)?,
        hash: KeyHash(row.get(3)?),
        former: row.get::<Option<[u8; 32]>>(4)?.map(KeyHash),
        made_at: row.at(5)?,
        rotated_at: row.at(6)?,
        used_at: row.at(7)?,
        ended_at: row.at_if(8)?,
    })
}
