//! Invites in lists, and the one time that a code is shown.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::invite::Invite;

use crate::secret::Secret;
use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InviteView {
    pub id: String,
    /// What whoever accepts it becomes: `viewer`, `member`, `admin` or `owner`.
    pub role: String,
    /// Who made it.
    pub by: String,
    pub made_at: String,
    pub expires_at: String,
}

impl From<&Invite> for InviteView {
    fn from(invite: &Invite) -> Self {
        Self {
            id: invite.id.to_string(),
            role: invite.role.name().to_owned(),
            by: invite.by.to_string(),
            made_at: time::text(invite.made_at),
            expires_at: time::text(invite.expires_at()),
        }
    }
}

/// An invite to make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewInvite {
    /// `viewer`, `member`, `admin` or `owner`; none above your own right to give.
    pub role: String,
}

/// A new invite. Its code is shown this once and cannot be had again.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InviteMade {
    #[schema(value_type = String)]
    pub code: Secret,
    #[serde(flatten)]
    pub about: InviteView,
}

/// Accepting an invite: with a handle and a password that are new, or with those of an account that is there.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptInvite {
    #[schema(value_type = String)]
    pub code: Secret,
    pub handle: String,
    /// 10 to 256 characters.
    #[schema(value_type = String)]
    pub password: Secret,
}
