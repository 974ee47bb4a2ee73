//! How far people have read, and what that leaves them to read [W6].

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ygg_domain::conversation::access;
use ygg_domain::cursor::{self, MoveFacts, Reading};
use ygg_domain::id::{ConversationId, TopicId};
use ygg_wire::cursor::CursorView;

use crate::commit::Write;
use crate::guard::Guard;
use crate::topic::topic_id;
use crate::{Caller, Engine, Error, Result};

impl Engine {
    /// The caller has read a topic up to a place in the log. The cursor never goes back.
    pub async fn read_topic(&self, caller: &Caller, topic: &str, seq: i64) -> Result<CursorView> {
        let id = topic_id(topic)?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let (changes, view) = {
                let guard = Guard::new(work.tx, &caller)?;
                cursor::check_reader(&guard.reader)?;
                let (topic, ..) = guard.topic(id)?;
                let stands = reading(&guard, id, 0)?.seq;
                let place = cursor::place(stands, work.tx.newest(caller.workspace, id)?, seq);
                let moved = reading(&guard, id, place)?;
                let reads_own = work.tx.has_unread_up_to(caller.workspace, &guard.reader.id, id, place)?;
                let view = CursorView::from(&moved);
                let conversation = topic.conversation;
                let facts = MoveFacts { reader: guard.reader, conversation, stands, moved, reads_own };
                (cursor::decide(&facts)?, view)
            };
            work.apply(caller.workspace, &changes)?;
            Ok(view)
        })
        .await
    }
}

/// How the reader stands in a topic where they have read at least to that place.
fn reading(guard: &Guard<'_>, topic: TopicId, at_least: i64) -> Result<Reading> {
    let found = guard.rows.readings(guard.workspace, &guard.reader.id, &[topic], at_least)?.pop();
    found.ok_or_else(|| Error::broken("a topic was asked about in vain"))
}

/// How a person stands in each of the topics, asked at once; nothing to anybody else.
pub fn readings(guard: &Guard<'_>, topics: &[TopicId]) -> ygg_store::Result<BTreeMap<TopicId, Reading>> {
    if !guard.reader.id.is_person() {
        return Ok(BTreeMap::new());
    }
    let found = guard.rows.readings(guard.workspace, &guard.reader.id, topics, 0)?;
    Ok(found.into_iter().map(|reading| (reading.topic, reading)).collect())
}

/// What somebody has to read in all. A person: of the topics that they take part in, and of those where something
/// addressed to them is unread. What agents say to each other counts only where the person has a part.
pub fn unread(guard: &Guard<'_>) -> ygg_store::Result<usize> {
    let Guard { rows, workspace, reader, .. } = guard;
    if !reader.id.is_person() {
        return rows.unread_count(*workspace, &reader.id);
    }
    let mut sum = 0;
    let mut readable = BTreeMap::new();
    for found in rows.unread_topics(*workspace, &reader.id)? {
        // Whoever may not read it any more could never bring it down to 0.
        let counts = found.is_party
            || match readable.entry(found.conversation) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => *place.insert(reads(guard, found.conversation)?),
            };
        sum += if counts { found.unread } else { 0 };
    }
    Ok(sum)
}

fn reads(guard: &Guard<'_>, id: ConversationId) -> ygg_store::Result<bool> {
    let Some(conversation) = guard.rows.conversation(guard.workspace, id)? else { return Ok(false) };
    Ok(access::may_read(&guard.reader, &conversation, guard.ties(&conversation, None)?))
}
