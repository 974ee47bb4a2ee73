//! JSON bodies coming in: their type, their size, and where they do not read.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::Failure;

/// Characters of a decoder's complaint that are passed on: it quotes the sender.
const PROBLEM_CHARS: usize = 200;

/// Whatever JSON came in. A missing content type passes; another one does not.
pub struct AnyJson(pub Value);

/// A JSON object of a fixed shape.
pub struct JsonBody<T>(pub T);

/// A JSON object of a fixed shape that may be left out.
pub struct OptionalBody<T>(pub T);

impl<S: Send + Sync> FromRequest<S> for AnyJson {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        check_type(request.headers())?;
        Ok(Self(read(&whole(request).await?)?))
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        check_type(request.headers())?;
        Ok(Self(read_object(&whole(request).await?)?))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let checked = check_type(request.headers());
        let body = whole(request).await?;
        if matches!(body.trim_ascii(), b"" | b"null") {
            return Ok(Self(T::default()));
        }
        checked?;
        Ok(Self(read_object(&body)?))
    }
}

/// The guard bounds the size, and answers for a body that goes beyond.
async fn whole(request: Request) -> Result<Bytes, Failure> {
    let body = to_bytes(request.into_body(), usize::MAX).await;
    body.map_err(|_| Failure::invalid("the body broke off"))
}

/// What the body is said to be: whole, and without its parameters.
fn named_type(headers: &HeaderMap) -> Option<(String, String)> {
    let named = String::from_utf8_lossy(headers.get(header::CONTENT_TYPE)?.as_bytes()).into_owned();
    let kind = named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    Some((named, kind))
}

pub fn check_type(headers: &HeaderMap) -> Result<(), Failure> {
    let Some((named, kind)) = named_type(headers) else { return Ok(()) };
    let subtype = kind.strip_prefix("application/").unwrap_or_default();
    if subtype == "json" || subtype.ends_with("+json") {
        return Ok(());
    }
    Err(not_json(&named))
}

/// The types that a form on any page of anybody's may send.
const OF_FORMS: [&str; 3] = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/// Refuses what a form could have sent; whoever says no type may be one.
pub fn check_no_form(headers: &HeaderMap) -> Result<(), Failure> {
    match named_type(headers) {
        Some((_, kind)) if !OF_FORMS.contains(&kind.as_str()) => Ok(()),
        Some((named, _)) => Err(unsupported(&named, "application/octet-stream")),
        None => Err(unsupported("", "application/octet-stream")),
    }
}

pub fn not_json(named: &str) -> Failure {
    unsupported(named, "application/json")
}

fn unsupported(named: &str, accepted: &str) -> Failure {
    Failure::new(415, "unsupported_media_type", format!("Send the body as {accepted}."))
        .fact("content_type", short(named))
        .fact("accepted", accepted)
}

/// A decoder of shapes takes a list too, its entries for the fields in their order; we do not.
fn read_object<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    let object = !body.trim_ascii_start().starts_with(b"[");
    if object { read(body) } else { Err(Failure::invalid("the body is a list, and has to be an object")) }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| unreadable(&error.path().to_string(), error.inner()))?;
    reader.end().map_err(|error| unreadable(".", &error))?;
    Ok(value)
}

fn unreadable(field: &str, error: &serde_json::Error) -> Failure {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    // The position is told by itself.
    let problem = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(problem, _)| problem);
    let mut told = format!("the body does not read at line {line}, column {column}: {}", short(problem));
    let known = !field.is_empty() && field != "." && field != "?";
    if known {
        told = format!("{told} (field {})", short(field));
    }
    let failure = Failure::invalid(told).fact("line", line).fact("column", column);
    if known { failure.fact("field", short(field)) } else { failure }
}

fn short(text: &str) -> String {
    text.chars().take(PROBLEM_CHARS).collect()
}
