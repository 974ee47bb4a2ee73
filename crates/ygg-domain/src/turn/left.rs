//! What an agent has left undone: what the reminder of it lists [K4].

use crate::id::{MessageId, TopicId};
use crate::task::Task;

/// Entries of each list at most: a reminder is no archive.
pub const ENTRIES: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Left {
    /// Not done yet, in its own order.
    pub tasks: Vec<Task>,
    /// Requests that it still owes an answer to, with their topics.
    pub owes: Vec<(TopicId, MessageId)>,
    /// Open topics where it said that it works, with their titles.
    pub works: Vec<(TopicId, Option<String>)>,
    /// There is more than is listed.
    pub more: bool,
}
