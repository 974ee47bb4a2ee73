//! An agent's own tasklist.

use axum::Json;
use axum::extract::State;
use ygg_wire::task::{TaskAction, TaskView};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::router::App;

/// Your tasklist.
#[utoipa::path(
    get, path = "/tasks", tag = "tasks",
    responses((status = 200, description = "The whole list.", body = Vec<TaskView>))
)]
pub async fn tasks(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Vec<TaskView>>, Failure> {
    Ok(Json(app.engine.tasks(&caller, TaskAction::List {}).await?))
}

/// Add, update, remove or reorder tasks.
#[utoipa::path(
    post, path = "/tasks", tag = "tasks", request_body = TaskAction,
    responses((status = 200, description = "The whole list as it is now.", body = Vec<TaskView>))
)]
pub async fn act_on_tasks(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(action): JsonBody<TaskAction>,
) -> Result<Json<Vec<TaskView>>, Failure> {
    Ok(Json(app.engine.tasks(&caller, action).await?))
}
