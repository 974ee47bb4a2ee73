//! Messages: sending one, and reading one.

use serde_json::json;
use ygg_wire::Receipt;
use ygg_wire::draft::Draft;
use ygg_wire::message::MessageView;
use ygg_wire::search::SearchPage;
use ygg_wire::why::WhyView;

use crate::{Client, Result};

impl Client {
    /// A refused send is `Error::Problem`, with the whole receipt in it.
    pub async fn send(&self, draft: &Draft) -> Result<Receipt> {
        self.post(&["messages"], draft).await
    }

    pub async fn message(&self, id: &str) -> Result<MessageView> {
        self.get(&["messages", id], &[]).await
    }

    pub async fn why(&self, message: &str) -> Result<WhyView> {
        self.get(&["messages", message, "why"], &[]).await
    }

    /// Its words and files go for good [W6].
    pub async fn redact(&self, id: &str) -> Result<MessageView> {
        self.post(&["messages", id, "redact"], &json!({})).await
    }

    /// What has all the words of a query, newest first; `after` is the `next` of the page before.
    pub async fn search(&self, query: &str, after: Option<&str>, limit: Option<usize>) -> Result<SearchPage> {
        let query = [
            ("q", Some(query.to_owned())),
            ("after", after.map(str::to_owned)),
            ("limit", limit.map(|limit| limit.to_string())),
        ];
        self.get(&["search"], &query).await
    }
}
