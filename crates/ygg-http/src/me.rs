//! Who the caller is.

use axum::Json;
use axum::extract::State;
use ygg_wire::me::Me;

use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::router::App;

/// Who you are, where, and what stands open for you.
#[utoipa::path(
    get, path = "/me", tag = "participants",
    responses((status = 200, description = "The caller.", body = Me))
)]
pub async fn me(State(app): State<App>, SignedIn(caller): SignedIn) -> Result<Json<Me>, Failure> {
    Ok(Json(app.engine.me(&caller).await?))
}
