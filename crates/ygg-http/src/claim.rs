//! Claims: made by the server's operator, taken once by whoever has the code [O7a].

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ygg_wire::claim::{ClaimMade, TakeClaim};
use ygg_wire::session::SignedIn;

use crate::body::JsonBody;
use crate::caller::ServerOperator;
use crate::client::{Address, browser};
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;
use crate::session::enter;

/// Make a claim for a person, with which they set a new password. It ends the one before.
#[utoipa::path(
    post, path = "/people/{handle}/claim", tag = "server",
    params(("handle" = String, Path, description = "The person's handle, with @ or without.")),
    responses((status = 201, description = "The claim, its code shown this once.", body = ClaimMade))
)]
pub async fn make_claim(
    State(app): State<App>,
    _: ServerOperator,
    Path(handle): Path<String>,
) -> Result<Response, Failure> {
    let made = app.engine.make_claim(&handle).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(made)).into_response())
}

/// Set the password of the account that a claim is for. Its sessions end; a new one is in the cookie of the answer.
#[utoipa::path(
    post, path = "/v1/claims", tag = "sessions", request_body = TakeClaim, security(()),
    responses((status = 201, description = "Signed in.", body = SignedIn))
)]
pub async fn take_claim(
    State(app): State<App>,
    address: Address,
    headers: HeaderMap,
    JsonBody(body): JsonBody<TakeClaim>,
) -> Result<Response, Failure> {
    let entered = app.engine.take_claim(body, browser(&headers, address)).await?;
    Ok(enter(&app, entered))
}
