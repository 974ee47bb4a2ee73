//! The server's figures: what they count, who may see them, and that they name nobody.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::json;
use ygg_http::Config;

use crate::wire::Wire;
use crate::world::{Setting, World};

/// Figures by name and labels, as Prometheus writes them.
async fn figures(world: &World) -> BTreeMap<String, f64> {
    let answer = world.client.get(format!("{}/metrics", world.url)).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4");
    let text = answer.text().await.expect("a whole answer");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let (name, value) = line.rsplit_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    lines.map(|line| read(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_count_what_happens_and_name_nobody() {
    let world = World::with(Setting { slug: "counted", ..Setting::default() }).await;
    let scout = world.agent("scout").await;
    let draft = |to: &str| json!({"to": to, "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    world.send(&world.owner, draft("scout")).await;
    let keyed = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x", "idempotency_key": "1"});
    world.send(&world.owner, keyed.clone()).await;
    world.send(&world.owner, keyed).await;
    let (status, _) = world.call(&world.owner, Method::POST, "/messages", Some(draft("nobody"))).await;
    assert_eq!(status, 422);
    assert_eq!(world.call("x", Method::GET, "/me", None).await.0, 401);
    for path in ["/a", "/b"] {
        world.client.get(format!("{}{path}", world.url)).send().await.expect("an answer");
    }
    let before = figures(&world).await;
    world.post(&scout, "/inbox", json!({})).await;
    let stream = world.events(&scout, "", None).await;
    let after = figures(&world).await;
    for (name, count) in [
        (r#"ygg_sends_total{outcome="delivered",reason=""}"#, 2.0),
        (r#"ygg_sends_total{outcome="delivered",reason="duplicate"}"#, 1.0),
        (r#"ygg_sends_total{outcome="refused",reason="unknown_recipient"}"#, 1.0),
        (r#"ygg_http_requests_total{method="GET",route="none",status="404"}"#, 2.0),
        (r#"ygg_http_requests_total{method="POST",route="/v1/w/{workspace}/messages",status="422"}"#, 1.0),
        (r#"ygg_http_request_seconds_count{route="/v1/w/{workspace}/messages"}"#, 4.0),
        ("ygg_sign_ins_refused_total", 1.0),
        ("ygg_writes_waiting", 0.0),
        ("ygg_stream_lag_events", 0.0),
        (&format!("ygg_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION")), 1.0),
    ] {
        assert_eq!(before.get(name), Some(&count), "{name}: {before:#?}");
    }
    // A turn serves one topic: the wake of the other goes on waiting.
    for (name, first, second) in
        [("ygg_wakes_pending", 2.0, 1.0), ("ygg_turns_total", 0.0, 1.0), ("ygg_streams_open", 0.0, 1.0)]
    {
        assert_eq!((before[name], after[name]), (first, second), "{name}");
    }
    for name in [
        "ygg_commit_seconds_count",
        "ygg_commit_writes_count",
        "ygg_write_seconds_count",
        "ygg_store_bytes",
        "ygg_store_wal_bytes",
        "process_start_time_seconds",
    ] {
        assert!(before[name] > 0.0, "{name}");
    }
    for name in ["ygg_wakes_oldest_seconds", "ygg_readers_busy", "ygg_readers_waited_total"] {
        assert!(before.contains_key(name), "{name}");
    }
    let named = ["counted", "scout", "ana", "top_", "msg_", "key_", "ygga_", "yggp_"];
    let names: String = after.keys().map(|name| format!("{name}\n")).collect();
    assert!(named.iter().all(|word| !names.contains(word)), "{names}");
    drop(stream);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_are_for_this_machine_or_for_a_key() {
    let public = || Some("https://ygg.example.com".to_owned());
    let proxy = || vec!["127.0.0.1".parse().expect("an address")];
    let (from_here, from_outside) = ("X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-For: 203.0.113.7\r\n");
    for (public_url, trusted_proxies, forwarded, local) in [
        (None, Vec::new(), "", true),
        // Somebody stands between, and may be passing on anybody.
        (None, Vec::new(), from_here, false),
        (public(), Vec::new(), "", false),
        (public(), Vec::new(), from_here, false),
        (public(), proxy(), "", false),
        (public(), proxy(), from_outside, false),
        (public(), proxy(), "X-Forwarded-For: 127.0.0.1, 203.0.113.7\r\n", false),
        (public(), proxy(), from_here, true),
    ] {
        let told = format!("{public_url:?} {trusted_proxies:?} {forwarded}");
        let config = Config { public_url, trusted_proxies, ..Setting::default().config };
        let world = World::with(Setting { config, ..Setting::default() }).await;
        let scout = world.agent("scout").await;
        assert_eq!(status(&world, forwarded, None).await, if local { 200 } else { 401 }, "{told}");
        assert_eq!(status(&world, forwarded, Some(&world.server_key)).await, 200, "{told}");
        // A workspace is not to learn how busy the others are.
        for key in [&world.owner, &scout] {
            let other = if local { 200 } else { 401 };
            assert_eq!(status(&world, forwarded, Some(key)).await, other, "{told}");
        }
    }
}

async fn status(world: &World, headers: &str, key: Option<&str>) -> u16 {
    let key = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
    let mut wire = Wire::to(world).await;
    wire.say(format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\n{headers}{key}\r\n")).await;
    wire.hear().await.expect("an answer").status
}
