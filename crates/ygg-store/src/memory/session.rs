//! Rows of browser sessions: hashes, never secrets [O8].

use ygg_domain::id::SessionId;
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::session::Session;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{broken, insert};
use super::{Space, World};
use crate::Result;
use crate::session::{Renewal, Sessions};

impl Sessions for World {
    fn session_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Session)>> {
        let all = self.spaces.iter().flat_map(|(key, space)| space.sessions.values().map(|one| (*key, one)));
        let mut shown = all.filter(|(_, one)| one.hash == *hash || one.former.as_ref() == Some(hash));
        Ok(shown.next().map(|(key, one)| (key, one.clone())))
    }

    fn session(&self, workspace: WorkspaceKey, id: SessionId) -> Result<Option<Session>> {
        Ok(self.space(workspace).sessions.get(&id).cloned())
    }

    fn sessions_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Session>> {
        let open = self.space(workspace).sessions.values().filter(|one| one.ended_at.is_none());
        Ok(open.filter(|one| one.participant == *participant).cloned().collect())
    }
}

impl World {
    /// A new session has one secret and was used when it was made.
    pub fn insert_session(&mut self, workspace: WorkspaceKey, session: &Session) -> Result<()> {
        if self.session_by_hash(&session.hash)?.is_some_and(|(_, held)| held.hash == session.hash) {
            return Err(broken("sessions.hash"));
        }
        let (rotated_at, used_at) = (session.made_at, session.made_at);
        let row = Session { former: None, ended_at: None, rotated_at, used_at, ..session.clone() };
        insert(&mut self.space_mut(workspace).sessions, session.id, row, "sessions.id")
    }
}

impl Space {
    pub fn end_session(&mut self, id: SessionId, at: Timestamp) {
        if let Some(session) = self.sessions.get_mut(&id) {
            session.ended_at.get_or_insert(at);
        }
    }

    pub fn renew(&mut self, renewal: &Renewal) {
        let Some(session) = self.sessions.get_mut(&renewal.session) else { return };
        session.used_at = renewal.used_at;
        if let Some(hash) = renewal.hash {
            let before = std::mem::replace(&mut session.hash, hash);
            session.former = renewal.keeps_former.then_some(before);
            session.rotated_at = renewal.used_at;
        }
    }
}
