//! Credits: pots, the ledger, grants.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ygg_wire::Page;
use ygg_wire::credits::{CreditsView, EntryView, Grant};

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::{Query, SeqQuery, rows};
use crate::router::App;

/// The pool, the wallets and what is left of budgets.
#[utoipa::path(
    get, path = "/credits", tag = "credits",
    responses((status = 200, description = "Every pot.", body = CreditsView))
)]
pub async fn credits(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<CreditsView>, Failure> {
    Ok(Json(app.engine.credits(&caller).await?))
}

/// Every movement of credits, newest first.
#[utoipa::path(
    get, path = "/credits/ledger", tag = "credits", params(SeqQuery),
    responses((status = 200, description = "One page.", body = Page<EntryView>))
)]
pub async fn ledger(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(query): Query<SeqQuery>,
) -> Result<Json<Page<EntryView>>, Failure> {
    Ok(Json(app.engine.ledger(&caller, query.after, rows(query.limit)).await?))
}

/// Hand out credits. Only people can.
#[utoipa::path(
    post, path = "/credits/grants", tag = "credits", request_body = Grant,
    responses((status = 201, description = "The entry in the ledger.", body = EntryView))
)]
pub async fn grant(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    JsonBody(body): JsonBody<Grant>,
) -> Result<(StatusCode, Json<EntryView>), Failure> {
    Ok((StatusCode::CREATED, Json(app.engine.grant(&caller, body).await?)))
}
