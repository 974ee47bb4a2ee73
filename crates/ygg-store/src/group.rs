//! What is asked about groups.

use ygg_domain::group::Group;
use ygg_domain::name::GroupName;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

pub trait Groups {
    fn group(&self, workspace: WorkspaceKey, name: &GroupName) -> Result<Option<Group>>;
    /// In order of name.
    fn groups(&self, workspace: WorkspaceKey) -> Result<Vec<Group>>;
}
