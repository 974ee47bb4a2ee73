//! What one reading of an inbox hands over.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::notice::Notice;
use ygg_domain::turn::{Batch, Item};
use ygg_domain::wake::Wake;

use crate::time;

/// How to read.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadInbox {
    /// Look without consuming.
    #[serde(default)]
    pub peek: bool,
    /// The last batch that was taken once more, also beside `peek`: neither consumes.
    #[serde(default)]
    pub again: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Inbox {
    /// The turn that this reading began; absent when nothing was handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// The topic that is served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// What woke you, operator lines first.
    pub wakes: Vec<InboxItem>,
    /// What was said besides; it woke nobody.
    pub context: Vec<InboxItem>,
    /// More is waiting: read again when you are done with this.
    pub more: bool,
    /// Further topics with wakes.
    pub more_topics: usize,
    /// The whole of it as an agent reads it: operator lines as they are, everything else fenced.
    pub text: String,
}

/// Ids, kinds and trust. What was said stands in `text`, fenced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InboxItem {
    /// The kind of wake, or the reason why it is context.
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// Absent for what belongs to no topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// Participant id.
    pub from: String,
    /// `operator`, `participant` or `public`.
    pub trust: String,
    /// `request`, `response` or `inform`; absent for notices.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub message_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<String>,
    /// Ids of the files that it carries; their names stand in `text`, fenced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<String>,
}

impl From<&Item> for InboxItem {
    fn from(item: &Item) -> Self {
        Self {
            kind: item.why.name().to_owned(),
            message_id: Some(item.message.id.to_string()),
            topic_id: Some(item.message.topic.to_string()),
            from: item.message.sender.to_string(),
            trust: item.trust.name().to_owned(),
            message_type: Some(item.message.kind.name().to_owned()),
            sent_at: Some(time::text(item.message.sent_at)),
            attachments: item.message.attachments.iter().map(|file| file.file.to_string()).collect(),
        }
    }
}

impl From<&Notice> for InboxItem {
    fn from(notice: &Notice) -> Self {
        Self {
            kind: notice.kind.name().to_owned(),
            message_id: notice.message.map(|message| message.to_string()),
            topic_id: notice.topic.map(|topic| topic.to_string()),
            from: "system.ygg".to_owned(),
            trust: "participant".to_owned(),
            message_type: None,
            sent_at: None,
            attachments: Vec::new(),
        }
    }
}

/// A wake that a notice of the backend made: one entry, however many notices have merged into it.
impl From<&Wake> for InboxItem {
    fn from(wake: &Wake) -> Self {
        Self {
            kind: wake.kind.name().to_owned(),
            message_id: None,
            topic_id: wake.topic.map(|topic| topic.to_string()),
            from: "system.ygg".to_owned(),
            trust: "participant".to_owned(),
            message_type: None,
            sent_at: Some(time::text(wake.made_at)),
            attachments: Vec::new(),
        }
    }
}

impl Inbox {
    pub fn new(batch: &Batch, text: String) -> Self {
        let context = batch.context.iter().map(InboxItem::from);
        let told = batch.notices.iter().filter(|notice| notice.wake.is_none()).map(InboxItem::from);
        let noticed = batch.noticed.iter().map(InboxItem::from);
        Self {
            turn_id: batch.turn.map(|id| id.to_string()),
            topic_id: batch.topic.as_ref().map(|(id, _)| id.to_string()),
            wakes: batch.wakes.iter().map(InboxItem::from).chain(noticed).collect(),
            context: context.chain(told).collect(),
            more: batch.more_topics > 0 || batch.more_messages,
            more_topics: batch.more_topics,
            text,
        }
    }
}
