//! The server's figures, as Prometheus reads them. They are of all workspaces together.

use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use prometheus::TextEncoder;
use ygg_engine::Error;

use crate::caller::ServerOperator;
use crate::guard::Client;
use crate::problem::Failure;
use crate::router::App;

/// Who may see figures: a program on the server's own machine, or its operator. No key of a workspace is good here, for
/// the figures tell how busy the others are.
pub struct Watcher;

impl FromRequestParts<App> for Watcher {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let Ok(client) = Client::from_request_parts(parts, app).await;
        if !client.is_local {
            ServerOperator::from_request_parts(parts, app).await?;
        }
        Ok(Self)
    }
}

/// What the server counts: requests, sends, commits, wakes, turns, streams.
///
/// Open to programs on the server's own machine that no proxy stands before; from elsewhere with the key of the
/// server's operator.
#[utoipa::path(
    get, path = "/metrics", tag = "server", security((), ("server_key" = [])),
    responses(
        (status = 200, description = "Prometheus' text format.", body = String, content_type = "text/plain"),
        (status = 401, description = "From elsewhere, and without the key.", body = ygg_wire::Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn metrics(State(app): State<App>, _: Watcher) -> Result<impl IntoResponse, Failure> {
    let mut families = app.figures.families();
    families.extend(app.engine.figures().await);
    let text = TextEncoder::new()
        .encode_to_string(&families)
        .map_err(|error| Error::Broken(format!("the figures do not write: {error}")))?;
    let headers = [(header::CONTENT_TYPE, prometheus::TEXT_FORMAT), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, text))
}
