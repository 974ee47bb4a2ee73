//! Requests that are no call, answered before any tool: faults of HTTP as the API tells them, faults of the message as
//! errors of JSON-RPC, with the id of the request where one can be read.

use axum::body::to_bytes;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use rmcp::model::ErrorCode;
use serde::Deserialize;
use serde_json::{Value, json};
use ygg_domain::Refusal;
use ygg_domain::refusal::Unit;
use ygg_wire::Problem;

use crate::auth::problem_response;

const METHOD: &str = "POST";
/// Bytes of what the transport says of a fault.
const WORDS_BYTES: usize = 4 * 1024;

pub fn method_not_allowed(method: &Method) -> Response {
    let help = "MCP is spoken by POST here; there is no stream to open and no session to end.";
    let mut problem = Problem::new(405, "method_not_allowed", help);
    problem.facts.insert("method".to_owned(), json!(method.as_str()));
    problem.facts.insert("allowed".to_owned(), json!([METHOD]));
    let mut response = problem_response(&problem);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHOD));
    response
}

pub fn not_acceptable() -> Response {
    let help = "Answers are JSON: send Accept: application/json, text/event-stream.";
    let mut problem = Problem::new(406, "invalid_request", help);
    problem.facts.insert("problem".to_owned(), json!("Accept takes no JSON"));
    problem_response(&problem)
}

pub fn unsupported_media_type(sent: &str) -> Response {
    let mut problem = Problem::new(415, "unsupported_media_type", "Send the body as application/json.");
    problem.facts.insert("content_type".to_owned(), json!(sent));
    problem.facts.insert("accepted".to_owned(), json!("application/json"));
    problem_response(&problem)
}

pub fn too_large(limit: usize) -> Response {
    // How much more was to come is not known.
    let refusal = Refusal::TooLarge { what: "request body", size: limit + 1, limit, unit: Unit::Bytes };
    problem_response(&Problem::from(&refusal))
}

/// What the transport refuses in plain words, as an error that a client can read.
pub async fn told(response: Response, body: &[u8]) -> Response {
    let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/json");
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error())
        || response.headers().get(CONTENT_TYPE).is_some_and(is_json)
    {
        return response;
    }
    if status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return unreadable(body);
    }
    let words = to_bytes(response.into_body(), WORDS_BYTES).await.unwrap_or_default();
    let words = String::from_utf8_lossy(&words).into_owned();
    let code = if status.is_server_error() { ErrorCode::INTERNAL_ERROR } else { ErrorCode::INVALID_REQUEST };
    error(status, code, &words, body)
}

fn unreadable(body: &[u8]) -> Response {
    let (code, words) = match serde_json::from_slice::<Value>(body) {
        Err(wrong) => (ErrorCode::PARSE_ERROR, format!("Parse error: {wrong}")),
        Ok(Value::Array(_)) => (
            ErrorCode::INVALID_REQUEST,
            "Invalid Request: batches are not taken; send each message alone".into(),
        ),
        Ok(_) => {
            let words = "Invalid Request: send one JSON-RPC 2.0 message, with a text or a whole number as id";
            (ErrorCode::INVALID_REQUEST, words.into())
        }
    };
    error(StatusCode::BAD_REQUEST, code, &words, body)
}

fn error(status: StatusCode, code: ErrorCode, words: &str, body: &[u8]) -> Response {
    let mut message = json!({"jsonrpc": "2.0", "error": {"code": code.0, "message": words}});
    // MCP has an error without an id where JSON-RPC has one of null.
    if let Some(id) = id(body) {
        message["id"] = id;
    }
    let json = HeaderValue::from_static("application/json");
    (status, [(CONTENT_TYPE, json)], message.to_string()).into_response()
}

/// Read past what cannot be: half a surrogate pair, or JSON that is nested too deep for anybody.
fn id(body: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Message {
        id: Value,
    }
    // A list would be read as fields in their order.
    body.trim_ascii_start().first().filter(|first| **first == b'{')?;
    let message: Message = serde_json::from_slice(body).ok()?;
    (message.id.is_string() || message.id.is_i64() || message.id.is_u64()).then_some(message.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_where_there_is_one() {
        let deep = format!(r#"{{"params":{}{},"id":7}}"#, "[".repeat(10_000), "]".repeat(10_000));
        for (body, expected) in [
            (r#"{"id":1,"method":"ping"}"#, Some(json!(1))),
            (r#" {"method":"ping","params":{"a":"\ud800"},"id":"two"}"#, Some(json!("two"))),
            (&deep, Some(json!(7))),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":null}"#, None),
            (r#"{"id":{"a":1}}"#, None),
            (r#"{"id":1,"id":2}"#, None),
            (r#"{"params":{"id":1}}"#, None),
            (r#"{"id":1"#, None),
            ("[1]", None),
            ("", None),
        ] {
            assert_eq!(id(body.as_bytes()), expected, "{body:.60}");
        }
    }
}
