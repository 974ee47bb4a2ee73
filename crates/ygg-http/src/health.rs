//! Whether the server runs, and whether it can do its work.

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::problem::Failure;
use crate::router::App;

/// Whoever asks wants to know soon: probes give up after a few seconds.
const READY_WITHIN: Duration = Duration::from_secs(3);

/// Whether the server runs.
#[utoipa::path(
    get, path = "/healthz", tag = "server", security(()),
    responses((status = 200, description = "It runs.", body = String, content_type = "text/plain"))
)]
pub async fn healthz() -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], "ok")
}

/// Whether the server's store answers and takes writes.
#[utoipa::path(
    get, path = "/readyz", tag = "server", security(()),
    responses((status = 200, description = "It does.", body = String, content_type = "text/plain"))
)]
pub async fn readyz(State(app): State<App>) -> Result<impl IntoResponse, Failure> {
    let ready = tokio::time::timeout(READY_WITHIN, app.engine.ready()).await.map_err(|_| {
        tracing::warn!("the store does not answer in time");
        not_ready()
    })?;
    ready.map_err(|error| {
        // Broken counts as not ready too; either is in the log.
        let _: Failure = error.into();
        not_ready()
    })?;
    Ok(([(header::CACHE_CONTROL, "no-store")], "ok"))
}

fn not_ready() -> Failure {
    Failure::unavailable("The server's store does not answer; its log says why.")
}
