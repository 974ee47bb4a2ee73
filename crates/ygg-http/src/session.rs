//! Browser sessions: signing in and out, and the cookie that holds the secret of one [O7b, O8].

use axum::Json;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ygg_domain::session::IDLE;
use ygg_engine::Entered;
use ygg_wire::session::{PasswordChange, SessionView, SessionsEnded, SignIn, SignedIn};

use crate::body::JsonBody;
use crate::caller;
use crate::client::{Address, browser};
use crate::cookie::{Jar, cleared, kept};
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;

/// Sign in with a password. The session is in the cookie of the answer.
#[utoipa::path(
    post, path = "/sessions", tag = "sessions", request_body = SignIn, security(()),
    responses((status = 201, description = "Signed in.", body = SignedIn))
)]
pub async fn sign_in(
    State(app): State<App>,
    Path(workspace): Path<String>,
    address: Address,
    headers: HeaderMap,
    JsonBody(body): JsonBody<SignIn>,
) -> Result<Response, Failure> {
    let entered = app.engine.sign_in(&workspace, body, browser(&headers, address)).await?;
    Ok(enter(&app, entered))
}

/// The answer to somebody who has just signed in.
pub fn enter(app: &App, entered: Entered) -> Response {
    let cookie = kept(&app.config, &entered.told.workspace, &entered.secret, IDLE);
    let headers =
        [(header::SET_COOKIE, cookie), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (StatusCode::CREATED, headers, Json(entered.told)).into_response()
}

/// Your sessions in this workspace.
#[utoipa::path(
    get, path = "/sessions", tag = "sessions",
    responses((status = 200, description = "The sessions, without what is secret.", body = Vec<SessionView>))
)]
pub async fn sessions(
    State(app): State<App>,
    caller::SignedIn(caller): caller::SignedIn,
) -> Result<Json<Vec<SessionView>>, Failure> {
    Ok(Json(app.engine.sessions(&caller).await?))
}

/// End one of your sessions. Its open streams end.
#[utoipa::path(
    delete, path = "/sessions/{id}", tag = "sessions",
    params(("id" = String, Path, description = "The session's id.")),
    responses((status = 200, description = "The session that was ended.", body = SessionView))
)]
pub async fn end_session(
    State(app): State<App>,
    caller::SignedIn(caller): caller::SignedIn,
    Extension(jar): Extension<Jar>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<SessionView>, Failure> {
    let ended = app.engine.end_session(&caller, &id).await?;
    if ended.current {
        jar.put(cleared(&app.config, caller.workspace().as_str()));
    }
    Ok(Json(ended))
}

/// End all of your sessions in this workspace: sign out everywhere.
#[utoipa::path(
    delete, path = "/sessions", tag = "sessions",
    responses((status = 200, description = "How many there were.", body = SessionsEnded))
)]
pub async fn end_sessions(
    State(app): State<App>,
    caller::SignedIn(caller): caller::SignedIn,
    Extension(jar): Extension<Jar>,
) -> Result<Json<SessionsEnded>, Failure> {
    let ended = app.engine.end_sessions(&caller).await?;
    jar.put(cleared(&app.config, caller.workspace().as_str()));
    Ok(Json(ended))
}

/// Change your password. All your other sessions end, in every workspace.
#[utoipa::path(
    post, path = "/me/password", tag = "sessions", request_body = PasswordChange,
    responses((status = 200, description = "Changed; how many sessions ended.", body = SessionsEnded))
)]
pub async fn change_password(
    State(app): State<App>,
    caller::SignedIn(caller): caller::SignedIn,
    Extension(jar): Extension<Jar>,
    Address(address): Address,
    JsonBody(body): JsonBody<PasswordChange>,
) -> Result<Json<SessionsEnded>, Failure> {
    let (ended, fresh) = app.engine.change_password(&caller, body, address).await?;
    if let Some(secret) = fresh {
        jar.put(kept(&app.config, caller.workspace().as_str(), &secret, IDLE));
    }
    Ok(Json(ended))
}

/// Puts into the answer what was put into the jar on the way: the new secret of a session, or none.
pub async fn bake(mut request: Request, next: Next) -> Response {
    let jar = Jar::default();
    request.extensions_mut().insert(jar.clone());
    let mut response = next.run(request).await;
    if let Some(cookie) = jar.take() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
