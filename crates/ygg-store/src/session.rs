//! What is asked about browser sessions.

use ygg_domain::id::SessionId;
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::session::Session;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A use of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    pub session: SessionId,
    pub used_at: Timestamp,
    /// The secret from now on.
    pub hash: Option<KeyHash>,
    /// The one before it becomes the former, which is good for a moment longer; else it is good for nothing.
    pub keeps_former: bool,
}

pub trait Sessions {
    /// The session whose secret, or former secret, has this hash, in whatever workspace, ended or not.
    fn session_by_hash(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Session)>>;
    fn session(&self, workspace: WorkspaceKey, id: SessionId) -> Result<Option<Session>>;
    /// Those that were not ended, in order of making.
    fn sessions_of(&self, workspace: WorkspaceKey, participant: &ParticipantId) -> Result<Vec<Session>>;
}
