//! Topics: the list, one, its messages, its title, its end.

use reqwest::Method;
use serde_json::json;
use ygg_wire::Page;
use ygg_wire::cursor::{CursorView, ReadTo};
use ygg_wire::message::MessageView;
use ygg_wire::topic::{Retitle, TopicView};

use crate::{Client, Result};

/// Which topics to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct WhichTopics {
    pub conversation: Option<String>,
    /// The `next` of the page before.
    pub after: Option<String>,
    pub limit: Option<usize>,
}

impl Client {
    pub async fn topics(&self, which: &WhichTopics) -> Result<Page<TopicView>> {
        let query = [
            ("conversation_id", which.conversation.clone()),
            ("after", which.after.clone()),
            ("limit", which.limit.map(|limit| limit.to_string())),
        ];
        self.get(&["topics"], &query).await
    }

    pub async fn topic(&self, id: &str) -> Result<TopicView> {
        self.get(&["topics", id], &[]).await
    }

    pub async fn retitle_topic(&self, id: &str, title: &str) -> Result<TopicView> {
        self.call(Method::PATCH, &["topics", id], &Retitle { title: title.to_owned() }).await
    }

    /// Final: what is pending in the topic ends with it [S7].
    pub async fn close_topic(&self, id: &str) -> Result<TopicView> {
        self.post(&["topics", id, "close"], &json!({})).await
    }

    /// A person has read the topic up to a place in the log [W6].
    pub async fn read_topic(&self, id: &str, seq: i64) -> Result<CursorView> {
        self.call(Method::PUT, &["topics", id, "read"], &ReadTo { seq }).await
    }

    /// Oldest first, after a place in the log.
    pub async fn messages(
        &self,
        topic: &str,
        after: Option<&str>,
        limit: Option<usize>,
    ) -> Result<Page<MessageView>> {
        let query = [("after", after.map(str::to_owned)), ("limit", limit.map(|limit| limit.to_string()))];
        self.get(&["topics", topic, "messages"], &query).await
    }
}
