//! Signing in with a password, and the browser sessions that come of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::id::SessionId;
use ygg_domain::session::Session;

use crate::participant::PersonView;
use crate::secret::Secret;
use crate::time;

/// Who signs in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    pub handle: String,
    #[schema(value_type = String)]
    pub password: Secret,
}

/// Another password for one's account, in all of its workspaces.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    #[schema(value_type = String)]
    pub old: Secret,
    /// 10 to 256 characters.
    #[schema(value_type = String)]
    pub new: Secret,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    pub id: String,
    /// The browser as it named itself.
    pub label: String,
    pub made_at: String,
    /// To the hour.
    pub used_at: String,
    /// When it ends unless it is used.
    pub expires_at: String,
    /// The one that asks.
    pub current: bool,
}

impl SessionView {
    pub fn new(session: &Session, current: Option<SessionId>) -> Self {
        Self {
            id: session.id.to_string(),
            label: session.label.clone(),
            made_at: time::text(session.made_at),
            used_at: time::text(session.used_at),
            expires_at: time::text(session.expires_at()),
            current: current == Some(session.id),
        }
    }
}

/// Whoever signed in, and where. The session's secret is in the cookie alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SignedIn {
    pub workspace: String,
    pub person: PersonView,
    pub session: SessionView,
}

/// How many sessions were ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SessionsEnded {
    pub ended: usize,
}
