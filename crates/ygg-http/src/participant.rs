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
