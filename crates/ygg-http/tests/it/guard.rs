//! What stands before every route: limits of requests, panics, time, request ids, the MCP routes included.

use std::num::NonZeroU32;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request};
use axum::response::Response;
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};
use tower::ServiceExt;
use ygg_engine::RateLimit;
use ygg_http::Config;

use crate::wire::{Answer, Wire};
use crate::world::{Setting, World};

async fn ask(world: &World, head: &str) -> Answer {
    let mut wire = Wire::to(world).await;
    wire.say(format!("{head}\r\nHost: localhost\r\n\r\n")).await;
    wire.hear().await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_a_fault_of_ours_with_an_id_and_nothing_else_breaks() {
    let world = World::new().await;
    let mut wire = Wire::to(&world).await;
    for _ in 0..3 {
        wire.say("GET /mcp/panics HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: find-me-1\r\n\r\n").await;
        let answer = wire.hear().await.expect("an answer");
        let problem = answer.problem();
        assert_eq!((answer.status, &problem["reason"]), (500, &json!("internal")));
        assert_eq!(problem["request_id"], "find-me-1");
        assert_eq!(answer.headers["x-request-id"], "find-me-1");
        assert!(!answer.body.contains("on purpose"));
    }
    assert_eq!(ask(&world, "GET /readyz HTTP/1.1").await.status, 200);
}

/// Through the router, with a clock that jumps: nothing here waits for a network or for the writer.
#[tokio::test(start_paused = true)]
async fn what_does_not_come_in_time_is_given_up_but_streams_last() {
    let world = World::new().await;
    let ask = async |method: &str, path: &str, body: Body| {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {}", world.owner));
        world.app.clone().oneshot(request.body(body).expect("a request")).await.expect("an answer")
    };
    let problem = async |answer: Response| {
        let body = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
        serde_json::from_slice::<Value>(&body).expect("JSON")
    };
    let hanging = ask("GET", "/mcp/hangs", Body::empty()).await;
    assert_eq!((hanging.status().as_u16(), &hanging.headers()["retry-after"]), (503, &HeaderValue::from(1)));
    assert_eq!(problem(hanging).await["reason"], "unavailable");
    for path in [world.path("/messages"), "/mcp".to_owned()] {
        let first = stream::iter([Ok::<_, std::io::Error>("{")]);
        let late = ask("POST", &path, Body::from_stream(first.chain(stream::pending()))).await;
        let status = late.status().as_u16();
        assert_eq!((status, &problem(late).await["reason"]), (400, &json!("invalid_request")), "{path}");
    }
    let lasting = ask("GET", &world.path("/events?after=1000"), Body::empty()).await;
    let mut frames = lasting.into_body().into_data_stream();
    assert_eq!(frames.next().await.expect("a hint").expect("a frame"), "retry: 1000\n\n");
    let opened = frames.next().await.expect("where it begins").expect("a frame");
    assert!(opened.starts_with(b"id: ") && opened.ends_with(b"\n\n"), "{opened:?}");
    for _ in 0..20 {
        tokio::time::advance(Duration::from_secs(15)).await;
        assert_eq!(frames.next().await.expect("a beat").expect("a frame"), ":\n\n");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_ids_are_given_and_harmless_ones_are_kept() {
    let world = World::new().await;
    let given = ask(&world, "GET /healthz HTTP/1.1").await.headers["x-request-id"].clone();
    assert_eq!(given.len(), 16);
    for (sent, kept) in
        [("abc-123", true), ("", false), ("a b", false), ("a_b", false), (&"x".repeat(65), false)]
    {
        let answer = ask(&world, &format!("GET /healthz HTTP/1.1\r\nX-Request-Id: {sent}")).await;
        assert_eq!(answer.headers["x-request-id"] == sent, kept, "{sent}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    }
    // Whatever goes wrong: the answer names its line in the log.
    for request in [
        format!("GET {}", world.path("/me")),
        format!("PATCH {}", world.path("/me")),
        "GET /nowhere".to_owned(),
        "GET /mcp/panics".to_owned(),
    ] {
        let answer = ask(&world, &format!("{request} HTTP/1.1\r\nX-Request-Id: mine-7")).await;
        assert_eq!(answer.headers["x-request-id"], "mine-7");
        assert_eq!(answer.problem()["request_id"], "mine-7", "{request}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_keys_behind_a_trusted_proxy_are_counted_by_client() {
    let wrong = |world: &World, client: &str| {
        let path = world.path("/me");
        format!("GET {path} HTTP/1.1\r\nAuthorization: Bearer x\r\nX-Forwarded-For: 127.0.0.1, {client}")
    };
    for (trusted, third) in [(vec!["127.0.0.1".parse().expect("an address")], 401), (Vec::new(), 429)] {
        let few = NonZeroU32::new(2).expect("not zero");
        let config =
            Config { failed_sign_ins_per_minute: few, trusted_proxies: trusted, ..Config::default() };
        let world = World::with(Setting { config, ..Setting::default() }).await;
        for _ in 0..2 {
            assert_eq!(ask(&world, &wrong(&world, "203.0.113.7")).await.status, 401);
        }
        assert_eq!(ask(&world, &wrong(&world, "203.0.113.7")).await.status, 429);
        assert_eq!(ask(&world, &wrong(&world, "203.0.113.8")).await.status, third);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_keys_are_slowed_down_and_right_ones_are_not() {
    let few = NonZeroU32::new(5).expect("not zero");
    let config = Config { failed_sign_ins_per_minute: few, ..Config::default() };
    let world = World::with(Setting { config, ..Setting::default() }).await;
    let wrong = format!("ygga_{}", "a".repeat(52));
    // The MCP routes count too.
    assert_eq!(ask(&world, "GET /mcp/refuses HTTP/1.1").await.status, 401);
    for _ in 0..4 {
        let (status, problem) = world.call(&wrong, Method::GET, "/me", None).await;
        assert_eq!((status.as_u16(), &problem["reason"]), (401, &json!("unauthenticated")));
    }
    for path in [world.path("/me"), world.path("/events"), "/mcp/refuses".to_owned()] {
        let answer = ask(&world, &format!("GET {path} HTTP/1.1\r\nAuthorization: Bearer {wrong}")).await;
        let problem = answer.problem();
        assert_eq!((answer.status, &problem["reason"]), (429, &json!("rate_limited")), "{path}");
        assert_eq!(problem["facts"], json!({}));
        assert_eq!(answer.headers["retry-after"], problem["retry_after"].to_string());
    }
    assert_eq!(world.get(&world.owner, "/me").await["kind"], "person");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_asks_too_often_is_told_to_wait() {
    let one = NonZeroU32::MIN;
    let burst = NonZeroU32::new(8).expect("not zero");
    let world =
        World::with(Setting { rate: RateLimit::PerKey { per_second: one, burst }, ..Setting::default() })
            .await;
    let paths = ["/me", "/topics", "/keys", "/events", "/credits"];
    let mut refused: Option<(u16, Value)> = None;
    for turn in 0..20 {
        let head =
            format!("GET {} HTTP/1.1\r\nAuthorization: Bearer {}", world.path(paths[turn % 3]), world.owner);
        let answer = ask(&world, &head).await;
        if answer.status != 200 {
            assert!(turn >= 8, "{turn}: {answer:?}");
            assert_eq!(answer.headers["retry-after"], answer.problem()["retry_after"].to_string());
            refused = Some((answer.status, answer.problem()));
        }
    }
    assert_eq!(
        refused.map(|(status, problem)| (status, problem["reason"].clone())),
        Some((429, json!("rate_limited")))
    );
    for path in paths {
        let (status, problem) = world.call(&world.owner, Method::GET, path, None).await;
        assert_eq!((status.as_u16(), &problem["reason"]), (429, &json!("rate_limited")), "{path}");
    }
    // A send is refused by the engine: with a receipt.
    let draft = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x"});
    let (status, problem) = world.call(&world.owner, Method::POST, "/messages", Some(draft)).await;
    assert_eq!((status.as_u16(), &problem["reason"]), (429, &json!("rate_limited")));
    assert_eq!(problem["receipt"]["outcome"], "refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_public_name_is_answered_where_it_is_set() {
    let config =
        Config { public_url: Some("https://ygg.example.com".to_owned()), ..Setting::default().config };
    let world = World::with(Setting { config, ..Setting::default() }).await;
    let mut wire = Wire::to(&world).await;
    for (host, origin, status) in [
        ("ygg.example.com", "https://ygg.example.com", 200),
        ("localhost:1234", "http://localhost:1234", 200),
        ("ygg.example.com", "https://evil.example", 403),
        ("evil.example", "https://ygg.example.com", 403),
    ] {
        wire.say(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\r\n")).await;
        let answer = wire.hear().await.expect("an answer");
        assert_eq!(answer.status, status, "{host} {origin}");
        if status == 403 {
            let problem = answer.problem();
            assert_eq!(problem["facts"]["setting"], "--public-url");
            assert!(problem["help"].as_str().expect("a sentence").contains("--public-url"));
        }
    }
    let bad = Config { public_url: Some("ftp://x".to_owned()), ..Config::default() };
    assert!(bad.check().is_err_and(|told| told.contains("--public-url")));
}
