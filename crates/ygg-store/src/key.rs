//! What is asked about keys.

use ygg_domain::id::KeyId;
use ygg_domain::key::{Key, KeyHash};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Keys {
    /// The key with this hash in whatever workspace it acts for, revoked or not.
    fn key_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Key)>>;
    fn key(&self, workspace: WorkspaceKey, id: KeyId) -> Result<Option<Key>>;
    /// In order of making.
    fn keys(&self, workspace: WorkspaceKey) -> Result<Vec<Key>>;
}
