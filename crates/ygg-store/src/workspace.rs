//! What is asked about workspaces.

use ygg_domain::name::Slug;
use ygg_domain::workspace::{Workspace, WorkspaceKey};

use crate::Result;

pub trait Workspaces {
    fn workspace_by_slug(&self, slug: &Slug) -> Result<Option<Workspace>>;
    fn workspace(&self, key: WorkspaceKey) -> Result<Option<Workspace>>;
    fn workspaces(&self) -> Result<Vec<Workspace>>;
}
