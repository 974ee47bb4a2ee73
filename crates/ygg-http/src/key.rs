//! Keys: listing, making, revoking. A key in the clear is in no cache [O8].

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ygg_wire::key::{KeyMade, KeyView, NewKey};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::Path;
use crate::router::App;

/// The keys you may revoke.
#[utoipa::path(
    get, path = "/keys", tag = "keys",
    responses((status = 200, description = "The keys, without what is secret.", body = Vec<KeyView>))
)]
pub async fn keys(State(app): State<App>, SignedIn(caller): SignedIn) -> Result<Json<Vec<KeyView>>, Failure> {
    Ok(Json(app.engine.keys(&caller).await?))
}

/// Make a key. It is shown this once.
#[utoipa::path(
    post, path = "/keys", tag = "keys", request_body = NewKey,
    responses((status = 201, description = "The key, shown this once.", body = KeyMade))
)]
pub async fn make_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<NewKey>,
) -> Result<Response, Failure> {
    let made = app.engine.make_key(&caller, body).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(made)).into_response())
}

/// Revoke a key. Its open streams end.
#[utoipa::path(
    delete, path = "/keys/{id}", tag = "keys",
    params(("id" = String, Path, description = "The key's id.")),
    responses((status = 200, description = "The key as it is now.", body = KeyView))
)]
pub async fn revoke_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path((_, id)): Path<(String, String)>,
) -> Result<Json<KeyView>, Failure> {
    Ok(Json(app.engine.revoke_key(&caller, &id).await?))
}
