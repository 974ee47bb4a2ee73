//! Rows of workspaces.

use ygg_domain::name::Slug;
use ygg_domain::policy::Policy;
use ygg_domain::workspace::{Workspace, WorkspaceKey};
use ygg_wire::policy::PolicyBody;

use super::World;
use super::row::broken;
use crate::workspace::Workspaces;
use crate::{Error, Result};

impl Workspaces for World {
    fn workspace_by_slug(&self, slug: &Slug) -> Result<Option<Workspace>> {
        Ok(self.workspaces.values().find(|workspace| workspace.slug == *slug).cloned())
    }

    fn workspace(&self, key: WorkspaceKey) -> Result<Option<Workspace>> {
        Ok(self.workspaces.get(&key).cloned())
    }

    fn workspaces(&self) -> Result<Vec<Workspace>> {
        let mut found: Vec<Workspace> = self.workspaces.values().cloned().collect();
        found.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(found)
    }
}

impl World {
    pub fn insert_workspace(&mut self, slug: &Slug, policy: &Policy) -> Result<WorkspaceKey> {
        if self.workspaces.values().any(|workspace| workspace.slug == *slug) {
            return Err(broken("workspaces.slug"));
        }
        self.numbers += 1;
        let key = WorkspaceKey(self.numbers);
        let workspace = Workspace { key, slug: slug.clone(), policy: stored(policy)?, paused: false };
        self.workspaces.insert(key, workspace);
        Ok(key)
    }

    pub fn delete_rows(&mut self, key: WorkspaceKey) {
        self.workspaces.remove(&key);
        self.spaces.remove(&key);
        self.claims.retain(|_, claim| claim.workspace != key);
        self.hashes.retain(|_, (workspace, _)| *workspace != key);
        self.turn_keys.retain(|_, (workspace, _)| *workspace != key);
    }

    pub fn pause_workspace(&mut self, key: WorkspaceKey, paused: bool) {
        if let Some(workspace) = self.workspaces.get_mut(&key) {
            workspace.paused = paused;
        }
    }

    pub fn set_policy(&mut self, key: WorkspaceKey, policy: &Policy) -> Result<()> {
        if let Some(workspace) = self.workspaces.get_mut(&key) {
            workspace.policy = stored(policy)?;
        }
        Ok(())
    }
}

/// A policy as it reads back from what is stored, spans cut to seconds.
fn stored(policy: &Policy) -> Result<Policy> {
    PolicyBody::from(policy).read().map_err(|problem| Error::corrupt("policy", problem))
}
