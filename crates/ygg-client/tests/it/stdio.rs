//! MCP frames passed on: streams, broken lines, errors without an owner, many at once.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::sync::Notify;
use ygg_client::stdio;

use crate::server;

const DEADLINE: Duration = Duration::from_secs(60);

struct Proxy {
    input: DuplexStream,
    out: Lines<BufReader<DuplexStream>>,
}

impl Proxy {
    async fn before(app: Router) -> Self {
        let target = server::start(app).await;
        let (input, ours) = tokio::io::duplex(64 * 1024);
        let (theirs, out) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move { stdio::run(&target, ours, theirs, |_| {}).await });
        Self { input, out: BufReader::new(out).lines() }
    }

    async fn write(&mut self, frame: Value) {
        self.input.write_all(format!("{frame}\n").as_bytes()).await.expect("it reads");
    }

    async fn line(&mut self) -> String {
        let line = tokio::time::timeout(DEADLINE, self.out.next_line()).await.expect("a line comes");
        line.expect("it writes").expect("it goes on")
    }

    async fn json(&mut self) -> Value {
        serde_json::from_str(&self.line().await).expect("whole lines of JSON")
    }

    /// Its input ends, and everything that was under way is written.
    async fn end(mut self) -> Vec<String> {
        drop(self.input);
        let mut rest = Vec::new();
        while let Some(line) =
            tokio::time::timeout(DEADLINE, self.out.next_line()).await.expect("it ends").expect("it writes")
        {
            rest.push(line);
        }
        rest
    }
}

fn request(id: i64, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

fn events(frames: &[&str]) -> Response {
    let text: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    ([("content-type", "text/event-stream; charset=utf-8")], format!("data:\nid: 0\nretry: 3\n\n{text}"))
        .into_response()
}

/// Answers by method, as a server with many faults would.
async fn odd(body: Bytes) -> Response {
    let frame: Value = serde_json::from_slice(&body).expect("a frame");
    let json = |status: StatusCode, text: &str| {
        (status, [("content-type", "application/json")], text.to_owned()).into_response()
    };
    match frame["method"].as_str().unwrap_or_default() {
        "streamed" => events(&[
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ]),
        "broken-off" => events(&[r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#]),
        "pretty" => json(StatusCode::OK, "{\r\n  \"jsonrpc\": \"2.0\",\n  \"id\": 3,\n  \"result\": {}\n}\n"),
        "ownerless" => {
            json(StatusCode::BAD_REQUEST, r#"{"jsonrpc":"2.0","error":{"code":-32020,"message":"mismatch"}}"#)
        }
        "crashed" => (StatusCode::INTERNAL_SERVER_ERROR, "<html>oh no</html>").into_response(),
        "problem" => json(
            StatusCode::SERVICE_UNAVAILABLE,
            r#"{"type":"/errors/unavailable","title":"t","status":503,"reason":"unavailable","help":"Try again."}"#,
        ),
        "empty" => StatusCode::ACCEPTED.into_response(),
        "others" => json(StatusCode::OK, r#"{"jsonrpc":"2.0","id":99,"result":{}}"#),
        _ => StatusCode::ACCEPTED.into_response(),
    }
}

#[tokio::test]
async fn every_request_gets_one_answer_whatever_the_server_does() {
    let mut proxy = Proxy::before(Router::new().route("/mcp", post(odd))).await;
    proxy.write(request(1, "streamed")).await;
    assert_eq!(proxy.json().await["method"], "notifications/progress");
    assert_eq!(proxy.line().await, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);

    proxy.write(request(2, "broken-off")).await;
    assert_eq!(proxy.json().await["method"], "notifications/progress");
    let broken = proxy.json().await;
    for words in ["may have been done", "again: true", "idempotency_key"] {
        assert!(broken["error"]["message"].as_str().is_some_and(|told| told.contains(words)), "{broken}");
    }

    proxy.write(request(3, "pretty")).await;
    let pretty = proxy.json().await;
    assert_eq!(pretty, json!({"jsonrpc": "2.0", "id": 3, "result": {}}));

    proxy.write(request(4, "ownerless")).await;
    let owned = proxy.json().await;
    assert_eq!(owned, json!({"jsonrpc": "2.0", "id": 4, "error": {"code": -32020, "message": "mismatch"}}));

    for (id, method, reason, words) in [
        (5, "crashed", "unreadable_answer", "500"),
        (9, "crashed", "unreadable_answer", "may have been done"),
        (6, "problem", "unavailable", "Try again."),
        (7, "empty", "unreadable_answer", "without an answer"),
        (8, "others", "unreadable_answer", "something else"),
    ] {
        proxy.write(request(id, method)).await;
        let failed = proxy.json().await;
        assert_eq!(
            (&failed["id"], &failed["error"]["data"]["reason"]),
            (&json!(id), &json!(reason)),
            "{failed}"
        );
        assert!(failed["error"]["message"].as_str().is_some_and(|told| told.contains(words)), "{failed}");
    }

    for method in ["crashed", "others", "ownerless"] {
        proxy.write(json!({"jsonrpc": "2.0", "method": method})).await;
    }
    assert_eq!(proxy.end().await, Vec::<String>::new(), "what asks for no answer gets none");
}

#[tokio::test]
async fn a_slow_request_holds_nobody_up_and_can_be_left() {
    let (arrived, left) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (there, gone) = (Arc::clone(&arrived), Arc::clone(&left));
    let app = Router::new().route(
        "/mcp",
        post(async move |body: Bytes| {
            let frame: Value = serde_json::from_slice(&body).expect("a frame");
            if frame["method"] != "slow" {
                let answer = json!({"jsonrpc": "2.0", "id": frame["id"], "result": {}});
                return ([("content-type", "application/json")], answer.to_string()).into_response();
            }
            there.notify_one();
            // Dropped when the client leaves.
            let guard = Leaving(gone);
            let never = stream::once(async { Ok::<_, Infallible>(": open\n\n") })
                .chain(stream::pending())
                .inspect(move |_| guard.stay());
            ([("content-type", "text/event-stream")], Body::from_stream(never)).into_response()
        }),
    );
    let mut proxy = Proxy::before(app).await;
    proxy.write(request(1, "slow")).await;
    for id in 2..=40 {
        proxy.write(request(id, "quick")).await;
    }
    let mut ids = Vec::new();
    for _ in 2..=40 {
        ids.push(proxy.json().await["id"].as_i64().expect("an id"));
    }
    ids.sort_unstable();
    assert_eq!(ids, (2..=40).collect::<Vec<i64>>());
    tokio::time::timeout(DEADLINE, arrived.notified()).await.expect("the request arrives");
    proxy
        .write(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    tokio::time::timeout(DEADLINE, left.notified()).await.expect("the request is left");
    assert_eq!(proxy.end().await, Vec::<String>::new(), "what was cancelled is not answered");
}

struct Leaving(Arc<Notify>);

impl Leaving {
    fn stay(&self) {}
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn the_settled_revision_goes_with_every_later_frame() {
    let app = Router::new().route(
        "/mcp",
        post(async |headers: HeaderMap, body: Bytes| {
            let frame: Value = serde_json::from_slice(&body).expect("a frame");
            let version =
                headers.get("mcp-protocol-version").map(|value| value.to_str().expect("a text").to_owned());
            let result = match frame["method"].as_str() {
                Some("initialize") => json!({"protocolVersion": "2025-11-25"}),
                _ => json!({"version": version, "key": headers["authorization"].to_str().expect("a text")}),
            };
            let answer = json!({"jsonrpc": "2.0", "id": frame["id"], "result": result});
            ([("content-type", "application/json")], answer.to_string()).into_response()
        }),
    );
    let mut proxy = Proxy::before(app).await;
    proxy.write(request(1, "tools/list")).await;
    assert_eq!(proxy.json().await["result"]["version"], Value::Null);
    // Written in one go: what follows a handshake waits for it.
    proxy.write(request(2, "initialize")).await;
    proxy.write(request(3, "tools/list")).await;
    assert_eq!(proxy.json().await["result"]["protocolVersion"], "2025-11-25");
    let listed = proxy.json().await;
    assert_eq!(listed["result"], json!({"version": "2025-11-25", "key": "Bearer ygga_key"}));
    assert_eq!(proxy.end().await, Vec::<String>::new());
}
