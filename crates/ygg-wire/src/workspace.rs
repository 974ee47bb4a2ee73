//! Workspaces as the server's operator sees them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::workspace::{OPENING_CREDITS, Workspace};

use crate::claim::ClaimMade;
use crate::key::KeyMade;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceView {
    /// Its name in addresses.
    pub slug: String,
    pub paused: bool,
}

impl From<&Workspace> for WorkspaceView {
    fn from(workspace: &Workspace) -> Self {
        Self { slug: workspace.slug.to_string(), paused: workspace.paused }
    }
}

/// A workspace to make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWorkspace {
    /// `[a-z][a-z0-9_-]{0,31}`; never renamed.
    pub slug: String,
    /// Handle of its owner.
    pub owner: String,
    /// Credits that its pool opens with: 1000 unless said.
    #[serde(default = "opening_credits")]
    pub credits: i64,
    /// `workspace` (the default); `plane` follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

fn opening_credits() -> i64 {
    OPENING_CREDITS
}

/// A new workspace, with a key of its owner that is shown this once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceMade {
    pub workspace: WorkspaceView,
    /// Handle of its owner.
    pub owner: String,
    pub owner_key: KeyMade,
    /// With which its owner sets a password; none when their account has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<ClaimMade>,
}
