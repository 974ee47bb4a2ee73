//! An agent's own tasklist.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::task::Task;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskView {
    pub id: String,
    pub text: String,
    /// `todo`, `doing` or `done`.
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// Where it stands in the list: a task that is removed leaves its place empty.
    #[serde(default)]
    pub place: u32,
}

impl From<&Task> for TaskView {
    fn from(task: &Task) -> Self {
        Self {
            id: task.id.to_string(),
            text: task.text.clone(),
            status: task.status.name().to_owned(),
            topic_id: task.topic.map(|id| id.to_string()),
            place: task.place,
        }
    }
}

/// What to do with the list. Every action answers with the whole list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum TaskAction {
    List {},
    Add {
        text: String,
        #[serde(default)]
        status: Option<String>,
        #[serde(default)]
        topic_id: Option<String>,
    },
    Update {
        id: String,
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        status: Option<String>,
        #[serde(default)]
        topic_id: Option<String>,
    },
    Remove {
        id: String,
    },
    /// Ids in the new order; what is not named follows as it was.
    Reorder {
        order: Vec<String>,
    },
}
