//! Search over what the caller may see.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use ygg_domain::search;
use ygg_wire::search::SearchPage;

use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::{Limit, Query, rows};
use crate::router::App;

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Words, all of which have to be there; the last may go on. At most 200 characters.
    q: String,
    /// `next` of the page before.
    after: Option<i64>,
    /// Rows of the page: 50 unless said, 200 at most.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 200)]
    limit: Option<Limit>,
}

/// Search messages, titles and names.
///
/// Only what you may read, closed topics as well, newest first. Letters are compared without case; punctuation stands
/// between words and has no other meaning. A page may be short and lead on all the same.
#[utoipa::path(
    get, path = "/search", tag = "messages", params(SearchQuery),
    responses((status = 200, description = "One page.", body = SearchPage))
)]
pub async fn search(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(query): Query<SearchQuery>,
) -> Result<Json<SearchPage>, Failure> {
    let sought = search::read(&query.q).map_err(|problem| Failure::invalid(problem).fact("field", "q"))?;
    Ok(Json(app.engine.search(&caller, sought, query.after, rows(query.limit)).await?))
}
