//! The audit log: what people decided, and which sends were refused.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use ygg_engine::AuditQuery;
use ygg_wire::Page;
use ygg_wire::audit::AuditView;

use crate::caller::SignedIn;
use crate::problem::Failure;
use crate::query::{Limit, Query, rows};
use crate::router::App;

/// Which page of the audit log.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActsQuery {
    /// Only acts of this kind, such as `key_made`.
    kind: Option<String>,
    /// Only acts of this one: an id, a handle, or `server` for the server's operator.
    by: Option<String>,
    /// `next` of the page before.
    after: Option<String>,
    /// Rows of the page: 50 unless said, 200 at most.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 200)]
    limit: Option<Limit>,
}

/// What people decided, who read what others say in private, and which sends were refused; the last first.
#[utoipa::path(
    get, path = "/audit", tag = "audit", params(ActsQuery),
    responses((status = 200, description = "One page.", body = Page<AuditView>))
)]
pub async fn audit(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(query): Query<ActsQuery>,
) -> Result<Json<Page<AuditView>>, Failure> {
    let ActsQuery { kind, by, after, limit } = query;
    let query = AuditQuery { kind, by, after, limit: rows(limit) };
    Ok(Json(app.engine.audit(&caller, query).await?))
}
