//! Rows of tasks.

use std::collections::BTreeMap;

use ygg_domain::id::TaskId;
use ygg_domain::name::ParticipantId;
use ygg_domain::task::Task;
use ygg_domain::workspace::WorkspaceKey;

use super::row::Index;
use super::{Space, World};
use crate::Result;
use crate::task::Tasks;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<TaskId, Task>,
    by_agent: Index<ParticipantId, TaskId>,
}

impl Tasks for World {
    fn tasks(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Task>> {
        let Table { rows, by_agent } = &*self.space(workspace).tasks;
        let mut found: Vec<Task> = by_agent.of(agent).iter().filter_map(|id| rows.get(id)).cloned().collect();
        found.sort_by_key(|task| (task.place, task.id));
        Ok(found)
    }
}

impl Space {
    /// Adds the task or changes it; it stays with the agent whose it is.
    pub fn put_task(&mut self, task: &Task) {
        let Table { rows, by_agent } = &mut *self.tasks;
        let agent = rows.get(&task.id).map_or(&task.agent, |before| &before.agent).clone();
        by_agent.insert(agent.clone(), task.id);
        rows.insert(task.id, Task { agent, ..task.clone() });
    }

    pub fn delete_tasks_of(&mut self, agent: &ParticipantId) {
        let tasks: Vec<TaskId> = self.tasks.by_agent.of(agent).iter().copied().collect();
        for task in tasks {
            self.delete_task(task);
        }
    }

    pub fn delete_task(&mut self, id: TaskId) {
        let Table { rows, by_agent } = &mut *self.tasks;
        if let Some(task) = rows.remove(&id) {
            by_agent.remove(&task.agent, &id);
        }
    }
}
