//! Keys in lists, and the one time that a key is shown.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::key::Key;

use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KeyView {
    pub id: String,
    pub participant: String,
    pub label: String,
    pub made_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
    /// To the hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<String>,
}

impl From<&Key> for KeyView {
    fn from(key: &Key) -> Self {
        Self {
            id: key.id.to_string(),
            participant: key.participant.to_string(),
            label: key.label.clone(),
            made_at: time::text(key.made_at),
            revoked_at: key.revoked_at.map(time::text),
            used_at: key.used_at.map(time::text),
        }
    }
}

/// A key to make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// An agent's id, or your own; `@handle` as well.
    pub participant: String,
    #[serde(default)]
    pub label: String,
}

/// A new key. It is shown this once and cannot be had again.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct KeyMade {
    pub key: String,
    #[serde(flatten)]
    pub about: KeyView,
}

impl std::fmt::Debug for KeyMade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyMade").field("about", &self.about).finish_non_exhaustive()
    }
}
