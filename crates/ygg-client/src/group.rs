//! Groups: a name for several agents.

use reqwest::Method;
use ygg_wire::group::{GroupView, SetGroup};

use crate::{Client, Result};

impl Client {
    pub async fn groups(&self) -> Result<Vec<GroupView>> {
        self.get(&["groups"], &[]).await
    }

    pub async fn set_group(&self, name: &str, members: Vec<String>) -> Result<GroupView> {
        self.call(Method::PUT, &["groups", name], &SetGroup { members }).await
    }
}
