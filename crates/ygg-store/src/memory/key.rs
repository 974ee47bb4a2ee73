//! Rows of keys: hashes, never keys [O8].

use std::collections::hash_map::Entry;

use ygg_domain::id::KeyId;
use ygg_domain::key::{Key, KeyHash};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{broken, insert};
use super::{Space, World};
use crate::Result;
use crate::key::Keys;

impl Keys for World {
    fn key_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Key)>> {
        let Some((workspace, id)) = self.hashes.get(hash) else { return Ok(None) };
        Ok(self.key(*workspace, *id)?.map(|key| (*workspace, key)))
    }

    fn key(&self, workspace: WorkspaceKey, id: KeyId) -> Result<Option<Key>> {
        Ok(self.space(workspace).keys.get(&id).cloned())
    }

    fn keys(&self, workspace: WorkspaceKey) -> Result<Vec<Key>> {
        Ok(self.space(workspace).keys.values().cloned().collect())
    }
}

impl World {
    /// A new key is neither revoked nor used.
    pub fn insert_key(&mut self, workspace: WorkspaceKey, key: &Key) -> Result<()> {
        let Entry::Vacant(hash) = self.hashes.entry(key.hash) else { return Err(broken("keys.hash")) };
        let rows = &mut self.spaces.entry(workspace).or_default().keys;
        insert(rows, key.id, Key { revoked_at: None, used_at: None, ..key.clone() }, "keys.id")?;
        hash.insert((workspace, key.id));
        Ok(())
    }
}

impl Space {
    pub fn revoke_key(&mut self, id: KeyId, at: Timestamp) {
        if let Some(key) = self.keys.get_mut(&id) {
            key.revoked_at.get_or_insert(at);
        }
    }

    pub fn set_key_used(&mut self, id: KeyId, at: Timestamp) {
        if let Some(key) = self.keys.get_mut(&id) {
            key.used_at = Some(at);
        }
    }
}
