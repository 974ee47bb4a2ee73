//! Threads read back, and one message by its id, each only by who may read it.

use ygg_domain::Refusal;
use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::limits;
use ygg_domain::render::page;
use ygg_domain::time::Timestamp;
use ygg_store::Rows;
use ygg_store::delivery::Delivered;
use ygg_store::message::Logged;
use ygg_wire::Page;
use ygg_wire::message::{DeliveryView, MessageView};

use crate::fresh::SystemNonces;
use crate::guard::Guard;
use crate::{Caller, Engine, Error, Result};

/// A page of a topic as an agent reads it back: every text fenced [P5].
pub struct ReadBack {
    pub messages: Vec<MessageView>,
    /// Rendered and fenced.
    pub text: String,
    /// Pass as `before` for what was said earlier; none at the beginning.
    pub earlier: Option<i64>,
    /// Pass as `from` for the rest of a long text.
    pub rest_from: Option<usize>,
}

/// Messages held in memory at once while a page is gathered.
const CHUNK: usize = 20;
/// What is read back at once, without the words around it.
const ROOM: usize = limits::READ_BACK_CHARS - 1_000;

impl Engine {
    pub async fn message(&self, caller: &Caller, id: &str) -> Result<MessageView> {
        let id = message_id(id)?;
        self.open(caller, move |guard| Ok(view(guard, readable(guard, id)?)?)).await
    }

    /// Messages of a topic, oldest first, after a place in the log.
    pub async fn messages(
        &self,
        caller: &Caller,
        topic: &str,
        after: i64,
        limit: usize,
    ) -> Result<Page<MessageView>> {
        let id: TopicId = topic.parse().map_err(|_| Refusal::UnknownTopic { topic: topic.to_owned() })?;
        let limit = limit.clamp(1, limits::PAGE_ROWS);
        self.open(caller, move |guard| {
            guard.open_topic(id)?;
            let mut items = Vec::new();
            let (mut after, mut bytes) = (after, 0);
            loop {
                let found = guard.rows.messages_after(guard.workspace, id, after, CHUNK)?;
                let cut = found.len() == CHUNK;
                for logged in found {
                    if items.len() == limit || bytes > limits::PAGE_BYTES {
                        return Ok(Page { items, next: Some(after.to_string()) });
                    }
                    after = logged.seq;
                    bytes += logged.message.text.len();
                    items.push(view(guard, logged)?);
                }
                if !cut {
                    return Ok(Page { items, next: None });
                }
            }
        })
        .await
    }

    /// The newest messages of a topic before `before`, newest last, as far as they fit one tool answer.
    pub async fn read_back(&self, caller: &Caller, topic: &str, before: Option<i64>) -> Result<ReadBack> {
        let id: TopicId = topic.parse().map_err(|_| Refusal::UnknownTopic { topic: topic.to_owned() })?;
        let now = self.clock.now();
        let workspace = caller.slug.clone();
        self.open(caller, move |guard| {
            guard.open_topic(id)?;
            let before = before.unwrap_or(i64::MAX);
            let found = guard.rows.messages_before(guard.workspace, id, before, limits::PAGE_ROWS)?;
            let full = found.len() == limits::PAGE_ROWS;
            let (kept, text, cut) = newest_that_fit(found, workspace.as_str(), now);
            let earlier = kept.first().filter(|_| cut || full).map(|first| first.seq);
            let views =
                kept.into_iter().map(|logged| view(guard, logged)).collect::<ygg_store::Result<_>>()?;
            Ok(ReadBack { messages: views, text, earlier, rest_from: None })
        })
        .await
    }

    /// One message from a character on, as far as it fits one tool answer.
    pub async fn read_back_message(&self, caller: &Caller, message: &str, from: usize) -> Result<ReadBack> {
        let id = message_id(message)?;
        let now = self.clock.now();
        let workspace = caller.slug.clone();
        self.open(caller, move |guard| {
            let logged = readable(guard, id)?;
            let (mut text, mut files) = (String::new(), String::new());
            if from == 0 {
                page::files(&mut files, workspace.as_str(), &logged.message.attachments, &mut SystemNonces);
            }
            let room = ROOM - files.chars().count();
            let rest_from = page::message(&mut text, &logged.message, from, room, now, &mut SystemNonces);
            text.push_str(&files);
            Ok(ReadBack { messages: vec![view(guard, logged)?], text, earlier: None, rest_from })
        })
        .await
    }
}

pub fn message_id(text: &str) -> std::result::Result<MessageId, Refusal> {
    text.parse().map_err(|_| Refusal::NotFound { what: "message" })
}

/// The message, if the reader may read it.
pub fn readable(guard: &Guard<'_>, id: MessageId) -> Result<Logged> {
    let missing = || Refusal::NotFound { what: "message" };
    let Some(logged) = guard.rows.message(guard.workspace, id)? else { return Err(missing().into()) };
    match guard.open_topic(logged.message.topic) {
        Ok(_) => Ok(logged),
        // To whoever may not read it there is no such message, whatever its topic.
        Err(Error::Refused(_)) => Err(missing().into()),
        Err(trouble) => Err(trouble),
    }
}

/// The newest ones that fit, oldest first, as they are read, and whether some did not.
fn newest_that_fit(mut found: Vec<Logged>, workspace: &str, now: Timestamp) -> (Vec<Logged>, String, bool) {
    let mut room = ROOM;
    let mut written = Vec::new();
    for logged in found.iter().rev() {
        let mut text = String::new();
        page::message(&mut text, &logged.message, 0, limits::INBOX_TEXT_CHARS, now, &mut SystemNonces);
        page::files(&mut text, workspace, &logged.message.attachments, &mut SystemNonces);
        let Some(left) = room.checked_sub(text.chars().count()) else { break };
        room = left;
        written.push(text);
    }
    let kept = found.split_off(found.len() - written.len());
    let text = written.into_iter().rev().collect();
    (kept, text, !found.is_empty())
}

pub fn view(guard: &Guard<'_>, logged: Logged) -> ygg_store::Result<MessageView> {
    view_of(guard.rows, guard.workspace, logged)
}

/// A message with what it meant to each recipient.
pub fn view_of(
    rows: &dyn Rows,
    workspace: ygg_domain::workspace::WorkspaceKey,
    logged: Logged,
) -> ygg_store::Result<MessageView> {
    let deliveries = rows.deliveries(workspace, logged.message.id)?;
    let recipients = deliveries.into_iter().map(delivery_view).collect();
    Ok(MessageView::new(&logged.message, logged.seq, recipients))
}

pub fn delivery_view(delivered: Delivered) -> DeliveryView {
    let (step, ended_by) = delivered.reached();
    DeliveryView {
        id: delivered.recipient.to_string(),
        effect: delivered.effect.name().to_owned(),
        reason: delivered.effect.reason().map(str::to_owned),
        step: step.to_owned(),
        ended_by: ended_by.map(str::to_owned),
        debt: delivered.debt.map(|debt| debt.name().to_owned()),
    }
}
