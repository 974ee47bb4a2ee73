//! The protocol itself, spoken by hand: versions, methods, headers, keys.

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
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
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

    let request = raw.post(&call(3, "initialize", json!({"_meta": meta})));
    let gone = send(request.header(VERSION, "2026-07-28").header("Mcp-Method", "initialize")).await;
    assert_eq!(gone.status(), 404);
    assert_eq!(body(gone).await["error"]["code"], -32601);

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
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json", "{method}");
        let problem = response.text().await.expect("a body");
        assert_eq!(problem.contains("method_not_allowed"), method != Method::HEAD, "{method}: {problem}");
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

/// What sessions of other servers bring along changes nothing: an id of one that ended, a token for progress, a
/// cancellation that comes too late.
#[tokio::test]
async fn there_is_nothing_to_keep_between_two_calls() {
    let raw = Raw::start().await;
    let params = json!({"name": "ygg_me", "arguments": {}, "_meta": {"progressToken": "p"}});
    for session in [None, Some("of-another-server"), Some("")] {
        let mut request = raw.post(&call(1, "tools/call", params.clone()));
        if let Some(session) = session {
            request = request.header("Mcp-Session-Id", session);
        }
        let response = send(request).await;
        assert_eq!(response.status(), 200, "{session:?}");
        assert!(!response.headers().contains_key("mcp-session-id"));
        assert_eq!(body(response).await["result"]["structuredContent"]["id"], "scout");
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        assert_eq!(send(raw.post(&cancel)).await.status(), 202);
    }
    let answer = json!({"jsonrpc": "2.0", "id": 9, "result": {}});
    assert_eq!(send(raw.post(&answer)).await.status(), 400, "nothing was asked");
}

/// Faults of HTTP come as the API tells them.
#[tokio::test]
async fn what_http_does_not_take_is_a_problem() {
    let raw = Raw::start().await;
    let list = call(1, "tools/list", json!({}));
    let huge = call(1, "ping", json!({"x": "x".repeat(3_000_000)}));
    let post = |accept: &str, kind: &str, body: &Value| {
        raw.to(Method::POST).header(ACCEPT, accept).header(CONTENT_TYPE, kind).body(body.to_string())
    };
    for (request, status, reason) in [
        (post("text/event-stream", "application/json", &list), 406, "invalid_request"),
        (post(BOTH, "text/plain", &list), 415, "unsupported_media_type"),
        (post(BOTH, "application/jsonx", &list), 415, "unsupported_media_type"),
        (post(BOTH, "application/json", &huge), 413, "too_large"),
        (post(BOTH, "application/json", &huge).header(VERSION, "2025-06-18"), 413, "too_large"),
    ] {
        let response = send(request).await;
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
        let problem: Value = response.json().await.expect("JSON");
        assert_eq!((&problem["reason"], &problem["status"]), (&json!(reason), &json!(status)), "{problem}");
    }
    for kind in [None, Some("application/json; charset=utf-8"), Some("Application/JSON")] {
        let mut request = raw.to(Method::POST).header(ACCEPT, BOTH).body(list.to_string());
        if let Some(kind) = kind {
            request = request.header(CONTENT_TYPE, kind);
        }
        assert_eq!(send(request).await.status(), 200, "{kind:?}");
    }
}

/// Faults of the message come as JSON-RPC tells them, to whoever asked where that can be read.
#[tokio::test]
async fn what_is_no_message_is_an_error_of_json_rpc() {
    let raw = Raw::start().await;
    let ping = call(1, "ping", json!({}));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":4,"method":"ping","params":{{"a":{}{}}}}}"#,
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    let pair = r#"{"jsonrpc":"2.0","id":"five","method":"tools/call","params":{"name":"ygg_me","arguments":{"a":"\ud800"}}}"#;
    for (broken, code, id) in [
        ("", -32700, None),
        ("{", -32700, None),
        ("\u{0}", -32700, None),
        (&deep, -32700, Some(json!(4))),
        (pair, -32700, Some(json!("five"))),
        ("null", -32600, None),
        ("7", -32600, None),
        ("\"ping\"", -32600, None),
        ("{}", -32600, None),
        (r#"{"jsonrpc":"1.0","id":6,"method":"ping"}"#, -32600, Some(json!(6))),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, None),
        (r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, -32600, None),
        (&json!([ping, ping]).to_string(), -32600, None),
        ("[]", -32600, None),
    ] {
        for version in [None, Some("2025-11-25")] {
            let mut request = raw.to(Method::POST).header(ACCEPT, BOTH).body(broken.to_owned());
            if let Some(version) = version {
                request = request.header(VERSION, version);
            }
            let response = send(request).await;
            assert_eq!(response.status(), 400, "{broken:.80}");
            let told = body(response).await;
            assert_eq!(told["error"]["code"], code, "{broken:.80}: {told}");
            assert_eq!(told.get("id"), id.as_ref(), "{broken:.80}: {told}");
        }
    }
    let made_up = send(raw.post(&call(8, "ping", json!({}))).header(VERSION, "2099-01-01")).await;
    assert_eq!(made_up.status(), 400);
    let told = body(made_up).await;
    assert_eq!((&told["id"], &told["error"]["code"]), (&json!(8), &json!(-32600)), "{told}");
}

/// What is in a tool's arguments is the tool's to refuse; what is around them is the protocol's.
#[tokio::test]
async fn params_that_do_not_fit_are_told_apart_from_methods_that_are_not_there() {
    let raw = Raw::start().await;
    for (method, params) in [
        ("tools/call", json!({"name": "ygg_me", "arguments": [1]})),
        ("tools/call", json!({"arguments": {}})),
        ("tools/call", json!({"name": "no_such_tool"})),
        ("initialize", json!({})),
    ] {
        let wrong = body(send(raw.post(&call(2, method, params.clone()))).await).await;
        assert_eq!(
            (&wrong["id"], &wrong["error"]["code"]),
            (&json!(2), &json!(-32602)),
            "{method} {params}: {wrong}"
        );
    }
    for method in
        ["no/such/method", "resources/list", "prompts/get", "logging/setLevel", "sampling/createMessage"]
    {
        let unknown =
            body(send(raw.post(&call(3, method, json!({"uri": "a", "name": "b", "level": "info"})))).await)
                .await;
        assert_eq!(
            (&unknown["id"], &unknown["error"]["code"]),
            (&json!(3), &json!(-32601)),
            "{method}: {unknown}"
        );
    }
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
