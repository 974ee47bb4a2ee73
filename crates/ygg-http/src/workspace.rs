//! Workspaces: made and deleted by the server's operator, paused by their admins.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ygg_wire::workspace::{NewWorkspace, WorkspaceMade, WorkspaceView};

use crate::body::JsonBody;
use crate::caller::{ServerOperator, SignedIn};
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;

/// Every workspace of the server.
#[utoipa::path(
    get, path = "/workspaces", tag = "server",
    responses((status = 200, description = "The workspaces, by name.", body = Vec<WorkspaceView>))
)]
pub async fn workspaces(
    State(app): State<App>,
    _: ServerOperator,
) -> Result<Json<Vec<WorkspaceView>>, Failure> {
    Ok(Json(app.engine.workspaces().await?))
}

/// Make a workspace. Its owner's key is shown this once.
#[utoipa::path(
    post, path = "/workspaces", tag = "server", request_body = NewWorkspace,
    responses((status = 201, description = "The workspace and its owner's key.", body = WorkspaceMade))
)]
pub async fn make_workspace(
    State(app): State<App>,
    _: ServerOperator,
    JsonBody(body): JsonBody<NewWorkspace>,
) -> Result<Response, Failure> {
    let made = app.engine.make_workspace(body).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(made)).into_response())
}

/// Delete a workspace with everything in it. Its open streams end.
#[utoipa::path(
    delete, path = "/workspaces/{slug}", tag = "server",
    params(("slug" = String, Path, description = "The workspace, by its name.")),
    responses((status = 200, description = "The workspace that was.", body = WorkspaceView))
)]
pub async fn delete_workspace(
    State(app): State<App>,
    _: ServerOperator,
    Path(slug): Path<String>,
) -> Result<Json<WorkspaceView>, Failure> {
    Ok(Json(app.engine.delete_workspace(&slug).await?))
}

/// Pause the workspace: no agent is handed anything or sends anything. People go on, and nothing is lost.
#[utoipa::path(
    post, path = "/pause", tag = "participants",
    responses((status = 200, description = "The workspace as it is now.", body = WorkspaceView))
)]
pub async fn pause(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<WorkspaceView>, Failure> {
    Ok(Json(app.engine.pause_workspace(&caller, true).await?))
}

/// Set a paused workspace going again.
#[utoipa::path(
    post, path = "/resume", tag = "participants",
    responses((status = 200, description = "The workspace as it is now.", body = WorkspaceView))
)]
pub async fn resume(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<WorkspaceView>, Failure> {
    Ok(Json(app.engine.pause_workspace(&caller, false).await?))
}
