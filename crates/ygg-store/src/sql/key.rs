//! Rows of `keys`: hashes, never keys [O8].

use ygg_domain::id::KeyId;
use ygg_domain::key::{Key, KeyHash};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, Row, params};
use crate::Result;
use crate::key::Keys;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, participant, label, hash, made_at, revoked_at, used_at, workspace FROM keys ",
            $rest
        )
    };
}

impl<C: Conn> Keys for Db<C> {
    fn key_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Key)>> {
        self.one(select!("WHERE hash = ?1"), params![&hash.0], |row| {
            Ok((WorkspaceKey(row.get(7)?), read(row)?))
        })
    }

    fn key(&self, workspace: WorkspaceKey, id: KeyId) -> Result<Option<Key>> {
        self.known(
            |known| &known.keys,
            (workspace, id),
            || self.one(select!("WHERE workspace = ?1 AND id = ?2"), params![workspace.0, id], read),
        )
    }

    fn keys(&self, workspace: WorkspaceKey) -> Result<Vec<Key>> {
        self.many(select!("WHERE workspace = ?1 ORDER BY id"), params![workspace.0], read)
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_key(&self, workspace: WorkspaceKey, key: &Key) -> Result<()> {
        self.run(
            "INSERT INTO keys (workspace, id, participant, label, hash, made_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                workspace.0,
                key.id,
                key.participant.as_str(),
                &key.label,
                &key.hash.0,
                key.made_at.0
            ],
        )?;
        Ok(())
    }

    pub fn revoke_key(&self, workspace: WorkspaceKey, id: KeyId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE keys SET revoked_at = ?3 WHERE workspace = ?1 AND id = ?2 AND revoked_at IS NULL",
            params![workspace.0, id, at.0],
        )?;
        Ok(())
    }

    pub fn set_key_used(&self, workspace: WorkspaceKey, id: KeyId, at: Timestamp) -> Result<()> {
        if let Some(known) = &self.known {
            known.keys.drop(&(workspace, id));
        }
        self.run(
            "UPDATE keys SET used_at = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, id, at.0],
        )?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> Result<Key> {
    Ok(Key {
        id: row.parsed(0, "key id")?,
        participant: row.parsed(1, "participant id")?,
        label: row.get(2)?,
        hash: KeyHash(row.get(3)?),
        made_at: row.at(4)?,
        revoked_at: row.at_if(5)?,
        used_at: row.at_if(6)?,
    })
}
