//! An agent's private list of what it means to do.

use crate::id::{TaskId, TopicId};
use crate::key::contains_key;
use crate::limits;
use crate::name::ParticipantId;
use crate::refusal::{Refusal, Unit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskStatus {
    Todo,
    Doing,
    Done,
}

impl TaskStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Todo => "todo",
            Self::Doing => "doing",
            Self::Done => "done",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::Todo, Self::Doing, Self::Done].into_iter().find(|status| status.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub id: TaskId,
    pub agent: ParticipantId,
    pub text: String,
    pub status: TaskStatus,
    pub topic: Option<TopicId>,
    /// Place in the list, from 0.
    pub place: u32,
}

pub fn check_text(text: &str) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if contains_key(text) {
        return Err(Refusal::invalid(
            "The task contains a Ygg key and was not stored; take it out, and have that key revoked.",
        ));
    }
    if text.trim().is_empty() || text.contains('\0') {
        return Err(Refusal::invalid("A task needs a text."));
    }
    if chars > limits::TASK_TEXT_CHARS {
        return Err(Refusal::TooLarge {
            what: "task",
            size: chars,
            limit: limits::TASK_TEXT_CHARS,
            unit: Unit::Chars,
        });
    }
    Ok(())
}

pub fn check_room(held: usize) -> Result<(), Refusal> {
    if held < limits::TASKS_PER_AGENT {
        return Ok(());
    }
    Err(Refusal::TooLarge {
        what: "tasklist",
        size: held + 1,
        limit: limits::TASKS_PER_AGENT,
        unit: Unit::Entries,
    })
}
