//! Where rmcp is stricter than the clients there are, the request is put right before it gets there.

use std::borrow::Cow;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;

use crate::{Config, fault};

const VERSION: &str = "mcp-protocol-version";
const VERSION_IN_BODY: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

pub async fn relax(State(config): State<Config>, mut request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return fault::method_not_allowed(request.method());
    }
    if !accept_json(request.headers_mut()) {
        return fault::not_acceptable();
    }
    if let Err(sent) = send_json(request.headers_mut()) {
        return fault::unsupported_media_type(&sent);
    }
    let (mut parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, config.body_bytes).await else {
        return fault::too_large(config.body_bytes);
    };
    // The version is negotiated by what `initialize` says in its body. A client that names another one in the
    // header gets an offer as well, not a refusal that it takes for "no MCP here".
    if parts.headers.contains_key(VERSION) && is_handshake(&body) {
        parts.headers.remove(VERSION);
    }
    let response = next.run(Request::from_parts(parts, Body::from(body.clone()))).await;
    fault::told(response, &body).await
}

/// Every answer is plain JSON, so a client that takes JSON is served; rmcp asks that it take streams too.
fn accept_json(headers: &mut HeaderMap) -> bool {
    let named: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect();
    let takes_json = named.is_empty()
        || named.iter().flat_map(|value| value.split(',')).any(|range| {
            let (range, parameters) = range.split_once(';').unwrap_or((range, ""));
            let refused = parameters.split(';').any(|parameter| {
                parameter.trim().strip_prefix("q=").is_some_and(|q| q.parse::<f32>().is_ok_and(|q| q == 0.0))
            });
            let range = range.trim().to_ascii_lowercase();
            !refused && matches!(range.as_str(), "application/json" | "application/*" | "*/*")
        });
    if takes_json {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
    takes_json
}

/// What names no type is taken for JSON, as everywhere in the API; else the type that was sent.
fn send_json(headers: &mut HeaderMap) -> Result<(), String> {
    let Some(sent) = headers.get(CONTENT_TYPE) else {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        return Ok(());
    };
    let sent = String::from_utf8_lossy(sent.as_bytes());
    let kind = sent.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(sent.into_owned()) }
}

/// An `initialize` of a revision that has one. A request that names its revision itself has to do it in the header too.
fn is_handshake(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Call<'a> {
        #[serde(borrow)]
        method: Cow<'a, str>,
    }
    // Most calls are none, and are not worth to be read twice as a whole.
    if !serde_json::from_slice::<Call<'_>>(body).is_ok_and(|call| call.method == "initialize") {
        return false;
    }
    serde_json::from_slice::<Value>(body).is_ok_and(|message| message.pointer(VERSION_IN_BODY).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_takes_json_is_served() {
        let accepts = |value: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            if let Some(value) = value {
                headers.insert(ACCEPT, HeaderValue::from_static(value));
            }
            let accepted = accept_json(&mut headers);
            let passed_on =
                headers.get(ACCEPT).is_some_and(|value| value == "application/json, text/event-stream");
            assert_eq!(accepted, passed_on);
            accepted
        };
        for good in ["application/json", "*/*", "text/html, APPLICATION/JSON;q=0.5", "application/*"] {
            assert!(accepts(Some(good)), "{good}");
        }
        for bad in ["text/event-stream", "text/html", "application/json;q=0", "*/*; q=0.0"] {
            assert!(!accepts(Some(bad)), "{bad}");
        }
        assert!(accepts(None));
    }

    #[test]
    fn only_the_method_of_the_call_itself_counts() {
        assert!(is_handshake(br#"{"id": 1, "method": "initialize", "params": {"a": [1]}}"#));
        assert!(!is_handshake(br#"{"method": "tools/call", "params": {"method": "initialize"}}"#));
        assert!(!is_handshake(br#"[{"method": "initialize"}]"#));
        assert!(!is_handshake(b"not json"));
        let modern = br#"{"method": "initialize", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}"#;
        assert!(!is_handshake(modern));
    }
}
