//! Rows of `invites`: hashes, never codes [O8].

use ygg_domain::id::InviteId;
use ygg_domain::invite::Invite;
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Role;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, Row, params};
use crate::Result;
use crate::invite::Invites;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, role, by_id, hash, made_at, ended_at, accepted_by, workspace FROM invites ",
            $rest
        )
    };
}

impl<C: Conn> Invites for Db<C> {
    fn invite_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Invite)>> {
        self.one(select!("WHERE hash = ?1"), params![&hash.0], |row| {
            Ok((WorkspaceKey(row.get(7)?), read(row)?))
        })
    }

    fn invite(&self, workspace: WorkspaceKey, id: InviteId) -> Result<Option<Invite>> {
        self.one(select!("WHERE workspace = ?1 AND id = ?2"), params![workspace.0, id], read)
    }

    fn open_invites(&self, workspace: WorkspaceKey) -> Result<Vec<Invite>> {
        self.many(
            select!("WHERE workspace = ?1 AND ended_at IS NULL ORDER BY id"),
            params![workspace.0],
            read,
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_invite(&self, workspace: WorkspaceKey, invite: &Invite) -> Result<()> {
        self.run(
            "INSERT INTO invites (workspace, id, role, by_id, hash, made_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                workspace.0,
                invite.id,
                invite.role.name(),
                invite.by.as_str(),
                &invite.hash.0,
                invite.made_at.0
            ],
        )
    }

    pub fn end_invite(
        &self,
        workspace: WorkspaceKey,
        id: InviteId,
        accepted_by: Option<&ParticipantId>,
        at: Timestamp,
    ) -> Result<()> {
        self.run(
            "UPDATE invites SET ended_at = ?3, accepted_by = ?4
             WHERE workspace = ?1 AND id = ?2 AND ended_at IS NULL",
            params![workspace.0, id, at.0, accepted_by.map(ParticipantId::as_str)],
        )
    }
}

fn read(row: &Row<'_>) -> Result<Invite> {
    Ok(Invite {
        id: row.parsed(0, "invite id")?,
        role: row.named(1, "role", Role::read)?,
        by: row.parsed(2, "participant id")?,
        hash: KeyHash(row.get(3)?),
        made_at: row.at(4)?,
        ended_at: row.at_if(5)?,
        accepted_by: row.parsed_if(6, "participant id")?,
    })
}
