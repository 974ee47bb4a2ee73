//! Where rmcp is stricter than the clients there are, the request is put right before it gets there.

use std::borrow::Cow;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;
use ygg_domain::Refusal;
use ygg_domain::refusal::Unit;
use ygg_wire::Problem;

use crate::Config;
use crate::auth::problem_response;

const VERSION: &str = "mcp-protocol-version";

pub async fn relax(State(config): State<Config>, mut request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    accept_json(request.headers_mut());
    if !request.headers().contains_key(VERSION) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let limit = config.body_bytes;
    let Ok(bytes) = to_bytes(body, limit).await else {
        // How much more was to come is not known.
        let too_large = Refusal::TooLarge { what: "request body", size: limit + 1, limit, unit: Unit::Bytes };
        return problem_response(&Problem::from(&too_large));
    };
    // The version is negotiated by what `initialize` says in its body. A client that names another one in the
    // header gets an offer as well, not a refusal that it takes for "no MCP here".
    if is_initialize(&bytes) {
        parts.headers.remove(VERSION);
    }
    next.run(Request::from_parts(parts, Body::from(bytes))).await
}

/// Every answer is plain JSON, so a client that takes JSON is served; rmcp asks that it take streams too.
fn accept_json(headers: &mut HeaderMap) {
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
}

fn is_initialize(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Call<'a> {
        #[serde(borrow)]
        method: Cow<'a, str>,
    }
    serde_json::from_slice::<Call<'_>>(body).is_ok_and(|call| call.method == "initialize")
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
            accept_json(&mut headers);
            headers.get(ACCEPT).is_some_and(|value| value == "application/json, text/event-stream")
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
        assert!(is_initialize(br#"{"id": 1, "method": "initialize", "params": {"a": [1]}}"#));
        assert!(!is_initialize(br#"{"method": "tools/call", "params": {"method": "initialize"}}"#));
        assert!(!is_initialize(br#"[{"method": "initialize"}]"#));
        assert!(!is_initialize(b"not json"));
    }
}
