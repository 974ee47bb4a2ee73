//! Paths and queries coming in, and the query that pages of lists share.

use axum::extract::{FromRequestParts, Path as AxumPath, Query as AxumQuery};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::problem::Failure;

/// Rows of a page when nothing is said.
const PAGE: usize = 50;

/// How many rows a page is to have. More than 200 count as 200; none at all would be a page that leads nowhere.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "usize")]
pub struct Limit(usize);

impl TryFrom<usize> for Limit {
    type Error = &'static str;

    fn try_from(rows: usize) -> Result<Self, Self::Error> {
        if rows == 0 { Err("limit is 1 or more") } else { Ok(Self(rows)) }
    }
}

/// The names in an address, in order, the workspace first.
pub struct Path<T>(pub T);

/// What stands behind the `?`. An unknown name is refused, so that a misspelt one is not taken for its absence.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let read = AxumPath::<T>::from_request_parts(parts, state).await;
        read.map(|AxumPath(names)| Self(names))
            .map_err(|problem| Failure::invalid(format!("the address: {}", problem.body_text())))
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        AxumQuery::<T>::try_from_uri(&parts.uri).map(|AxumQuery(query)| Self(query)).map_err(|problem| {
            let told: String = problem.body_text().chars().take(200).collect();
            Failure::invalid(told)
        })
    }
}

/// Which page of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// `next` of the page before.
    pub after: Option<String>,
    /// Rows of the page: 50 unless said, 200 at most.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 200)]
    pub limit: Option<Limit>,
}

/// Which page of a list that is ordered by places in the event log.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeqQuery {
    /// `next` of the page before.
    pub after: Option<i64>,
    /// Rows of the page: 50 unless said, 200 at most.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 200)]
    pub limit: Option<Limit>,
}

pub fn rows(limit: Option<Limit>) -> usize {
    limit.map_or(PAGE, |Limit(rows)| rows)
}
