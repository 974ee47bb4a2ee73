//! An agent's inbox.

use axum::Json;
use axum::extract::State;
use ygg_wire::inbox::{Inbox, ReadInbox};

use crate::body::OptionalBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::router::App;

/// Read your inbox: what woke you, and what was said besides.
///
/// Reading consumes and ends the turn before. The body may be left out.
#[utoipa::path(
    post, path = "/inbox", tag = "inbox", request_body = Option<ReadInbox>,
    responses((status = 200, description = "What waited.", body = Inbox))
)]
pub async fn inbox(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    OptionalBody(read): OptionalBody<ReadInbox>,
) -> Result<Json<Inbox>, Failure> {
    Ok(Json(app.engine.inbox(&caller, read).await?))
}
