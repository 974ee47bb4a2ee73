//! The protocol itself, spoken by hand: versions, methods, headers, keys (cases 145 and 146).

use reqwest::header::{ACCEPT, ALLOW, AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use ygg_wire::participant::NewAgent;

use crate::world::World;

const BOTH: &str = "application/json, text/event-stream";
const VERSION: &str = "MCP-Protocol-Version";

struct Raw {
    world: World,
    key: String,
    client: Client,
}

impl Raw {
    async fn start() -> Self {
        let world = World::start().await;
        let key = world.key(NewAgent { id: "scout".to_owned(), ..NewAgent::default() }).await;
        Self { world, key, client: Client::new() }
    }

    fn to(&self, method: Method) -> RequestBuilder {
        self.client.request(method, &self.world.url).bearer_auth(&self.key)
    }

    fn post(&self, body: &Value) -> RequestBuilder {
        self.to(Method::POST).header(ACCEPT, BOTH).json(body)
    }
}

async fn send(request: RequestBuilder) -> Response {
    request.send().await.expect("an answer")
}

async fn body(response: Response) -> Value {
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    response.json().await.expect("JSON")
}

fn initialize(version: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    })
}

fn call(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[tokio::test]
async fn initialize_never_fails_for_its_version() {
    let raw = Raw::start().await;
    for (asked, offered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        for header in [None, Some(asked), Some("2025-03-26"), Some("2099-12-31"), Some("nonsense")] {
            let mut request = raw.post(&initialize(asked));
            if let Some(header) = header {
                request = request.header(VERSION, header);
            }
            let response = send(request).await;
            assert_eq!(response.status(), 200, "{asked} with {header:?}");
            assert!(!response.headers().contains_key("mcp-session-id"));
            let answer = body(response).await;
            assert_eq!(answer["result"]["protocolVersion"], offered, "{asked} with {header:?}");
            assert_eq!(answer["result"]["serverInfo"]["name"], "ygg");
            assert_eq!(answer["result"]["capabilities"], json!({"tools": {}}));
        }
    }
}

#[tokio::test]
async fn the_newest_revision_needs_no_initialize() {
    let raw = Raw::start().await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let request = raw.post(&call(1, "server/discover", json!({"_meta": meta})));
    let response = send(request.header(VERSION, "2026-07-28").header("Mcp-Method", "server/discover")).await;
    assert_eq!(response.status(), 200);
    let found = body(response).await;
    let versions = found["result"]["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!("2026-07-28")), "{found}");

    let params = json!({"name": "ygg_me", "arguments": {}, "_meta": meta});
    let request = raw.post(&call(2, "tools/call", params)).header(VERSION, "2026-07-28");
    let response = send(request.header("Mcp-Method", "tools/call").header("Mcp-Name", "ygg_me")).await;
    assert_eq!(response.status(), 200);
    assert_eq!(body(response).await["result"]["structuredContent"]["id"], "scout");
}

#[tokio::test]
async fn later_calls_may_leave_the_version_out_but_not_make_one_up() {
    let raw = Raw::start().await;
    let list = call(1, "tools/list", json!({}));
    for (header, status) in
        [(None, 200), (Some("2025-06-18"), 200), (Some("2099-01-01"), 400), (Some("nonsense"), 400)]
    {
        let mut request = raw.post(&list);
        if let Some(header) = header {
            request = request.header(VERSION, header);
        }
        assert_eq!(send(request).await.status(), status, "{header:?}");
    }
}

#[tokio::test]
async fn other_methods_are_answered_at_once() {
    let raw = Raw::start().await;
    for method in [Method::GET, Method::DELETE, Method::HEAD, Method::OPTIONS, Method::PUT] {
        let response = send(raw.to(method.clone()).header(ACCEPT, "text/event-stream")).await;
        assert_eq!(response.status(), 405, "{method}");
        assert_eq!(response.headers()[ALLOW], "POST", "{method}");
    }
    let slashed = raw.client.post(format!("{}/", raw.world.url)).bearer_auth(&raw.key).header(ACCEPT, BOTH);
    assert_eq!(send(slashed.json(&call(1, "ping", json!({})))).await.status(), 200);
    let elsewhere = raw.client.get(raw.world.url.replace("/mcp", "/other"));
    assert_eq!(send(elsewhere).await.status(), 404);
}

#[tokio::test]
async fn notifications_are_accepted_whatever_they_are() {
    let raw = Raw::start().await;
    for (method, params) in [
        ("notifications/initialized", None),
        ("notifications/initialized", Some(json!({}))),
        ("notifications/cancelled", Some(json!({"requestId": 7, "reason": "gone"}))),
        ("notifications/roots/list_changed", None),
        ("notifications/unheard_of", None),
        ("notifications/unheard_of", Some(json!({"a": 1}))),
    ] {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        let response = send(raw.post(&message)).await;
        assert_eq!(response.status(), 202, "{message}");
        assert_eq!(response.text().await.expect("a body"), "", "{message}");
    }
}

#[tokio::test]
async fn a_client_that_takes_json_is_served_json() {
    let raw = Raw::start().await;
    let list = call(1, "tools/list", json!({}));
    for accept in [Some("application/json"), Some("*/*"), Some(BOTH), None] {
        let mut request = raw.to(Method::POST).json(&list);
        if let Some(accept) = accept {
            request = request.header(ACCEPT, accept);
        }
        let response = send(request).await;
        assert_eq!(response.status(), 200, "{accept:?}");
        assert_eq!(body(response).await["result"]["tools"].as_array().map(Vec::len), Some(6));
    }
}

#[tokio::test]
async fn what_is_no_message_is_a_fault_of_the_client() {
    let raw = Raw::start().await;
    let ping = call(1, "ping", json!({}));
    for broken in [
        "",
        "{",
        "null",
        "7",
        "\"ping\"",
        "{}",
        "{\"jsonrpc\":\"1.0\"}",
        &json!([ping, ping]).to_string(),
        "\u{0}",
    ] {
        let request = raw.to(Method::POST).header(ACCEPT, BOTH).header(CONTENT_TYPE, "application/json");
        let response = send(request.body(broken.to_owned())).await;
        assert!(response.status().is_client_error(), "{broken:?}: {}", response.status());
    }
    let huge = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x".repeat(3_000_000)}});
    for version in [None, Some("2025-06-18")] {
        let mut request = raw.post(&huge);
        if let Some(version) = version {
            request = request.header(VERSION, version);
        }
        assert_eq!(send(request).await.status(), 413, "{version:?}");
    }
    // Arguments that are no object are a malformed call; what is in the object is the tool's to refuse.
    let wrong = call(2, "tools/call", json!({"name": "ygg_me", "arguments": [1]}));
    let response = send(raw.post(&wrong)).await;
    let refused = response.status().is_client_error() || body(response).await["error"].is_object();
    assert!(refused);
    let unknown = body(send(raw.post(&call(3, "no/such/method", json!({})))).await).await;
    assert_eq!(unknown["error"]["code"], -32601);
}

#[tokio::test]
async fn no_key_no_answer() {
    let raw = Raw::start().await;
    let list = call(1, "tools/list", json!({}));
    let post = || raw.client.post(&raw.world.url).header(ACCEPT, BOTH).json(&list);
    let other = raw.world.key(NewAgent { id: "gone".to_owned(), ..NewAgent::default() }).await;
    let gone = raw.world.engine.keys(&raw.world.owner).await.expect("keys");
    let gone = gone.iter().find(|key| key.participant == "gone").expect("its key");
    raw.world.engine.revoke_key(&raw.world.owner, &gone.id).await.expect("revoked");
    let made_up = format!("ygga_{}", "a".repeat(52));
    let wrong = [
        post(),
        post().header(AUTHORIZATION, ""),
        post().header(AUTHORIZATION, raw.key.clone()),
        post().header(AUTHORIZATION, format!("Basic {}", raw.key)),
        post().bearer_auth(""),
        post().bearer_auth(made_up),
        post().bearer_auth(format!("{}x", raw.key)),
        post().bearer_auth(other),
        post().bearer_auth(&raw.key).bearer_auth(&raw.key),
        raw.client.get(&raw.world.url),
        raw.client.delete(&raw.world.url),
        raw.client.post(&raw.world.url).body("not json"),
    ];
    for request in wrong {
        let response = send(request.header("X-Request-Id", "mine-7")).await;
        assert_eq!(response.status(), 401);
        assert_eq!(response.headers()[WWW_AUTHENTICATE], "Bearer");
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
        let problem: Value = response.json().await.expect("JSON");
        assert_eq!((&problem["reason"], &problem["status"]), (&json!("unauthenticated"), &json!(401)));
        assert_eq!(problem["request_id"], "mine-7");
    }
    let right = post().header(AUTHORIZATION, format!("bearer  {}", raw.key));
    assert_eq!(send(right).await.status(), 200);
}

#[tokio::test]
async fn people_are_told_that_this_is_for_agents() {
    let raw = Raw::start().await;
    let request = raw.client.post(&raw.world.url).header(ACCEPT, BOTH).bearer_auth(&raw.world.person);
    let response = send(request.json(&initialize("2025-06-18"))).await;
    assert_eq!(response.status(), 403);
    let problem: Value = response.json().await.expect("JSON");
    assert_eq!(problem["reason"], "forbidden");
    assert!(problem["help"].as_str().is_some_and(|help| help.contains("MCP is for agents")), "{problem}");
}

/// Names and origins are the guard's, which stands before this router: nothing here refuses a public name.
#[tokio::test]
async fn a_public_name_is_not_refused_here() {
    let raw = Raw::start().await;
    let request = raw.post(&call(1, "ping", json!({})));
    let request = request.header("Host", "ygg.example.com").header("Origin", "https://ygg.example.com");
    assert_eq!(send(request).await.status(), 200);
}
