//! An agent's private tasklist. Every action answers with the whole list.

use ygg_domain::Refusal;
use ygg_domain::change::Change;
use ygg_domain::id::{TaskId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_domain::task::{Task, TaskStatus, check_room, check_text};
use ygg_store::Rows;
use ygg_wire::task::{TaskAction, TaskView};

use crate::commit::{Work, Write};
use crate::guard::Guard;
use crate::topic::topic_id;
use crate::{Caller, Engine, Result};

impl Engine {
    pub async fn tasks(&self, caller: &Caller, action: TaskAction) -> Result<Vec<TaskView>> {
        if !caller.participant.id.is_agent() {
            return Err(Refusal::Forbidden { needs: "a tasklist is an agent's own" }.into());
        }
        let caller = caller.clone();
        if matches!(action, TaskAction::List {}) {
            return self.look(caller.looker(), move |rows| list(rows, &caller)).await;
        }
        self.commit(Write::by(&caller), move |work| {
            let changes = decide(work, &caller, &action)?;
            work.apply(caller.workspace, &changes)?;
            list(work.tx, &caller)
        })
        .await
    }
}

fn list(rows: &dyn Rows, caller: &Caller) -> Result<Vec<TaskView>> {
    let tasks = rows.tasks(caller.workspace, &caller.participant.id)?;
    Ok(tasks.iter().map(TaskView::from).collect())
}

fn decide(work: &mut Work<'_>, caller: &Caller, action: &TaskAction) -> Result<Vec<Change>> {
    let agent = &caller.participant.id;
    let tasks = work.tx.tasks(caller.workspace, agent)?;
    match action {
        TaskAction::List {} => Ok(Vec::new()),
        TaskAction::Add { text, status, topic_id } => {
            check_room(tasks.len())?;
            check_text(text)?;
            let place = tasks.last().map_or(0, |last| last.place + 1);
            Ok(vec![Change::TaskSet(Task {
                status: read_status(status.as_deref())?.unwrap_or(TaskStatus::Todo),
                topic: read_topic(work.tx, caller, topic_id.as_deref())?,
                id: TaskId::fresh(&mut work.ids),
                agent: agent.clone(),
                text: text.clone(),
                place,
            })])
        }
        TaskAction::Update { id, text, status, topic_id } => {
            let mut task = find(&tasks, id)?;
            if let Some(text) = text {
                check_text(text)?;
                task.text.clone_from(text);
            }
            task.status = read_status(status.as_deref())?.unwrap_or(task.status);
            task.topic = read_topic(work.tx, caller, topic_id.as_deref())?.or(task.topic);
            Ok(vec![Change::TaskSet(task)])
        }
        TaskAction::Remove { id } => {
            Ok(vec![Change::TaskRemoved { task: find(&tasks, id)?.id, agent: agent.clone() }])
        }
        TaskAction::Reorder { order } => reorder(&tasks, order, agent),
    }
}

fn reorder(tasks: &[Task], order: &[String], agent: &ParticipantId) -> Result<Vec<Change>> {
    let mut placed: Vec<Task> = Vec::with_capacity(tasks.len());
    for id in order {
        let task = find(tasks, id)?;
        if placed.iter().all(|other| other.id != task.id) {
            placed.push(task);
        }
    }
    let rest: Vec<Task> =
        tasks.iter().filter(|task| placed.iter().all(|other| other.id != task.id)).cloned().collect();
    placed.extend(rest);
    let moved = (0..).zip(placed).filter(|(place, task)| task.place != *place);
    Ok(moved.map(|(place, task)| Change::TaskSet(Task { place, agent: agent.clone(), ..task })).collect())
}

fn find(tasks: &[Task], id: &str) -> std::result::Result<Task, Refusal> {
    let found = id.parse::<TaskId>().ok().and_then(|id| tasks.iter().find(|task| task.id == id));
    found.cloned().ok_or(Refusal::NotFound { what: "task" })
}

fn read_status(name: Option<&str>) -> std::result::Result<Option<TaskStatus>, Refusal> {
    match name {
        None => Ok(None),
        Some(name) => {
            TaskStatus::read(name).map(Some).ok_or_else(|| Refusal::invalid("status is todo, doing or done."))
        }
    }
}

fn read_topic(rows: &dyn Rows, caller: &Caller, named: Option<&str>) -> Result<Option<TopicId>> {
    match named {
        None => Ok(None),
        Some(text) => Ok(Some(Guard::new(rows, caller)?.topic(topic_id(text)?)?.0.id)),
    }
}
