//! Conversations that the caller may read, and rooms made by hand.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ygg_wire::Page;
use ygg_wire::conversation::{ConversationView, NewRoom};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::{PageQuery, Path, Query, rows};
use crate::router::App;

/// Conversations you may read, in order of making.
#[utoipa::path(
    get, path = "/conversations", tag = "conversations", params(PageQuery),
    responses((status = 200, description = "One page.", body = Page<ConversationView>))
)]
pub async fn conversations(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<ConversationView>>, Failure> {
    Ok(Json(app.engine.conversations(&caller, query.after.as_deref(), rows(query.limit)).await?))
}

/// Make a room of yourself and others, private or not.
///
/// A person of the role of member or above makes it. Topics are opened in it by `POST /messages` with its id as
/// `conversation_id`. Rooms that are needed for a message to several come by themselves.
#[utoipa::path(
    post, path = "/conversations", tag = "conversations", request_body = NewRoom,
    responses((status = 201, description = "The room.", body = ConversationView))
)]
pub async fn make_room(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<NewRoom>,
) -> Result<(StatusCode, Json<ConversationView>), Failure> {
    Ok((StatusCode::CREATED, Json(app.engine.make_room(&caller, body).await?)))
}

/// One conversation, with who is in it.
#[utoipa::path(
    get, path = "/conversations/{id}", tag = "conversations",
    params(("id" = String, Path, description = "The conversation.")),
    responses((status = 200, description = "The conversation.", body = ConversationView))
)]
pub async fn conversation(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<ConversationView>, Failure> {
    Ok(Json(app.engine.conversation(&caller, &id).await?))
}
