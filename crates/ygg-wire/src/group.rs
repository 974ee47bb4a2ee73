//! Groups as they are shown and set.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::group::Group;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupView {
    pub name: String,
    pub members: Vec<String>,
}

impl From<&Group> for GroupView {
    fn from(group: &Group) -> Self {
        Self {
            name: group.name.to_string(),
            members: group.members.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The agents that a group is to have.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetGroup {
    pub members: Vec<String>,
}
