//! Conversations that the caller may read, and rooms made by hand.

use ygg_wire::Page;
use ygg_wire::conversation::{ConversationView, NewRoom};

use reqwest::Method;

use crate::{Client, Result};

impl Client {
    /// In order of making, after a conversation's id.
    pub async fn conversations(
        &self,
        after: Option<&str>,
        limit: Option<usize>,
    ) -> Result<Page<ConversationView>> {
        let query = [("after", after.map(str::to_owned)), ("limit", limit.map(|limit| limit.to_string()))];
        self.get(&["conversations"], &query).await
    }

    pub async fn make_room(&self, room: &NewRoom) -> Result<ConversationView> {
        self.call(Method::POST, &["conversations"], room).await
    }

    pub async fn conversation(&self, id: &str) -> Result<ConversationView> {
        self.get(&["conversations", id], &[]).await
    }
}
