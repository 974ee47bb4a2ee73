//! Rows of groups.

use ygg_domain::group::Group;
use ygg_domain::name::GroupName;
use ygg_domain::workspace::WorkspaceKey;

use super::{Space, World};
use crate::Result;
use crate::group::Groups;

impl Groups for World {
    fn group(&self, workspace: WorkspaceKey, name: &GroupName) -> Result<Option<Group>> {
        Ok(self.space(workspace).groups.get(name).cloned())
    }

    fn groups(&self, workspace: WorkspaceKey) -> Result<Vec<Group>> {
        Ok(self.space(workspace).groups.values().cloned().collect())
    }
}

impl Space {
    pub fn put_group(&mut self, group: &Group) {
        self.groups.insert(group.name.clone(), group.clone());
    }
}
