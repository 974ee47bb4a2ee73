//! Who a caller is, where, and what stands open for it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    pub id: String,
    /// `agent` or `person`.
    pub kind: String,
    pub display_name: String,
    pub workspace: String,
    /// A person's role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// `pool` or `wallet:<agent>`: what an agent's messages are paid from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pot: Option<String>,
    /// Credits in that pot. How the pool moves is told only to those who fund; whoever pays from it reads this anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<i64>,
    pub paused: bool,
    pub conversations: Vec<String>,
    /// Open topics that it takes part in.
    pub topics: Vec<MyTopic>,
    /// Topics it holds of those it opened, and how many it may hold.
    pub topics_held: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_limit: Option<u32>,
    /// Unread messages. A person's are those of the topics that they take part in, and of those where something
    /// addressed to them is unread.
    pub unread: usize,
    /// Topics with wakes that wait.
    pub wakes_waiting: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MyTopic {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub status: String,
    pub state: String,
    pub opened_by_me: bool,
    /// Requests that it still owes an answer.
    pub owes: Vec<String>,
    /// Its requests that are still unanswered.
    pub owed: Vec<String>,
}
