//! Words looked for in every text: what a database finds by its index.

use ygg_domain::message::Message;
use ygg_domain::search::{self, Sought};
use ygg_domain::words;
use ygg_domain::workspace::WorkspaceKey;

use super::World;
use crate::Result;
use crate::search::{Found, Search};

impl Search for World {
    fn found(
        &self,
        workspace: WorkspaceKey,
        sought: &Sought,
        before: i64,
        limit: usize,
    ) -> Result<Vec<Found>> {
        let space = self.space(workspace);
        let stands = |text: &str| sought.finds(&search::index(words::of(text)));
        let of_message = |(seq, message): (i64, &Message)| Found {
            seq,
            conversation: message.conversation,
            topic: message.topic,
            message: Some(message.id),
        };
        let said = space.messages.before(before).filter(|(_, message)| message.redacted.is_none());
        let said = said.filter(|(_, message)| stands(&message.text)).map(of_message);
        let titled = space
            .topics
            .titled_before(before)
            .filter(|(_, topic)| topic.title.as_ref().is_some_and(|title| stands(title)));
        let titled = titled.map(|(seq, topic)| Found {
            seq,
            conversation: topic.conversation,
            topic: topic.id,
            message: None,
        });
        let mut found: Vec<Found> = said.chain(titled).collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.seq));
        found.truncate(limit);
        Ok(found)
    }
}
