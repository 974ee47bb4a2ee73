//! Topics: listing, reading, retitling, closing.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use ygg_wire::Page;
use ygg_wire::cursor::{CursorView, ReadTo};
use ygg_wire::message::MessageView;
use ygg_wire::topic::{Retitle, TopicView};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::{Limit, Path, Query, SeqQuery, rows};
use crate::router::App;

/// Which page of topics.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TopicsQuery {
    /// Only the topics of this conversation.
    conversation_id: Option<String>,
    /// `next` of the page before.
    after: Option<String>,
    /// Rows of the page: 50 unless said, 200 at most.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 200)]
    limit: Option<Limit>,
}

/// Topics you may read, newest first.
#[utoipa::path(
    get, path = "/topics", tag = "topics", params(TopicsQuery),
    responses((status = 200, description = "One page.", body = Page<TopicView>))
)]
pub async fn topics(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(query): Query<TopicsQuery>,
) -> Result<Json<Page<TopicView>>, Failure> {
    let (conversation, before) = (query.conversation_id.as_deref(), query.after.as_deref());
    Ok(Json(app.engine.topics(&caller, conversation, before, rows(query.limit)).await?))
}

/// One topic, with its parties' states.
#[utoipa::path(
    get, path = "/topics/{id}", tag = "topics",
    params(("id" = String, Path, description = "The topic.")),
    responses((status = 200, description = "The topic.", body = TopicView))
)]
pub async fn topic(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<TopicView>, Failure> {
    Ok(Json(app.engine.topic(&caller, &id).await?))
}

/// Give a topic another title.
#[utoipa::path(
    patch, path = "/topics/{id}", tag = "topics", request_body = Retitle,
    params(("id" = String, Path, description = "The topic.")),
    responses((status = 200, description = "The topic as it is now.", body = TopicView))
)]
pub async fn retitle_topic(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    JsonBody(body): JsonBody<Retitle>,
) -> Result<Json<TopicView>, Failure> {
    Ok(Json(app.engine.retitle_topic(&caller, &id, &body.title).await?))
}

/// Close a topic for good.
#[utoipa::path(
    post, path = "/topics/{id}/close", tag = "topics",
    params(("id" = String, Path, description = "The topic.")),
    responses((status = 200, description = "The topic as it is now.", body = TopicView))
)]
pub async fn close_topic(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<TopicView>, Failure> {
    Ok(Json(app.engine.close_topic(&caller, &id).await?))
}

/// Say how far you have read a topic. For people: the cursor is the same on all of your devices and never goes back.
#[utoipa::path(
    put, path = "/topics/{id}/read", tag = "topics", request_body = ReadTo,
    params(("id" = String, Path, description = "The topic.")),
    responses((status = 200, description = "How far you have read now, and what is left.", body = CursorView))
)]
pub async fn read_topic(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    JsonBody(body): JsonBody<ReadTo>,
) -> Result<Json<CursorView>, Failure> {
    Ok(Json(app.engine.read_topic(&caller, &id, body.seq).await?))
}

/// Messages of a topic, oldest first.
#[utoipa::path(
    get, path = "/topics/{id}/messages", tag = "topics",
    params(("id" = String, Path, description = "The topic."), SeqQuery),
    responses((status = 200, description = "One page.", body = Page<MessageView>))
)]
pub async fn messages(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    Query(query): Query<SeqQuery>,
) -> Result<Json<Page<MessageView>>, Failure> {
    let after = query.after.unwrap_or(0);
    Ok(Json(app.engine.messages(&caller, &id, after, rows(query.limit)).await?))
}
