//! Turns: begun, kept alive and ended by whoever runs an agent; seen by those who may read where they happen.

use axum::Json;
use axum::extract::State;
use ygg_wire::Page;
use ygg_wire::turn::{BeginTurn, EndTurn, RenewTurn, TurnBegun, TurnView};

use crate::body::{JsonBody, OptionalBody};
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::{Path, Query, SeqQuery, rows};
use crate::router::App;

/// Take a turn: what waits for your agent in one topic, with a key that is good for this turn alone.
///
/// With the agent's own key. Nothing is handed over while another turn runs, while a live session has the agent's
/// attention, or while what waits has failed and its time has not come; `idle` says which.
#[utoipa::path(
    post, path = "/turns", tag = "turns", request_body = BeginTurn,
    responses((status = 200, description = "The turn, or why there is none.", body = TurnBegun))
)]
pub async fn begin_turn(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(asked): JsonBody<BeginTurn>,
) -> Result<Json<TurnBegun>, Failure> {
    Ok(Json(app.engine.begin_turn(&caller, asked).await?))
}

/// Say that a turn is alive. One that is over is shown as it ended.
#[utoipa::path(
    post, path = "/turns/{id}/renew", tag = "turns", request_body = Option<RenewTurn>,
    params(("id" = String, Path, description = "The turn.")),
    responses((status = 200, description = "The turn as it stands.", body = TurnView))
)]
pub async fn renew_turn(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    OptionalBody(body): OptionalBody<RenewTurn>,
) -> Result<Json<TurnView>, Failure> {
    Ok(Json(app.engine.renew_turn(&caller, &id, body).await?))
}

/// End a turn. Ending it again changes nothing and shows how it ended.
#[utoipa::path(
    post, path = "/turns/{id}/end", tag = "turns", request_body = EndTurn,
    params(("id" = String, Path, description = "The turn.")),
    responses((status = 200, description = "The turn as it stands.", body = TurnView))
)]
pub async fn end_turn(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    JsonBody(body): JsonBody<EndTurn>,
) -> Result<Json<TurnView>, Failure> {
    Ok(Json(app.engine.end_turn(&caller, &id, body).await?))
}

/// One turn.
#[utoipa::path(
    get, path = "/turns/{id}", tag = "turns",
    params(("id" = String, Path, description = "The turn.")),
    responses((status = 200, description = "The turn.", body = TurnView))
)]
pub async fn turn(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<TurnView>, Failure> {
    Ok(Json(app.engine.turn(&caller, &id).await?))
}

/// Turns over a topic, newest first.
#[utoipa::path(
    get, path = "/topics/{id}/turns", tag = "turns",
    params(("id" = String, Path, description = "The topic."), SeqQuery),
    responses((status = 200, description = "One page.", body = Page<TurnView>))
)]
pub async fn turns_of_topic(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    Query(query): Query<SeqQuery>,
) -> Result<Json<Page<TurnView>>, Failure> {
    Ok(Json(app.engine.turns_of_topic(&caller, &id, query.after, rows(query.limit)).await?))
}

/// Turns of an agent, newest first.
#[utoipa::path(
    get, path = "/agents/{id}/turns", tag = "turns",
    params(("id" = String, Path, description = "The agent."), SeqQuery),
    responses((status = 200, description = "One page.", body = Page<TurnView>))
)]
pub async fn turns_of_agent(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
    Query(query): Query<SeqQuery>,
) -> Result<Json<Page<TurnView>>, Failure> {
    Ok(Json(app.engine.turns_of_agent(&caller, &id, query.after, rows(query.limit)).await?))
}
