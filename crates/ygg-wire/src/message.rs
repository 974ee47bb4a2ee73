//! Messages as people and programs read them. Agents read them fenced.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::message::Message;
use ygg_domain::topic::State;

use crate::file::FileView;
use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageView {
    pub id: String,
    pub topic_id: String,
    pub conversation_id: String,
    pub sender: String,
    /// `request`, `response` or `inform`.
    #[serde(rename = "type")]
    pub kind: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub body: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<FileView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_reply_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting_for: Vec<String>,
    /// Steps from what a person said, 0 for a person's own line.
    pub hop: u32,
    /// The message that the chain began with.
    pub origin: String,
    /// Credits.
    pub charged: i64,
    pub sent_at: String,
    /// Place in the workspace's event log.
    pub seq: i64,
    pub recipients: Vec<DeliveryView>,
    /// Its words and files were taken out: `text` is a mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RedactedView {
    /// Participant id.
    pub by: String,
    pub at: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryView {
    pub id: String,
    /// `wake`, `context` or `notify`.
    pub effect: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How far it got [K5a]: `pending`, `handed` (to a run of the agent), `read` (shown to it), `answered` or `ended`. A
    /// person has read what their cursor has passed.
    pub step: String,
    /// Why it `ended`: `topic_closed` or `recipient_gone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<String>,
    /// What became of the answer that a request is owed: `open`, `settled` or `closed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debt: Option<String>,
}

impl MessageView {
    pub fn new(message: &Message, seq: i64, recipients: Vec<DeliveryView>) -> Self {
        let waiting_for = match &message.state {
            Some(State::Waiting(for_whom)) => for_whom.iter().map(ToString::to_string).collect(),
            Some(State::Informed | State::Working | State::NeedsHuman | State::Done) | None => Vec::new(),
        };
        Self {
            id: message.id.to_string(),
            topic_id: message.topic.to_string(),
            conversation_id: message.conversation.to_string(),
            sender: message.sender.to_string(),
            kind: message.kind.name().to_owned(),
            text: message.text.clone(),
            body: message.body.as_deref().and_then(|body| serde_json::from_str(body).ok()),
            attachments: message.attachments.iter().map(FileView::from).collect(),
            in_reply_to: message.in_reply_to.map(|id| id.to_string()),
            state: message.state.as_ref().map(|state| state.name().to_owned()),
            waiting_for,
            hop: message.origin.hop,
            origin: message.origin.message.to_string(),
            charged: message.charged,
            sent_at: time::text(message.sent_at),
            seq,
            recipients,
            redacted: message
                .redacted
                .as_ref()
                .map(|redacted| RedactedView { by: redacted.by.to_string(), at: time::text(redacted.at) }),
        }
    }
}
