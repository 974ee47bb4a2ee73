//! Agents and people, and the directory of both.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ygg_wire::participant::{AgentEdit, AgentView, Directory, NewAgent, PersonEdit, PersonView};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;

/// Everybody in the workspace, and its groups.
#[utoipa::path(
    get, path = "/directory", tag = "participants",
    responses((status = 200, description = "The directory.", body = Directory))
)]
pub async fn directory(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Directory>, Failure> {
    Ok(Json(app.engine.directory(&caller).await?))
}

/// The workspace's agents.
#[utoipa::path(
    get, path = "/agents", tag = "participants",
    responses((status = 200, description = "The agents.", body = Vec<AgentView>))
)]
pub async fn agents(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Vec<AgentView>>, Failure> {
    Ok(Json(app.engine.directory(&caller).await?.agents))
}

/// Add an agent.
#[utoipa::path(
    post, path = "/agents", tag = "participants", request_body = NewAgent,
    responses((status = 201, description = "The new agent.", body = AgentView))
)]
pub async fn add_agent(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<NewAgent>,
) -> Result<(StatusCode, Json<AgentView>), Failure> {
    Ok((StatusCode::CREATED, Json(app.engine.add_agent(&caller, body).await?)))
}

/// Change what is said about an agent; what is left out stays.
#[utoipa::path(
    patch, path = "/agents/{id}", tag = "participants", request_body = AgentEdit,
    params(("id" = String, Path, description = "The agent.")),
    responses((status = 200, description = "The agent as it is now.", body = AgentView))
)]
pub async fn edit_agent(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    JsonBody(edit): JsonBody<AgentEdit>,
) -> Result<Json<AgentView>, Failure> {
    Ok(Json(app.engine.edit_agent(&caller, &id, edit).await?))
}

/// Remove an agent. Its wakes, tasks and keys end, whoever it owed an answer is told, its wallet goes back to the pool,
/// and its name stays in history.
#[utoipa::path(
    delete, path = "/agents/{id}", tag = "participants",
    params(("id" = String, Path, description = "The agent.")),
    responses((status = 200, description = "The agent, removed.", body = AgentView))
)]
pub async fn remove_agent(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<AgentView>, Failure> {
    Ok(Json(app.engine.remove_agent(&caller, &id).await?))
}

/// Pause an agent: it is handed nothing and sends nothing until it is set going again. Nothing is lost.
#[utoipa::path(
    post, path = "/agents/{id}/pause", tag = "participants",
    params(("id" = String, Path, description = "The agent.")),
    responses((status = 200, description = "The agent as it is now.", body = AgentView))
)]
pub async fn pause_agent(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<AgentView>, Failure> {
    Ok(Json(app.engine.pause_agent(&caller, &id, true).await?))
}

/// Set a paused agent going again.
#[utoipa::path(
    post, path = "/agents/{id}/resume", tag = "participants",
    params(("id" = String, Path, description = "The agent.")),
    responses((status = 200, description = "The agent as it is now.", body = AgentView))
)]
pub async fn resume_agent(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<AgentView>, Failure> {
    Ok(Json(app.engine.pause_agent(&caller, &id, false).await?))
}

/// The workspace's people.
#[utoipa::path(
    get, path = "/people", tag = "participants",
    responses((status = 200, description = "The people.", body = Vec<PersonView>))
)]
pub async fn people(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Vec<PersonView>>, Failure> {
    Ok(Json(app.engine.directory(&caller).await?.people))
}

/// Change a person's role or display name; what is left out stays.
#[utoipa::path(
    patch, path = "/people/{id}", tag = "participants", request_body = PersonEdit,
    params(("id" = String, Path, description = "The person's id or @handle.")),
    responses((status = 200, description = "The person as it is now.", body = PersonView))
)]
pub async fn edit_person(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    JsonBody(edit): JsonBody<PersonEdit>,
) -> Result<Json<PersonView>, Failure> {
    Ok(Json(app.engine.edit_person(&caller, &id, edit).await?))
}

/// Remove a person, or leave yourself. Keys, sessions and open streams end; the name stays in history.
#[utoipa::path(
    delete, path = "/people/{id}", tag = "participants",
    params(("id" = String, Path, description = "The person's id or @handle.")),
    responses((status = 200, description = "The person, removed.", body = PersonView))
)]
pub async fn remove_person(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<PersonView>, Failure> {
    Ok(Json(app.engine.remove_person(&caller, &id).await?))
}
