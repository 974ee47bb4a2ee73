//! Whatever body is posted: an answer comes, it is no trouble of the server, and it is JSON-RPC where the body was.

use axum::Router;
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tower::ServiceExt;
use ygg_wire::participant::NewAgent;
use ygg_wire::tool::{CONVERSATION, DIRECTORY, INBOX, ME, SEND, TASKS};

use crate::world::World;

const METHODS: [&str; 12] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "tools/call",
    "tools/call",
    "notifications/initialized",
    "notifications/cancelled",
    "server/discover",
    "resources/read",
    "prompts/get",
    "",
];
const WORDS: [&str; 16] = [
    SEND,
    INBOX,
    CONVERSATION,
    ME,
    DIRECTORY,
    TASKS,
    "2025-11-25",
    "2026-07-28",
    "scout",
    "new",
    "request",
    "list",
    "add",
    "",
    "\u{0}",
    "\u{202e}",
];
const NAMES: [&str; 22] = [
    "name",
    "arguments",
    "_meta",
    "protocolVersion",
    "capabilities",
    "clientInfo",
    "version",
    "cursor",
    "to",
    "type",
    "topic_id",
    "title",
    "text",
    "body",
    "peek",
    "again",
    "from",
    "before",
    "message_id",
    "action",
    "order",
    "progressToken",
];
/// Frames that would do, to be spoiled.
const SOUND: [&str; 4] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"ygg_send","arguments":{"to":"scout","type":"inform","topic_id":"new","title":"T","text":"é😀","body":{"n":1e400}}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ygg_tasks","arguments":{"action":"add","text":"t"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        4 => select(&WORDS[..]).prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        let named = prop::collection::vec((select(&NAMES[..]), inner.clone()), 0..6);
        prop_oneof![
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::from),
            3 => named.prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

fn frame() -> impl Strategy<Value = Vec<u8>> {
    let id = prop_oneof![
        4 => any::<i64>().prop_map(Value::from),
        2 => "[a-z]{0,4}".prop_map(Value::from),
        1 => value(),
    ];
    let call =
        (select(&METHODS[..]), value(), prop::option::weighted(0.8, id)).prop_map(|(method, params, id)| {
            let mut frame = json!({"jsonrpc": "2.0", "method": method, "params": params});
            if let Some(id) = id {
                frame["id"] = id;
            }
            frame.to_string().into_bytes()
        });
    let spoil = (any::<prop::sample::Index>(), any::<u8>(), 0usize..4);
    let spoiled = (select(&SOUND[..]), prop::collection::vec(spoil, 0..4)).prop_map(|(sound, spoils)| {
        let mut bytes = sound.as_bytes().to_vec();
        for (at, byte, how) in spoils {
            let at = at.index(bytes.len().max(1)).min(bytes.len());
            match how {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, byte),
                2 => drop(bytes.splice(at..(at + 1).min(bytes.len()), [byte])),
                _ => bytes.extend_from_within(at..),
            }
        }
        bytes
    });
    prop_oneof![
        6 => call,
        4 => spoiled,
        1 => value().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..60),
    ]
}

async fn check(app: Router, key: &str, body: Vec<u8>) {
    let asked: Option<Value> = serde_json::from_slice(&body).ok();
    let request = Request::post("/mcp")
        .header(AUTHORIZATION, format!("Bearer {key}"))
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .expect("a request");
    let response = app.oneshot(request).await.expect("an answer");
    let status = response.status();
    let answer = response.into_body().collect().await.expect("a whole body").to_bytes();
    assert!(!status.is_server_error(), "{status}: {}", String::from_utf8_lossy(&answer));
    if status == StatusCode::ACCEPTED {
        assert!(answer.is_empty(), "a notification has no answer");
        return;
    }
    if status != StatusCode::OK {
        assert!(!answer.is_empty(), "{status} says why");
        return;
    }
    let told: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(told["jsonrpc"], "2.0", "{told}");
    assert!(told.get("result").is_some() != told.get("error").is_some(), "{told}");
    let id = asked.as_ref().and_then(|asked| asked.get("id"));
    assert!(told["id"].is_null() || Some(&told["id"]) == id, "{told} answers {asked:?}");
}

#[test]
fn whatever_is_posted_is_answered() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let (world, key) = runtime.block_on(async {
        let world = World::start().await;
        let key = world.key(NewAgent { id: "scout".to_owned(), ..NewAgent::default() }).await;
        (world, key)
    });
    let app = ygg_mcp::router(world.engine.clone(), ygg_mcp::Config::default());
    let outcome = TestRunner::new(config).run(&frame(), |body| {
        runtime.block_on(check(app.clone(), &key, body));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let _inside = runtime.enter();
    drop(world);
}
