//! An agent's own tasklist. Every action answers with the whole list.

use ygg_wire::task::{TaskAction, TaskView};

use crate::{Client, Result};

impl Client {
    pub async fn tasks(&self, action: &TaskAction) -> Result<Vec<TaskView>> {
        self.post(&["tasks"], action).await
    }
}
