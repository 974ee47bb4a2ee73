//! Requests that make no sense: each gets a problem that says why, and the server goes on.

use reqwest::Method;

use crate::wire::Wire;
use crate::world::{Setting, World};

/// One request and what has to be said to it.
struct Case {
    name: String,
    request: Vec<u8>,
    status: u16,
    reason: &'static str,
}

struct Cases<'a> {
    world: &'a World,
    key: String,
    all: Vec<Case>,
}

impl Cases<'_> {
    fn raw(&mut self, name: &str, request: impl Into<Vec<u8>>, status: u16, reason: &'static str) {
        self.all.push(Case { name: name.to_owned(), request: request.into(), status, reason });
    }

    /// A request of somebody who is signed in.
    fn plain(&mut self, line: &str, more: &str, status: u16, reason: &'static str) {
        let key = &self.key;
        let request =
            format!("{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n{more}\r\n");
        self.raw(&format!("{line} {more}"), request, status, reason);
    }

    /// A request with a body to a path of the workspace.
    fn body(&mut self, method: &str, path: &str, body: impl AsRef<[u8]>, status: u16, reason: &'static str) {
        let (key, body) = (&self.key, body.as_ref());
        let mut request = format!(
            "{method} {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.world.path(path),
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        self.raw(&format!("{method} {path} {shown}"), request, status, reason);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_senseless_request_gets_a_problem_and_the_connection_goes_on() {
    let world = World::new().await;
    let other = World::with(Setting { slug: "other", ..Setting::default() }).await;
    world.agent("scout").await;
    let revoked = world.key("scout").await;
    let id = revoked["id"].as_str().expect("an id");
    world.call(&world.owner, Method::DELETE, &format!("/keys/{id}"), None).await;

    let mut cases = Cases { world: &world, key: world.owner.clone(), all: Vec::new() };
    bodies(&mut cases);
    addresses(&mut cases);
    callers(&mut cases, revoked["key"].as_str().expect("a key"), &other.owner);
    heads(&mut cases);
    for case in cases.all {
        let mut wire = Wire::to(&world).await;
        wire.say(&case.request).await;
        let answer = wire.hear().await.unwrap_or_else(|| panic!("{}: no answer", case.name));
        assert_eq!(answer.status, case.status, "{}: {answer:?}", case.name);
        let problem = answer.problem();
        assert_eq!(problem["reason"], case.reason, "{}: {answer:?}", case.name);
        if case.status == 401 {
            assert_eq!(answer.headers["www-authenticate"], "Bearer", "{}", case.name);
        }
        if case.status == 405 {
            assert!(!answer.headers["allow"].is_empty(), "{}", case.name);
            assert!(problem["facts"]["allowed"].is_array(), "{}: {problem}", case.name);
        }
        wire.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        let alive = wire.hear().await.unwrap_or_else(|| panic!("{}: the connection ended", case.name));
        assert_eq!((alive.status, alive.body.as_str()), (200, "ok"), "{}", case.name);
    }
    crate::logs::assert_no_key();
}

fn bodies(cases: &mut Cases<'_>) {
    let deep = |with: &str, end: &str| format!("{}{}", with.repeat(100_000), end.repeat(100_000));
    for broken in
        ["", " ", "{", "nul", "{\"to\":}", "{\"to\": NaN}", "[1,]", "{} {}", "\u{feff}{}", "'x'", "\0"]
    {
        cases.body("POST", "/messages", broken, 400, "invalid_request");
        cases.body("POST", "/agents", broken, 400, "invalid_request");
    }
    for nested in [deep("[", "]"), deep("{\"a\":", "1}"), format!("{{\"body\": {}}}", deep("[", "]"))] {
        cases.body("POST", "/messages", &nested, 400, "invalid_request");
        cases.body("PUT", "/groups/crew", &nested, 400, "invalid_request");
    }
    for bytes in [&b"\xff\xfe{}"[..], b"{\"text\": \"\xc3\x28\"}", b"\x80\x81", b"{\"to\": \"\\ud800\"}"] {
        cases.body("POST", "/messages", bytes, 400, "invalid_request");
        cases.body("POST", "/keys", bytes, 400, "invalid_request");
    }
    // What reads but is no message is the engine's to refuse.
    for senseless in
        ["null", "7", "[]", "\"text\"", "true", "{}", "{\"text\": 5}", "{\"to\": {}, \"text\": []}"]
    {
        cases.body("POST", "/messages", senseless, 422, "invalid_message");
    }
    cases.body("POST", "/messages", r#"{"to": "scout", "text": "x"}"#, 422, "topic_required");
    cases.body(
        "POST",
        "/messages",
        r#"{"to": "scout", "text": "x", "topic_id": "top_x"}"#,
        404,
        "unknown_topic",
    );
    cases.body(
        "POST",
        "/messages",
        r#"{"to": "no", "text": "x", "topic_id": "new", "title": "t"}"#,
        422,
        "unknown_recipient",
    );
    let long =
        format!(r#"{{"to": "scout", "topic_id": "new", "title": "t", "text": "{}"}}"#, "x".repeat(300_000));
    cases.body("POST", "/messages", long, 413, "too_large");
    typed(cases);
    let grant = r#"{"to": "pool", "credits": 1}"#;
    for (kind, body) in [
        ("text/plain", grant),
        ("application/x-www-form-urlencoded", "a=b"),
        ("multipart/form-data", ""),
        ("x", grant),
    ] {
        let more = format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
        let line = format!("POST {}", cases.world.path("/credits/grants"));
        let key = &cases.key;
        let request =
            format!("{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n{more}\r\n{body}");
        cases.raw(&format!("{line} {more}"), request, 415, "unsupported_media_type");
    }
}

/// Bodies with a fixed shape: every field of the wrong type, missing, unknown or twice.
fn typed(cases: &mut Cases<'_>) {
    let wrong = ["null", "[]", "\"x\"", "7", "true"];
    for body in wrong {
        for (method, path) in [
            ("POST", "/credits/grants"),
            ("PATCH", "/topics/top_x"),
            ("PUT", "/groups/crew"),
            ("POST", "/tasks"),
            ("POST", "/keys"),
        ] {
            let sent = if body == "[]" { "[[]]" } else { body };
            cases.body(method, path, sent, 400, "invalid_request");
        }
    }
    for body in [
        r#"{}"#,
        r#"{"to": "pool"}"#,
        r#"{"to": 1, "credits": 1}"#,
        r#"{"to": "pool", "credits": "1"}"#,
        r#"{"to": "pool", "credits": 1.5}"#,
        r#"{"to": "pool", "credits": 1e3}"#,
        r#"{"to": "pool", "credits": null}"#,
        r#"{"to": "pool", "credits": 99999999999999999999}"#,
        r#"{"to": "pool", "credits": 1, "from": "me"}"#,
        r#"{"to": "pool", "credits": 1, "credits": 2}"#,
        r#"{"to": ["pool"], "credits": 1}"#,
    ] {
        cases.body("POST", "/credits/grants", body, 400, "invalid_request");
    }
    for body in [
        r#"{"id": 5}"#,
        r#"{"id": null}"#,
        r#"{"id": "x", "operators": "ana"}"#,
        r#"{"id": "x", "operators": [1]}"#,
        r#"{"id": "x", "wake": {}}"#,
        r#"{"id": "x", "extra": 1}"#,
        r#"{"description": "x"}"#,
    ] {
        cases.body("POST", "/agents", body, 400, "invalid_request");
    }
    for body in [
        r#"{"action": "fly"}"#,
        r#"{"action": 1}"#,
        r#"{"action": "add"}"#,
        r#"{"action": "reorder", "order": 1}"#,
        r#"{"action": "list", "x": 1}"#,
    ] {
        cases.body("POST", "/tasks", body, 400, "invalid_request");
    }
    for body in [r#"{"peek": 1}"#, r#"{"peek": "true"}"#, r#"{"peak": true}"#, "7"] {
        cases.body("POST", "/inbox", body, 400, "invalid_request");
    }
    cases.body("POST", "/inbox", "", 403, "forbidden");
    cases.body("POST", "/agents", r#"{"id": "Bad Name"}"#, 422, "invalid_message");
    cases.body("POST", "/agents", r#"{"id": "human"}"#, 422, "invalid_message");
    cases.body("POST", "/agents", r#"{"id": "scout"}"#, 409, "conflict");
    cases.body("POST", "/credits/grants", r#"{"to": "pool", "credits": -1}"#, 422, "invalid_message");
    cases.body("POST", "/credits/grants", r#"{"to": "nobody", "credits": 1}"#, 404, "not_found");
}

fn addresses(cases: &mut Cases<'_>) {
    let root = cases.world.path("");
    for path in [
        "/v1",
        "/v1/w",
        "/v2/w/team/me",
        "/v1/w/team",
        "/v1/w/team/",
        "/v1/w/team/nothing",
        "/v1/w/team/me/",
        "//v1/w/team/me",
        "/v1/w/team/topics/x/y/z",
        "/%00",
        "/favicon.ico",
        "/../etc/passwd",
        "/errors/",
        "/mcp/",
        "/errors/..%2f..%2fetc%2fpasswd",
        "/rules/nothing",
        "/errors/nothing",
        "/docs",
    ] {
        cases.plain(&format!("GET {path}"), "", 404, "not_found");
    }
    for (path, reason) in [
        ("/messages/msg_01jx4f", "not_found"),
        ("/messages/top_00000000000000000000000000", "not_found"),
        ("/topics/x", "unknown_topic"),
        ("/topics/%00", "unknown_topic"),
        ("/topics/top_%F0%9F%8C%B3", "unknown_topic"),
        ("/topics/..%2f..%2fme", "unknown_topic"),
        ("/topics/x/messages", "unknown_topic"),
        ("/conversations/cnv_x", "not_found"),
        ("/conversations/'%20OR%201=1", "not_found"),
        ("/topics?after=x", "unknown_topic"),
        ("/conversations?after=%00", "not_found"),
        ("/topics?conversation_id=x", "not_found"),
    ] {
        cases.plain(&format!("GET {root}{path}"), "", 404, reason);
    }
    for path in [
        "/topics/%ff",
        "/messages/%C3%28",
        "/topics?limit=-1",
        "/topics?limit=x",
        "/topics?limit=",
        "/topics?limit=1e3",
        "/topics?limit=99999999999999999999999",
        "/topics?limt=5",
        "/topics?limit=1&limit=2",
        "/topics/x/messages?after=x",
        "/credits/ledger?after=1.5",
        "/credits/ledger?after=9223372036854775808",
        "/events?after=-1",
        "/events?after=x",
        "/events?after=%00",
        "/events?form=1",
        "/topics?=&=",
        "/topics?%ff=%fe",
    ] {
        cases.plain(&format!("GET {root}{path}"), "", 400, "invalid_request");
    }
    cases.plain("GET /v1/w/%ff/me", "", 400, "invalid_request");
    let query = "x".repeat(50_000);
    cases.plain(&format!("GET {root}/topics?{query}=1"), "", 400, "invalid_request");
    cases.plain(&format!("GET {root}/topics?after={query}"), "", 404, "unknown_topic");
    for (method, path) in [
        ("DELETE", "/me"),
        ("PUT", "/messages"),
        ("GET", "/messages"),
        ("POST", "/topics"),
        ("GET", "/inbox"),
        ("OPTIONS", "/messages"),
        ("TRACE", "/me"),
        ("BREW", "/me"),
        ("PATCH", "/keys"),
        ("GET", "/keys/key_x"),
        ("POST", "/events"),
        ("get", "/me"),
        ("DELETE", "/agents"),
        ("GET", "/topics/x/close"),
    ] {
        cases.plain(&format!("{method} {root}{path}"), "", 405, "method_not_allowed");
    }
    for path in ["/healthz", "/readyz", "/openapi.json", "/errors/not_found"] {
        cases.plain(&format!("POST {path}"), "", 405, "method_not_allowed");
    }
    for last in ["x", "-1", "1.5", "9223372036854775808"] {
        cases.plain(
            &format!("GET {root}/events"),
            &format!("Last-Event-ID: {last}\r\n"),
            400,
            "invalid_request",
        );
    }
}

fn callers(cases: &mut Cases<'_>, revoked: &str, foreign: &str) {
    let root = cases.world.path("");
    let get = |cases: &mut Cases<'_>, path: &str, more: &str, status, reason| {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n");
        cases.raw(&format!("{path} {more}"), request, status, reason);
    };
    let owner = cases.key.clone();
    for path in ["/me", "/topics", "/events", "/events?after=0", "/keys", "/messages/x"] {
        let path = format!("{root}{path}");
        for held in [
            String::new(),
            "Authorization: \r\n".to_owned(),
            "Authorization: Bearer\r\n".to_owned(),
            "Authorization: Bearer \r\n".to_owned(),
            "Authorization: Bearer ygga_short\r\n".to_owned(),
            format!("Authorization: Bearer ygga_{}\r\n", "a".repeat(52)),
            format!("Authorization: Bearer {}\r\n", "a".repeat(20_000)),
            "Authorization: Bearer \u{e9}\r\n".to_owned(),
            format!("Authorization: Basic {owner}\r\n"),
            format!("Authorization: {owner}\r\n"),
            format!("Authorization: Bearer {} x\r\n", &owner),
            format!("Authorization: Bearer {owner}\r\nAuthorization: Bearer {owner}\r\n"),
            format!("Authorization: Bearer {revoked}\r\n"),
            format!("Authorization: Bearer {foreign}\r\n"),
        ] {
            get(cases, &path, &held, 401, "unauthenticated");
        }
    }
    let own = format!("Authorization: Bearer {owner}\r\n");
    for slug in ["other", "nothing", "TEAM", "team%20", "%00", "te%61m2"] {
        get(cases, &format!("/v1/w/{slug}/me"), &own, 404, "not_found");
        get(cases, &format!("/v1/w/{slug}/events?after=0"), &own, 404, "not_found");
    }
}

fn heads(cases: &mut Cases<'_>) {
    for host in [
        "evil.example",
        "evil.example:7411",
        "localhost.evil.example",
        "localhost@evil.example",
        "0.0.0.0",
        "a b",
        "127.0.0.1.nip.io",
        "\u{e9}",
    ] {
        cases.raw(host, format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n"), 403, "origin_refused");
    }
    for origin in [
        "https://evil.example",
        "null",
        "",
        "http://localhost.evil.example",
        "file://",
        "http://0.0.0.0:7411",
        "\u{e9}",
    ] {
        let request =
            format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\nContent-Length: 0\r\n\r\n");
        cases.raw(origin, request, 403, "origin_refused");
        cases.plain(
            &format!("GET {}", cases.world.path("/events")),
            &format!("Origin: {origin}\r\n"),
            403,
            "origin_refused",
        );
    }
    cases.raw(
        "a target elsewhere",
        "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        403,
        "origin_refused",
    );
    cases.raw("no host", "GET /healthz HTTP/1.1\r\n\r\n", 400, "invalid_request");
    cases.raw(
        "two hosts",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        400,
        "invalid_request",
    );
    let padding = format!("X-Padding: {}\r\n", "x".repeat(100_000));
    cases.plain("GET /nothing", &padding, 404, "not_found");
    let many: String = (0..80).map(|one| format!("X-{one}: {one}\r\n")).collect();
    cases.plain("GET /nothing", &many, 404, "not_found");
}
