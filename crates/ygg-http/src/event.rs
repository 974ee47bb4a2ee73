//! What happens, as server-sent events: from a place in the log on, without gap or repeat.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::sse::{Event as Line, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};
use serde::Deserialize;
use utoipa::IntoParams;
use ygg_engine::Error;
use ygg_wire::event::Event;

use crate::caller::SignedIn;
use crate::guard::RequestId;
use crate::problem::{self, Failure};
use crate::query::Query;
use crate::router::App;
use crate::stream::stopped;

/// How long a reader waits before it comes again.
const RETRY: Duration = Duration::from_secs(1);

/// Where a stream begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Only events after this place in the log; 0 for all of them, nothing for what is new.
    #[param(minimum = 0)]
    after: Option<i64>,
}

/// Follow what happens, as far as you may see it.
///
/// Each event has its place in the log as `id`, its kind as `event` and an Event as `data`. A reader that comes
/// again with `Last-Event-ID` goes on where it was. The stream ends when the key is revoked, the session ends or the server stops. If
/// it breaks, an event `problem` without an id says why; come again.
#[utoipa::path(
    get, path = "/events", tag = "events",
    params(
        EventsQuery,
        ("Last-Event-ID" = Option<i64>, Header, description = "The last place seen; it counts before `after`."),
    ),
    responses((status = 200, description = "The stream.", body = Event, content_type = "text/event-stream"))
)]
pub async fn events(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Extension(request): Extension<RequestId>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let after = match last_event_id(&headers)? {
        Some(last) => Some(last),
        None => query.after,
    };
    if after.is_some_and(|after| after < 0) {
        return Err(Failure::invalid("a place in the log is a whole number from 0 up").fact("field", "after"));
    }
    let place = app.streams.take(caller.credential())?;
    let after = match after {
        Some(after) => after,
        None => app.engine.last_seq(&caller).await?,
    };
    let events = app.engine.subscribe(&caller, after).await?;
    let lines = events.map(move |event| {
        // The place is held for as long as the stream is.
        let _held = &place;
        line(event, &request)
    });
    let hint = || stream::iter([Line::default().retry(RETRY)]);
    // Nothing is buffered: the next event is made when the connection has taken the one before.
    let whole = hint().chain(lines.take_until(stopped(app.config.shutdown.clone()))).chain(hint());
    let beats = KeepAlive::new().interval(app.config.heartbeat);
    let sse = Sse::new(whole.map(Ok::<_, Infallible>)).keep_alive(beats);
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        // Proxies that would gather the stream pass it on at once.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, sse).into_response())
}

fn line(event: Result<Event, Error>, request: &RequestId) -> Line {
    let told = event.map_err(Failure::from).and_then(|event| {
        let line = Line::default().id(event.seq.to_string()).event(&event.kind).json_data(&event);
        line.map_err(|error| Error::Broken(format!("an event does not write: {error}")).into())
    });
    told.unwrap_or_else(|failure| {
        Line::default().event("problem").data(problem::text(failure.of(request.as_str()).problem()))
    })
}

/// The place after which a reader that was here before goes on. An empty one is none, as browsers send it.
fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>, Failure> {
    let Some(sent) = headers.get("last-event-id").filter(|sent| !sent.is_empty()) else { return Ok(None) };
    let place = sent.to_str().ok().and_then(|text| text.trim().parse().ok());
    place.map(Some).ok_or_else(|| {
        Failure::invalid("Last-Event-ID is the id of an event of this stream").fact("field", "Last-Event-ID")
    })
}
