//! Rows of `tasks`.

use ygg_domain::id::TaskId;
use ygg_domain::name::ParticipantId;
use ygg_domain::task::{Task, TaskStatus};
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, params};
use crate::Result;
use crate::task::Tasks;

impl<C: Conn> Tasks for Db<C> {
    fn tasks(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Task>> {
        self.many(
            "SELECT id, agent, text, status, topic, place FROM tasks WHERE workspace = ?1 AND agent = ?2
             ORDER BY place, id",
            params![workspace.0, agent.as_str()],
            |row| {
                Ok(Task {
                    id: row.parsed(0, "task id")?,
                    agent: row.parsed(1, "participant id")?,
                    text: row.get(2)?,
                    status: row.named(3, "task status", TaskStatus::read)?,
                    topic: row.parsed_if(4, "topic id")?,
                    place: row.get(5)?,
                })
            },
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn put_task(&self, workspace: WorkspaceKey, task: &Task) -> Result<()> {
        self.run(
            "INSERT INTO tasks (workspace, id, agent, text, status, topic, place)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (workspace, id) DO UPDATE SET
                 text = excluded.text, status = excluded.status, topic = excluded.topic, place = excluded.place",
            params![
                workspace.0,
                task.id,
                task.agent.as_str(),
                &task.text,
                task.status.name(),
                task.topic,
                task.place,
            ],
        )?;
        Ok(())
    }

    pub fn delete_task(&self, workspace: WorkspaceKey, id: TaskId) -> Result<()> {
        self.run("DELETE FROM tasks WHERE workspace = ?1 AND id = ?2", params![workspace.0, id])?;
        Ok(())
    }
}
