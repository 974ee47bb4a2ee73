//! Errors on their way out: what the engine ends in, as `application/problem+json`.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use ygg_domain::Refusal;
use ygg_domain::key::contains_key;
use ygg_engine::Error;
use ygg_wire::{Problem, Receipt};

/// Seconds after which trying again may help when the store did not answer.
const RETRY_SECONDS: u64 = 1;

/// An error answer. It travels as an extension of an empty response until the guard writes it, who knows the
/// request's id.
#[derive(Debug, Clone)]
pub struct Failure(Box<Problem>);

impl Failure {
    pub fn new(status: u16, reason: &str, help: impl Into<String>) -> Self {
        Self(Box::new(Problem::new(status, reason, help)))
    }

    /// One of the facts on the page of the error.
    pub fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.facts.insert(name.to_owned(), value.into());
        self
    }

    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// Of the request that the log knows by this id.
    pub fn of(mut self, request_id: &str) -> Self {
        self.0.request_id = Some(request_id.to_owned());
        self
    }

    /// The request cannot be read: `problem` says what is wrong with it.
    pub fn invalid(problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self::new(400, "invalid_request", format!("The request cannot be read: {problem}."))
            .fact("problem", problem)
    }

    pub fn unauthenticated() -> Self {
        let help = "Send a key that stands, as Authorization: Bearer followed by the key; in a browser, sign in again.";
        Self::new(401, "unauthenticated", help)
    }

    pub fn unavailable(help: &str) -> Self {
        Self::new(503, "unavailable", help).retry_after(RETRY_SECONDS)
    }

    pub fn internal() -> Self {
        Self::new(500, "internal", "This is a fault of the server; report it with the request id.")
    }

    pub fn problem(&self) -> &Problem {
        &self.0
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self(Box::new(Problem::from(&refusal)))
    }
}

/// A refused send.
impl From<Receipt> for Failure {
    fn from(receipt: Receipt) -> Self {
        Self(Box::new(Problem::from(receipt)))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Unauthenticated => Self::unauthenticated(),
            Error::WrongPassword => {
                let help = "Handle and password do not belong together here; check both, or ask an admin.";
                Self::new(401, "wrong_password", help)
            }
            Error::Unavailable(cause) => {
                let advice = cause.advice();
                tracing::warn!(cause = without_keys(cause.to_string()), "the store did not answer");
                Self::unavailable(advice)
            }
            Error::Broken(what) => {
                tracing::error!(what = without_keys(what), "broken");
                Self::internal()
            }
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        let headers = response.headers_mut();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes a failure into its response; any other response passes as it is.
pub fn write(mut response: Response, method: &Method, request_id: &str) -> Response {
    let Some(failure) = response.extensions_mut().remove::<Failure>() else { return response };
    let mut failure = failure.of(request_id);
    if let Some(allow) = response.headers().get(header::ALLOW).and_then(|allow| allow.to_str().ok()) {
        let allowed: Vec<&str> = allow.split(',').map(str::trim).collect();
        failure = failure.fact("allowed", allowed);
    }
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if method != Method::HEAD {
        *response.body_mut() = Body::from(text(&failure.0));
    }
    response
}

/// A problem as JSON. Callers' own words stand in some problems, so keys are struck out of all of them [O9].
pub fn text(problem: &Problem) -> String {
    without_keys(serde_json::to_string(problem).unwrap_or_default())
}

/// The text with the letters of every key struck out.
pub fn without_keys(mut text: String) -> String {
    const SHOWN: &str = "ygg?_";
    const KEY_BYTES: usize = SHOWN.len() + 52;
    let mut from = 0;
    while let Some(at) = text[from..].find("ygg").map(|at| from + at) {
        let end = at + KEY_BYTES;
        if text.get(at..end).is_some_and(contains_key) {
            text.replace_range(at + SHOWN.len()..end, "…");
        }
        from = at + 3;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ygg_domain::key::{KeyKind, SecretKey};

    #[test]
    fn keys_are_struck_out_wherever_they_stand() {
        let one = SecretKey::new(KeyKind::Agent, [7; 32]);
        let two = SecretKey::new(KeyKind::Person, [9; 32]);
        let told = without_keys(format!("é{}ygg {}{}é ygg", one.expose(), two.expose(), two.expose()));
        assert_eq!(told, "éygga_…ygg yggp_…yggp_…é ygg");
        assert_eq!(without_keys("ygga_ and yggé".to_owned()), "ygga_ and yggé");
    }
}
