//! Events as a stream: from a place in the log on, without gaps, only what the reader may see.

use std::pin::Pin;

use async_stream::stream;
use futures::Stream;
use serde_json::Value;
use ygg_domain::audit::Way;
use ygg_domain::limits;
use ygg_store::Rows;
use ygg_store::log::Logged;
use ygg_wire::event::Event;
use ygg_wire::time;

use crate::audit::Reads;
use crate::guard::Sight;
use crate::message::view_of;
use crate::{Caller, Engine, Result};

/// Events until the reader's key is revoked or session ended. Backpressure is the reader's own: nothing is buffered for it.
pub type EventStream = Pin<Box<dyn Stream<Item = Result<Event>> + Send>>;

/// The event that comes with a text.
const POSTED: &str = "conversation.message.posted";
/// Log rows looked at in one go.
const ROWS: usize = 200;

/// What one look at the log found.
struct Found {
    events: Vec<Event>,
    /// Where to go on.
    next: i64,
    /// The log ends here for now.
    at_end: bool,
    signed_in: bool,
}

impl Engine {
    /// The place of the last event: where a reader begins that wants only what is new.
    pub async fn last_seq(&self, caller: &Caller) -> Result<i64> {
        let workspace = caller.workspace;
        self.look(caller.looker(), move |rows| Ok(rows.last_seq(workspace)?)).await
    }

    /// Events after `after`. A place that the log has not reached (a restored backup) counts as its end.
    pub async fn subscribe(&self, caller: &Caller, after: i64) -> Result<EventStream> {
        let mut hints = self.hints(caller.workspace);
        let last = self.last_seq(caller).await?;
        if after > last {
            tracing::warn!(after, last, workspace = %caller.slug, "a reader is ahead of the log; it goes on from its end");
        }
        let mut after = after.clamp(0, last);
        let (engine, caller) = (self.clone(), caller.clone());
        let followed = self.figures.follow(caller.workspace, after);
        let opened = Event::opened(after, self.clock.now());
        Ok(Box::pin(stream! {
            yield Ok(opened);
            loop {
                hints.mark_unchanged();
                let found = match engine.events(&caller, after).await {
                    Ok(found) => found,
                    Err(error) => {
                        yield Err(error);
                        return;
                    }
                };
                if !found.signed_in {
                    return;
                }
                after = found.next;
                for event in found.events {
                    yield Ok(event);
                }
                followed.reach(after);
                if found.at_end && hints.changed().await.is_err() {
                    return;
                }
            }
        }))
    }

    async fn events(&self, caller: &Caller, after: i64) -> Result<Found> {
        let (engine, caller) = (self.clone(), caller.clone());
        let reads = Reads { looker: caller.patient_looker(), way: Way::Streamed };
        self.look_kept(reads, &caller.clone(), move |guard| {
            let rows = guard.rows;
            let signed_in = engine.still_signed_in(rows, &caller)?;
            let logged = rows.events(caller.workspace, after, ROWS)?;
            let mut at_end = logged.len() < ROWS;
            let (mut events, mut next, mut bytes) = (Vec::new(), after, 0);
            for row in logged {
                if bytes > limits::PAGE_BYTES {
                    at_end = false;
                    break;
                }
                next = row.seq;
                let sight = guard.sight(&row.scope)?;
                if sight == Sight::Hidden {
                    continue;
                }
                if let (Sight::Private(conversation), POSTED) = (sight, row.kind.as_str()) {
                    guard.note_private(conversation);
                }
                let (event, text) = event(rows, &caller, row)?;
                bytes += text;
                events.push(event);
            }
            Ok(Found { events, next, at_end, signed_in })
        })
        .await
    }
}

/// A row of the log as it is shown; a message's text is read now, so that a redaction reaches old events [W6].
/// Comes with the bytes of that text.
fn event(rows: &dyn Rows, caller: &Caller, row: Logged) -> Result<(Event, usize)> {
    let mut data: Value = serde_json::from_str(&row.data)
        .map_err(|error| crate::Error::broken(format!("an event does not read: {error}")))?;
    let message = data.get("message_id").and_then(Value::as_str).and_then(|id| id.parse().ok());
    let mut bytes = 0;
    if let (Some(id), POSTED) = (message, row.kind.as_str())
        && let Some(logged) = rows.message(caller.workspace, id)?
    {
        bytes = logged.message.text.len();
        let view = view_of(rows, caller.workspace, logged)?;
        data = serde_json::json!({ "message": view });
    }
    Ok((Event { seq: row.seq, at: time::text(row.at), kind: row.kind, data }, bytes))
}
