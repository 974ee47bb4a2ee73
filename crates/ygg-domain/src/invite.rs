//! Invites: a code that makes whoever has it a participant, once and within a week [W3, O8].

use std::time::Duration;

use crate::id::InviteId;
use crate::key::KeyHash;
use crate::name::ParticipantId;
use crate::participant::{Participant, Right, Role};
use crate::refusal::Refusal;
use crate::time::Timestamp;

/// How long an invite can be accepted.
pub const LASTS: Duration = Duration::from_secs(7 * 24 * 3600);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    pub id: InviteId,
    /// What whoever accepts it becomes.
    pub role: Role,
    pub by: ParticipantId,
    pub hash: KeyHash,
    pub made_at: Timestamp,
    /// Accepted or taken back.
    pub ended_at: Option<Timestamp>,
    pub accepted_by: Option<ParticipantId>,
}

impl Invite {
    pub fn expires_at(&self) -> Timestamp {
        self.made_at.after(LASTS)
    }

    pub fn stands(&self, now: Timestamp) -> bool {
        self.ended_at.is_none() && now < self.expires_at()
    }
}

/// Nobody gives by an invite what they may not give by hand; asked again when it is accepted, since whoever made it
/// may have lost the right.
pub fn may_give(by: &Participant, role: Role) -> Result<(), Refusal> {
    if role == Role::Owner && !by.may(Right::Own) {
        return Err(Refusal::Forbidden { needs: "making owners needs the role of owner" });
    }
    if by.may(Right::Administer) {
        return Ok(());
    }
    Err(Refusal::Forbidden { needs: "inviting people needs the role of admin or owner" })
}
