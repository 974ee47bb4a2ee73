//! Whether the server runs, and whether it can do its work.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::problem::Failure;
use crate::router::App;

/// Whether the server runs.
#[utoipa::path(
    get, path = "/healthz", tag = "server", security(()),
    responses((status = 200, description = "It runs.", body = String, content_type = "text/plain"))
)]
pub async fn healthz() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], "ok")
}

/// Whether the server's store answers.
#[utoipa::path(
    get, path = "/readyz", tag = "server", security(()),
    responses((status = 200, description = "It does.", body = String, content_type = "text/plain"))
)]
pub async fn readyz(State(app): State<App>) -> Result<impl IntoResponse, Failure> {
    app.engine.ready().await.map_err(|error| {
        // Broken counts as not ready too; either is in the log.
        let _: Failure = error.into();
        Failure::unavailable("The server's store does not answer; its log says why.")
    })?;
    Ok(([(header::CACHE_CONTROL, "no-store")], "ok"))
}
