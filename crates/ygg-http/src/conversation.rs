//! Conversations that the caller may read.

use axum::Json;
use axum::extract::State;
use ygg_wire::Page;
use ygg_wire::conversation::ConversationView;

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
