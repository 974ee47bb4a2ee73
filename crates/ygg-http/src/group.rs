//! Groups: listing and setting.

use axum::Json;
use axum::extract::State;
use ygg_wire::group::{GroupView, SetGroup};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;

/// The workspace's groups.
#[utoipa::path(
    get, path = "/groups", tag = "groups",
    responses((status = 200, description = "The groups.", body = Vec<GroupView>))
)]
pub async fn groups(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Vec<GroupView>>, Failure> {
    Ok(Json(app.engine.groups(&caller).await?))
}

/// Make a group, or change who is in it.
#[utoipa::path(
    put, path = "/groups/{name}", tag = "groups", request_body = SetGroup,
    params(("name" = String, Path, description = "The group's name.")),
    responses((status = 200, description = "The group as it is now.", body = GroupView))
)]
pub async fn set_group(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, name)): Path<(String, String)>,
    JsonBody(body): JsonBody<SetGroup>,
) -> Result<Json<GroupView>, Failure> {
    Ok(Json(app.engine.set_group(&caller, &name, &body.members).await?))
}
