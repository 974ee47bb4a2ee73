//! What waits for a person.

use axum::Json;
use axum::extract::State;
use ygg_wire::needs_you::NeedsYou;

use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::router::App;

/// What waits for you: topics that stand still for a person, credits that are lacking, topics about to close without
/// your answer, and waits that no reminder moves.
#[utoipa::path(
    get, path = "/needs-you", tag = "topics",
    responses((status = 200, description = "What waits, nothing if nothing does.", body = Vec<NeedsYou>))
)]
pub async fn needs_you(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<Vec<NeedsYou>>, Failure> {
    Ok(Json(app.engine.needs_you(&caller).await?))
}
