//! Topics: listing, looking, closing by hand, retitling.

use ygg_domain::Refusal;
use ygg_domain::change::Change;
use ygg_domain::conversation::access;
use ygg_domain::credits::Pot;
use ygg_domain::id::{ConversationId, TopicId};
use ygg_domain::limits;
use ygg_domain::participant::Right;
use ygg_domain::topic::{Topic, close, title};
use ygg_wire::Page;
use ygg_wire::topic::TopicView;

use crate::commit::Write;
use crate::guard::Guard;
use crate::standing::{self, Debts};
use crate::unfinished::unfinished;
use crate::{Caller, Engine, Error, Result, cursor, page};

impl Engine {
    /// Topics that the caller may read, newest first.
    pub async fn topics(
        &self,
        caller: &Caller,
        conversation: Option<&str>,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Page<TopicView>> {
        let conversation = match conversation {
            None => None,
            Some(text) => {
                Some(text.parse::<ConversationId>().map_err(|_| Refusal::NotFound { what: "conversation" })?)
            }
        };
        let cursor = match before {
            None => None,
            Some(text) => Some(topic_id(text)?),
        };
        let limit = limit.clamp(1, limits::PAGE_ROWS);
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let found = rows.topics(guard.workspace, conversation, cursor, page::ROWS)?;
            let page = page::page(
                found,
                limit,
                |topic| topic.id.to_string(),
                |topic| Ok(guard.reads_topic(topic.id)?.then_some(topic)),
            )?;
            Ok(Page { items: views(&guard, &page.items)?, next: page.next })
        })
        .await
    }

    pub async fn topic(&self, caller: &Caller, topic: &str) -> Result<TopicView> {
        let id = topic_id(topic)?;
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let (topic, ..) = guard.topic(id)?;
            view(&guard, &topic)
        })
        .await
    }

    /// Closes by hand: final, and everything pending in the topic ends with it [S7].
    pub async fn close_topic(&self, caller: &Caller, topic: &str) -> Result<TopicView> {
        let id = topic_id(topic)?;
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let changes = {
                let guard = Guard::new(work.tx, &caller)?;
                let (topic, _, ties) = guard.topic(id)?;
                let standing = standing::load(work.tx, caller.workspace, id, Debts::Loaded)?;
                let standing = standing.ok_or_else(|| Error::broken("a topic's conversation is missing"))?;
                let unfinished = unfinished(work.tx, caller.workspace, &standing, Some(&guard.reader.id))?;
                let mut shortfalls = work.tx.shortfalls(caller.workspace)?;
                shortfalls.retain(|short| short.topic == Some(id));
                let pending = close::Pending {
                    shortfalls: &shortfalls,
                    wakes: &standing.wakes,
                    debts: &standing.debts,
                    unfinished: &unfinished,
                    farthest: work.tx.farthest(caller.workspace, id)?,
                };
                close::by_hand(&topic, &guard.reader, ties.party, &pending, &mut work.ids, work.now)?
            };
            work.apply(caller.workspace, &changes)?;
            let guard = Guard::new(work.tx, &caller)?;
            let (topic, ..) = guard.topic(id)?;
            view(&guard, &topic)
        })
        .await
    }

    pub async fn retitle_topic(&self, caller: &Caller, topic: &str, new: &str) -> Result<TopicView> {
        let id = topic_id(topic)?;
        let (caller, new) = (caller.clone(), new.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let conversation = {
                let guard = Guard::new(work.tx, &caller)?;
                let (topic, conversation, ties) = guard.topic(id)?;
                let may_write = access::may_write(&guard.reader, &conversation.kind, ties);
                title::retitle(&topic, &guard.reader, may_write, &new)?;
                conversation.id
            };
            work.apply(
                caller.workspace,
                &[Change::TopicTitled { topic: id, conversation, title: new.clone() }],
            )?;
            let guard = Guard::new(work.tx, &caller)?;
            let (topic, ..) = guard.topic(id)?;
            view(&guard, &topic)
        })
        .await
    }
}

pub fn topic_id(text: &str) -> std::result::Result<TopicId, Refusal> {
    text.parse().map_err(|_| Refusal::UnknownTopic { topic: text.to_owned() })
}

fn view(guard: &Guard<'_>, topic: &Topic) -> Result<TopicView> {
    let view = views(guard, std::slice::from_ref(topic))?.pop();
    view.ok_or_else(|| Error::broken("a topic without a view"))
}

/// Topics as the reader sees them, asking once how far a person has read them.
fn views(guard: &Guard<'_>, topics: &[Topic]) -> Result<Vec<TopicView>> {
    let ids: Vec<TopicId> = topics.iter().map(|topic| topic.id).collect();
    let readings = cursor::readings(guard, &ids)?;
    let view = |topic: &Topic| {
        let view = bare_view(guard, topic)?;
        Ok(match readings.get(&topic.id) {
            Some(reading) => view.read_by(reading),
            None => view,
        })
    };
    topics.iter().map(view).collect()
}

fn bare_view(guard: &Guard<'_>, topic: &Topic) -> ygg_store::Result<TopicView> {
    let parties = guard.rows.parties(guard.workspace, topic.id)?;
    // Only those who fund learn of budgets and of how they move.
    let budget = match guard.reader.may(Right::Fund) {
        true => guard.rows.balance(guard.workspace, &Pot::Budget(topic.id))?,
        false => None,
    };
    Ok(TopicView::new(topic, &parties, budget))
}
