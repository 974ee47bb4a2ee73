//! What a search found.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One page, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchPage {
    /// Those whose name has all the words, on the first page alone; 20 at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<NameView>,
    pub items: Vec<HitView>,
    /// Pass it as `after` to go on; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NameView {
    /// Participant id.
    pub id: String,
    pub display_name: String,
    /// Of a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HitView {
    /// `message`, or `topic` where the title has all the words.
    pub kind: String,
    /// Of a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    pub topic_id: String,
    pub conversation_id: String,
    /// The topic's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Participant id; of a topic, who opened it.
    pub sender: String,
    /// Of a topic, when it was opened.
    pub sent_at: String,
    /// Place in the workspace's event log.
    pub seq: i64,
    /// Plain text on one line, about 160 characters around the first of the words.
    pub snippet: String,
}
