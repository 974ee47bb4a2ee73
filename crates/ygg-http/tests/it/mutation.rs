//! Thousands of requests that were good and then spoilt at random: none breaks the server, each refusal is a problem.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::random::Random;
use crate::world::World;

const REQUESTS: usize = 4000;

/// A request before it is spoilt.
#[derive(Clone)]
struct Good {
    method: &'static str,
    path: String,
    body: Value,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spoilt_requests_never_break_the_server() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let receipt = world
        .send(
            &world.owner,
            json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x"}),
        )
        .await;
    let good = good(&world, &receipt);
    let (mut random, seed) = Random::new();
    let mut statuses = std::collections::BTreeMap::new();
    for turn in 0..REQUESTS {
        let key = if random.below(2) == 0 { &world.owner } else { &scout };
        let request = &good[random.below(good.len())];
        let Some((told, request)) = spoil(&mut random, request.clone(), key) else { continue };
        let answer = world.app.clone().oneshot(request).await.expect("an answer");
        let status = answer.status().as_u16();
        let kind = answer.headers().get("content-type").map(|kind| kind.to_str().expect("text").to_owned());
        assert!(status < 500, "seed {seed}, request {turn}: {status}: {told}");
        *statuses.entry(status).or_insert(0) += 1;
        if status >= 400 {
            assert_eq!(
                kind.as_deref(),
                Some("application/problem+json"),
                "seed {seed}, request {turn}: {told}"
            );
            if told.starts_with("HEAD") {
                continue;
            }
            let body = to_bytes(answer.into_body(), 1 << 22).await.expect("a body");
            let problem: Value = serde_json::from_slice(&body)
                .unwrap_or_else(|_| panic!("seed {seed}, request {turn}: {told}"));
            assert_eq!(problem["status"], status);
        }
    }
    // Neither all well nor all refused at the same door.
    assert!(statuses.len() >= 7, "{statuses:?}");
    assert_eq!(world.get(&world.owner, "/me").await["kind"], "person");
    let owner = world.engine.authenticate(None, &world.owner).await.expect("the owner");
    assert_eq!(world.engine.check_ledger(&owner).await.expect("a ledger"), None);
    crate::logs::assert_no_key();
}

fn good(world: &World, receipt: &Value) -> Vec<Good> {
    let id = |field: &str| receipt[field].as_str().expect("an id").to_owned();
    let (topic, message, conversation) = (id("topic_id"), id("message_id"), id("conversation_id"));
    let draft = json!({
        "to": ["scout", "@ana"], "type": "response", "topic_id": topic, "title": "t", "text": "Hello.",
        "body": {"a": [1, null]}, "in_reply_to": message, "state": "waiting", "waiting_for": ["@ana"],
        "conversation_id": conversation, "idempotency_key": "k", "attachments": [],
    });
    let none = Value::Null;
    [
        ("POST", "/messages".to_owned(), draft.clone()),
        ("POST", "/messages".to_owned(), json!({"to": "group:crew", "type": "request", "topic_id": "new", "title": "t", "text": "x"})),
        ("POST", "/messages".to_owned(), json!({"to": "conversation", "topic_id": "new", "conversation_id": conversation, "text": "x"})),
        ("GET", format!("/messages/{message}"), none.clone()),
        ("GET", format!("/topics?conversation_id={conversation}&limit=5&after={topic}"), none.clone()),
        ("GET", format!("/topics/{topic}"), none.clone()),
        ("PATCH", format!("/topics/{topic}"), json!({"title": "Another"})),
        ("GET", format!("/topics/{topic}/messages?after=1&limit=5"), none.clone()),
        ("GET", format!("/conversations?after={conversation}&limit=5"), none.clone()),
        ("POST", "/inbox".to_owned(), json!({"peek": true, "again": false})),
        ("GET", "/me".to_owned(), none.clone()),
        ("POST", "/agents".to_owned(), json!({"id": "other", "display_name": "O", "description": "d", "operators": ["@ana"], "wake": "relay"})),
        ("PATCH", "/agents/scout".to_owned(), json!({"display_name": "S", "description": "d", "operators": ["@ana"]})),
        ("PUT", "/groups/crew".to_owned(), json!({"members": ["scout"]})),
        ("POST", "/keys".to_owned(), json!({"participant": "scout", "label": "l"})),
        ("GET", "/credits/ledger?after=100&limit=5".to_owned(), none.clone()),
        ("POST", "/credits/grants".to_owned(), json!({"to": topic, "credits": 5})),
        ("POST", "/tasks".to_owned(), json!({"action": "add", "text": "t", "status": "doing", "topic_id": topic})),
        ("POST", "/tasks".to_owned(), json!({"action": "reorder", "order": ["tsk_x"]})),
        ("GET", "/events?after=5".to_owned(), none),
    ]
    .map(|(method, path, body)| Good { method, path: world.path(&path), body })
    .to_vec()
}

/// The spoilt request and how it reads; none when it cannot even be written.
fn spoil(random: &mut Random, mut good: Good, key: &str) -> Option<(String, Request<Body>)> {
    let mut method = good.method;
    if random.below(20) == 0 {
        method = random.pick(&["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"]);
    }
    let mut path = good.path.clone();
    if random.below(3) == 0 {
        path = spoil_path(random, &path);
    }
    for _ in 0..random.below(4) {
        spoil_value(random, &mut good.body, 0);
    }
    let mut body = if good.body.is_null() && random.below(4) > 0 {
        Vec::new()
    } else {
        good.body.to_string().into_bytes()
    };
    if random.below(3) == 0 {
        spoil_bytes(random, &mut body);
    }
    let uri: Uri = path.parse().ok()?;
    let told = format!("{method} {path} {}", String::from_utf8_lossy(&body[..body.len().min(400)]));
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = Method::from_bytes(method.as_bytes()).ok()?;
    *request.uri_mut() = uri;
    let headers = request.headers_mut();
    headers.insert("host", HeaderValue::from_static("localhost"));
    headers.insert("authorization", format!("Bearer {key}").parse().ok()?);
    if random.below(8) == 0 {
        let name = random.pick(&[
            "authorization",
            "content-type",
            "host",
            "origin",
            "idempotency-key",
            "last-event-id",
            "x-request-id",
            "content-length",
            "expect",
        ]);
        let mut value = random
            .pick(&["", "localhost", "application/json; charset=utf-16", "Bearer", "-1", "\u{e9}", "null"])
            .as_bytes()
            .to_vec();
        spoil_bytes(random, &mut value);
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(&value))
        {
            headers.insert(name, value);
        }
    }
    Some((told, request))
}

fn spoil_path(random: &mut Random, path: &str) -> String {
    let mut path = path.to_owned();
    let at = random.below(path.len());
    match random.below(4) {
        0 => path.truncate(at.max(1)),
        1 => path.insert_str(
            at.max(1),
            random.pick(&["/", "%", "%00", "%ff", "..", "?", "&", "=", "%2f", "9", "x", "é", "//", "#"]),
        ),
        2 => {
            let ids = [
                "top_00000000000000000000000000",
                "msg_zzzzzzzzzzzzzzzzzzzzzzzzzz",
                "-1",
                "9223372036854775807",
                "%F0%9F%8C%B3",
                "'--",
            ];
            path = path
                .rsplit_once('/')
                .map_or(path.clone(), |(before, _)| format!("{before}/{}", random.pick(&ids)));
        }
        _ => {
            path = format!(
                "{path}{}",
                random.pick(&[
                    "&limit=0",
                    "?limit=-1",
                    "&limit=9999999999",
                    "?a=b",
                    "&after=%00",
                    "&after=é"
                ])
            )
        }
    }
    path
}

/// Replaces, adds, removes or wraps something somewhere in the value.
fn spoil_value(random: &mut Random, value: &mut Value, depth: usize) {
    let inside = random.below(3) > 0 && depth < 4;
    match value {
        Value::Object(fields) if inside && !fields.is_empty() => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = &names[random.below(names.len())];
            match random.below(6) {
                0 => drop(fields.remove(name)),
                1 => drop(
                    fields.insert(random.pick(&["from", "", "\u{0}", "to", "é", "id"]).to_owned(), json!(1)),
                ),
                _ => spoil_value(random, fields.entry(name.clone()).or_insert(Value::Null), depth + 1),
            }
        }
        Value::Array(entries) if inside && !entries.is_empty() => {
            let at = random.below(entries.len());
            spoil_value(random, &mut entries[at], depth + 1);
        }
        other => *other = nonsense(random),
    }
}

fn nonsense(random: &mut Random) -> Value {
    match random.below(16) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1.5e300),
        4 => json!(i64::MIN),
        5 => json!(u64::MAX),
        6 => json!(""),
        7 => json!("\u{0}\u{1}\u{7f}"),
        8 => json!("\u{202e}\u{feff}é🌳\r\n"),
        9 => json!("x".repeat(random.below(2000))),
        10 => json!([]),
        11 => json!({}),
        12 => json!(vec!["scout"; random.below(100)]),
        13 => (0..random.below(200)).fold(json!(1), |inner, _| json!([inner])),
        14 => json!(random.pick(&[
            "new",
            "top_0",
            "@ana",
            "@",
            "group:",
            "group:crew",
            "conversation",
            "system.ygg",
            "human.1",
            "done",
            "needs_human",
            "request",
            "scout"
        ])),
        _ => json!([null, 1, "scout", {}, []]),
    }
}

fn spoil_bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let byte = u8::try_from(random.below(256)).expect("a byte");
        match random.below(5) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => bytes[at] = byte,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            _ => {
                let again: Vec<u8> = bytes[at..].iter().copied().take(20).collect();
                bytes.splice(at..at, again);
            }
        }
    }
}
