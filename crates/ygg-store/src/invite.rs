//! What is asked about invites.

use ygg_domain::id::InviteId;
use ygg_domain::invite::Invite;
use ygg_domain::key::KeyHash;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Invites {
    /// The invite whose code has this hash, in whatever workspace, ended or not.
    fn invite_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Invite)>>;
    fn invite(&self, workspace: WorkspaceKey, id: InviteId) -> Result<Option<Invite>>;
    /// Those that were neither accepted nor taken back, in order of making.
    fn open_invites(&self, workspace: WorkspaceKey) -> Result<Vec<Invite>>;
}
