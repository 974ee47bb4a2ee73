//! Invites: made, listed, taken back, accepted. A code in the clear is in no cache and no address [O8, O9].

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ygg_wire::invite::{AcceptInvite, InviteMade, InviteView, NewInvite};
use ygg_wire::session::SignedIn as Told;

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::client::{Address, browser};
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;
use crate::session::enter;

/// The invites that can be accepted.
#[utoipa::path(
    get, path = "/invites", tag = "invites",
    responses((status = 200, description = "The invites, without their codes.", body = Vec<InviteView>))
)]
pub async fn invites(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Vec<InviteView>>, Failure> {
    Ok(Json(app.engine.invites(&caller).await?))
}

/// Invite somebody. The code is shown this once, lasts 7 days and works once.
#[utoipa::path(
    post, path = "/invites", tag = "invites", request_body = NewInvite,
    responses((status = 201, description = "The invite with its code.", body = InviteMade))
)]
pub async fn make_invite(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<NewInvite>,
) -> Result<Response, Failure> {
    let made = app.engine.make_invite(&caller, body).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(made)).into_response())
}

/// Take an invite back.
#[utoipa::path(
    delete, path = "/invites/{id}", tag = "invites",
    params(("id" = String, Path, description = "The invite's id.")),
    responses((status = 200, description = "The invite that was taken back.", body = InviteView))
)]
pub async fn revoke_invite(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<InviteView>, Failure> {
    Ok(Json(app.engine.revoke_invite(&caller, &id).await?))
}

/// Accept an invite, with a new handle and password or with those of the account you have. The session is in the
/// cookie of the answer.
#[utoipa::path(
    post, path = "/v1/invites/accept", tag = "invites", request_body = AcceptInvite, security(()),
    responses((status = 201, description = "Signed in to the workspace of the invite.", body = Told))
)]
pub async fn accept_invite(
    State(app): State<App>,
    address: Address,
    headers: HeaderMap,
    JsonBody(body): JsonBody<AcceptInvite>,
) -> Result<Response, Failure> {
    let entered = app.engine.accept_invite(body, browser(&headers, address)).await?;
    Ok(enter(&app, entered))
}
