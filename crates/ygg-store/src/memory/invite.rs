//! Rows of invites: hashes, never codes [O8].

use ygg_domain::id::InviteId;
use ygg_domain::invite::Invite;
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{broken, insert};
use super::{Space, World};
use crate::Result;
use crate::invite::Invites;

impl Invites for World {
    fn invite_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Invite)>> {
        let mut all =
            self.spaces.iter().flat_map(|(key, space)| space.invites.values().map(|one| (*key, one)));
        Ok(all.find(|(_, one)| one.hash == *hash).map(|(key, one)| (key, one.clone())))
    }

    fn invite(&self, workspace: WorkspaceKey, id: InviteId) -> Result<Option<Invite>> {
        Ok(self.space(workspace).invites.get(&id).cloned())
    }

    fn open_invites(&self, workspace: WorkspaceKey) -> Result<Vec<Invite>> {
        let all = self.space(workspace).invites.values();
        Ok(all.filter(|one| one.ended_at.is_none()).cloned().collect())
    }
}

impl World {
    pub fn insert_invite(&mut self, workspace: WorkspaceKey, invite: &Invite) -> Result<()> {
        if self.invite_by_hash(&invite.hash)?.is_some() {
            return Err(broken("invites.hash"));
        }
        let row = Invite { ended_at: None, accepted_by: None, ..invite.clone() };
        insert(&mut self.space_mut(workspace).invites, invite.id, row, "invites.id")
    }
}

impl Space {
    pub fn end_invite(&mut self, id: InviteId, accepted_by: Option<&ParticipantId>, at: Timestamp) {
        let Some(invite) = self.invites.get_mut(&id) else { return };
        if invite.ended_at.is_none() {
            invite.ended_at = Some(at);
            invite.accepted_by = accepted_by.cloned();
        }
    }
}
