//! Search over what the reader may see, and over nothing else: what it may not read is neither shown nor counted.

use std::collections::HashMap;

use ygg_domain::conversation::access;
use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::limits;
use ygg_domain::participant::Participant;
use ygg_domain::search::{self, Sought};
use ygg_domain::topic::Topic;
use ygg_domain::words;
use ygg_store::search::Found;
use ygg_wire::search::{HitView, NameView, SearchPage};
use ygg_wire::time;

use crate::guard::Guard;
use crate::{Caller, Engine, Error, Result};

/// Places asked for in one go.
const CHUNK: usize = 200;

impl Engine {
    /// Messages and titles with all the words before a place of the log, newest first; names beside the first page.
    pub async fn search(
        &self,
        caller: &Caller,
        sought: Sought,
        before: Option<i64>,
        limit: usize,
    ) -> Result<SearchPage> {
        let limit = limit.clamp(1, limits::PAGE_ROWS);
        self.open(caller, move |guard| {
            let participants = match before {
                None => names(guard, &sought)?,
                Some(_) => Vec::new(),
            };
            let mut reader = Reader { guard, conversations: HashMap::new(), topics: HashMap::new() };
            let (items, next) = reader.page(&sought, before.unwrap_or(i64::MAX), limit)?;
            Ok(SearchPage { participants, items, next: next.map(|next| next.to_string()) })
        })
        .await
    }
}

/// A topic that the reader may read.
#[derive(Clone)]
struct Open {
    topic: Topic,
    /// Others talk in private there.
    private: bool,
}

/// What the reader may read, as far as it was asked.
struct Reader<'a> {
    guard: &'a Guard<'a>,
    conversations: HashMap<ConversationId, bool>,
    topics: HashMap<TopicId, Option<Open>>,
}

impl Reader<'_> {
    /// A page and where to go on. Whoever may read little gets a short page, never a long wait.
    fn page(
        &mut self,
        sought: &Sought,
        mut before: i64,
        limit: usize,
    ) -> Result<(Vec<HitView>, Option<i64>)> {
        let (mut items, mut bytes, mut looked_at) = (Vec::new(), 0, 0);
        loop {
            let found = self.guard.rows.found(self.guard.workspace, sought, before, CHUNK)?;
            let at_end = found.len() < CHUNK;
            for found in found {
                if looked_at == limits::SEARCH_PLACES {
                    return Ok((items, Some(before)));
                }
                if let Some(open) = self.topic(&found)? {
                    if items.len() == limit || bytes > limits::PAGE_BYTES {
                        return Ok((items, Some(before)));
                    }
                    let (hit, size) = self.hit(sought, &found, &open)?;
                    bytes += size;
                    items.push(hit);
                }
                looked_at += 1;
                before = found.seq;
            }
            if at_end {
                return Ok((items, None));
            }
        }
    }

    /// The topic where it stands, if the reader may read it.
    fn topic(&mut self, found: &Found) -> Result<Option<Open>> {
        if let Some(known) = self.topics.get(&found.topic) {
            return Ok(known.clone());
        }
        let guard = self.guard;
        let whole = match self.conversations.get(&found.conversation) {
            Some(known) => *known,
            None => {
                let reads = guard.reads_conversation(found.conversation)?;
                self.conversations.insert(found.conversation, reads);
                reads
            }
        };
        let reads = whole
            || guard.rows.is_party(guard.workspace, found.topic, &guard.reader.id)?
                && guard.reads_topic(found.topic)?;
        let open = match reads {
            true => {
                let (topic, conversation, ties) = guard.topic(found.topic)?;
                Some(Open { topic, private: access::is_audited(&guard.reader, &conversation, ties) })
            }
            false => None,
        };
        self.topics.insert(found.topic, open.clone());
        Ok(open)
    }

    /// With the bytes that were read for it.
    fn hit(&self, sought: &Sought, found: &Found, open: &Open) -> Result<(HitView, usize)> {
        let (guard, topic, title) = (self.guard, &open.topic, open.topic.title.clone());
        if open.private && found.message.is_some() {
            guard.note_private(found.conversation);
        }
        let (text, sender, sent_at) = match found.message {
            None => (title.clone().unwrap_or_default(), topic.opener.clone(), topic.opened_at),
            Some(id) => {
                let logged = guard.rows.message(guard.workspace, id)?;
                let message =
                    logged.ok_or_else(|| Error::broken("a message that was found is missing"))?.message;
                (message.text, message.sender, message.sent_at)
            }
        };
        let hit = HitView {
            kind: if found.message.is_some() { "message" } else { "topic" }.to_owned(),
            message_id: found.message.map(|id| id.to_string()),
            topic_id: found.topic.to_string(),
            conversation_id: found.conversation.to_string(),
            title,
            sender: sender.to_string(),
            sent_at: time::text(sent_at),
            seq: found.seq,
            snippet: sought.snippet(&text),
        };
        Ok((hit, text.len()))
    }
}

/// Who is in the directory under such a name; everybody of the workspace sees that.
fn names(guard: &Guard<'_>, sought: &Sought) -> Result<Vec<NameView>> {
    if guard.reader.removed {
        return Ok(Vec::new());
    }
    let all = guard.rows.participants(guard.workspace)?;
    let named = all.into_iter().filter(|one| !one.removed && is_named(one, sought));
    let named = named.take(limits::SEARCH_NAMES).map(|one| NameView {
        id: one.id.to_string(),
        handle: one.as_person().map(|person| person.handle.to_string()),
        display_name: one.display_name,
    });
    Ok(named.collect())
}

/// A person by handle and display name, anybody else by id and display name.
fn is_named(participant: &Participant, sought: &Sought) -> bool {
    let name = match participant.as_person() {
        Some(person) => person.handle.to_string(),
        None => participant.id.to_string(),
    };
    sought.finds(&search::index(words::of(&format!("{name} {}", participant.display_name))))
}
