//! The line of the server's operator to the server itself.

use ygg_wire::claim::ClaimMade;
use ygg_wire::workspace::{NewWorkspace, WorkspaceMade, WorkspaceView};

use crate::{Client, Result};

pub struct Server(Client);

impl Server {
    /// The key is the one that the server keeps in its data folder while it runs.
    pub fn new(url: &str, key: &str) -> Result<Self> {
        Ok(Self(Client::below(url, &["v1", "server"], key)?))
    }

    pub async fn workspaces(&self) -> Result<Vec<WorkspaceView>> {
        self.0.get(&["workspaces"], &[]).await
    }

    pub async fn make_workspace(&self, new: &NewWorkspace) -> Result<WorkspaceMade> {
        self.0.post(&["workspaces"], new).await
    }

    /// With which the person sets a new password.
    pub async fn make_claim(&self, handle: &str) -> Result<ClaimMade> {
        self.0.post(&["people", handle, "claim"], &serde_json::json!({})).await
    }

    pub async fn delete_workspace(&self, slug: &str) -> Result<WorkspaceView> {
        self.0.delete(&["workspaces", slug]).await
    }
}
