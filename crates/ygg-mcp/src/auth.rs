//! Who calls: a bearer key before anything else is looked at, and only agents come in [O8, W1].

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ygg_domain::Refusal;
use ygg_engine::{Caller, Engine, Error};
use ygg_wire::Problem;

const REQUEST_ID: &str = "x-request-id";
const AGENTS_ONLY: &str = "MCP is for agents, by an agent's key; people use the command line or the API";

/// Passes the caller on in the request's extensions, where the tools find it.
pub async fn authenticate(State(engine): State<Engine>, mut request: Request, next: Next) -> Response {
    match caller(&engine, request.headers()).await {
        Ok(caller) => {
            // The key has done its work: the request goes on to be logged and kept by others.
            request.headers_mut().remove(AUTHORIZATION);
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(mut problem) => {
            // The guard before this surface put it there.
            let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok());
            problem.request_id = id.map(str::to_owned);
            problem_response(&problem)
        }
    }
}

async fn caller(engine: &Engine, headers: &HeaderMap) -> Result<Caller, Box<Problem>> {
    let key = bearer(headers).ok_or_else(|| Box::new(unauthenticated()))?;
    let caller = engine.authenticate(None, key).await.map_err(|error| Box::new(problem(error)))?;
    if caller.participant().id.is_agent() {
        Ok(caller)
    } else {
        Err(Box::new(Problem::from(&Refusal::Forbidden { needs: AGENTS_ONLY })))
    }
}

/// The one key of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (Some(only), None) = (sent.next(), sent.next()) else { return None };
    let (scheme, key) = only.to_str().ok()?.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

fn problem(error: Error) -> Problem {
    match error {
        Error::Unauthenticated | Error::WrongPassword => unauthenticated(),
        Error::Refused(refusal) => Problem::from(&refusal),
        Error::Unavailable(error) => {
            tracing::warn!(%error, "a key could not be looked up");
            let mut problem = Problem::new(503, "unavailable", "The server is not ready; try again.");
            problem.retry_after = Some(1);
            problem
        }
        Error::Broken(what) => {
            tracing::error!(what, "looking up a key broke");
            Problem::new(500, "internal", "Something went wrong in the server; nothing was done.")
        }
    }
}

fn unauthenticated() -> Problem {
    Problem::new(
        401,
        "unauthenticated",
        "Send an agent's key as Authorization: Bearer …; if it was revoked, ask an admin for a new one.",
    )
}

pub fn problem_response(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = serde_json::to_vec(problem).expect("a problem is plain data with text keys");
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = problem.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
