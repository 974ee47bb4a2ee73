//! What one caller can hold, and what is told when the store stands still [O9].

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use ygg_http::Config;

use crate::gated::Gate;
use crate::world::{PATIENCE, Setting, World};

const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_participant_has_so_many_reads_under_way_and_no_more() {
    let gate = Arc::new(Gate::default());
    let world = Arc::new(World::with(Setting { gate: Some(Arc::clone(&gate)), ..Setting::default() }).await);
    let scout = world.agent("scout").await;
    let second = world.key("scout").await["key"].as_str().expect("a key").to_owned();
    gate.hold_reads(true);
    let ask = |key: &str| {
        let (world, key) = (Arc::clone(&world), key.to_owned());
        tokio::spawn(async move { world.call(&key, Method::GET, "/topics", None).await })
    };
    let held: Vec<_> = (0..AT_ONCE).map(|_| ask(&scout)).collect();
    standing(&gate, AT_ONCE).await;
    // By whichever of its keys: two seconds later it is told to come again.
    for key in [&scout, &second] {
        let (status, problem) = ask(key).await.expect("an answer");
        assert_eq!((status.as_u16(), &problem["reason"]), (429, &json!("rate_limited")));
        assert_eq!(problem["retry_after"], 1);
    }
    assert_eq!(gate.standing(), AT_ONCE);
    let other = ask(&world.owner);
    standing(&gate, AT_ONCE + 1).await;
    gate.hold_reads(false);
    for answered in join_all(held.into_iter().chain([other])).await {
        assert_eq!(answered.expect("an answer").0, 200);
    }
    assert_eq!(world.call(&scout, Method::GET, "/topics", None).await.0, 200);
}

async fn standing(gate: &Gate, reads: usize) {
    let come = async {
        while gate.standing() < reads {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, come).await.expect("the reads come");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_writer_stands_still_runs_and_is_not_ready() {
    let gate = Arc::new(Gate::default());
    let world = World::with(Setting { gate: Some(Arc::clone(&gate)), ..Setting::default() }).await;
    let status = async |path: &str| {
        let answer = world.client.get(format!("{}{path}", world.url)).send().await.expect("an answer");
        answer.status().as_u16()
    };
    assert_eq!(status("/readyz").await, 200);
    gate.holds_writes.store(true, Ordering::SeqCst);
    assert_eq!((status("/readyz").await, status("/healthz").await), (503, 200));
    // What a look at the figures needs is no writer.
    assert_eq!(status("/metrics").await, 200);
    gate.holds_writes.store(false, Ordering::SeqCst);
    assert_eq!(status("/readyz").await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_took_too_long_is_not_said_to_be_undone() {
    let gate = Arc::new(Gate::default());
    let config = Config { request_timeout: Duration::from_secs(1), ..Setting::default().config };
    let world = World::with(Setting { gate: Some(Arc::clone(&gate)), config, ..Setting::default() }).await;
    let scout = world.agent("scout").await;
    let draft = |key: &str| {
        json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x",
               "idempotency_key": key})
    };
    let before = world.send(&world.owner, draft("before")).await;
    // The first use of a key is noted, which is a write of its own.
    world.get(&scout, "/me").await;
    let settle = || world.post(&world.owner, "/credits/grants", json!({"to": "pool", "credits": 1}));
    settle().await;
    for (key, path, body) in [
        (&world.owner, world.path("/messages"), draft("late")),
        (&scout, world.path("/inbox"), json!({})),
        (&scout, "/mcp/hangs".to_owned(), json!({})),
    ] {
        gate.hold_commits(true);
        let request = world.client.post(format!("{}{path}", world.url)).bearer_auth(key).json(&body);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 503, "{path}");
        let problem: Value = answer.json().await.expect("JSON");
        let help = problem["help"].as_str().expect("a sentence");
        assert!(help.contains("may have been done"), "{path}: {help}");
        assert!(help.contains("idempotency_key") && help.contains("again: true"), "{path}: {help}");
        assert!(!help.contains("same request again"), "{path}: {help}");
        gate.hold_commits(false);
        // Whatever was held is through when a later write is.
        settle().await;
    }
    // What it says is so: both were done, and are there for those who ask as they were told.
    let receipt = world.send(&world.owner, draft("late")).await;
    assert_eq!(receipt["duplicate"], true, "{receipt}");
    let read = world.post(&scout, "/inbox", json!({"again": true})).await;
    assert_eq!(read["wakes"][0]["message_id"], before["message_id"], "{read}");
    gate.hold_reads(true);
    let look = world.client.get(format!("{}{}", world.url, world.path("/topics"))).bearer_auth(&world.owner);
    let problem: Value = look.send().await.expect("an answer").json().await.expect("JSON");
    gate.hold_reads(false);
    assert_eq!(problem["help"], "This took too long; send the same request again.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_without_a_place_in_the_store_is_told_to_come_again() {
    let gate = Arc::new(Gate::default());
    let world = World::with(Setting { gate: Some(Arc::clone(&gate)), ..Setting::default() }).await;
    let scout = world.agent("scout").await;
    let topic = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x"});
    let topic = world.send(&world.owner, topic).await["topic_id"].as_str().expect("an id").to_owned();
    gate.is_full.store(true, Ordering::SeqCst);
    for (key, method, path) in [
        (&world.owner, Method::GET, "/topics".to_owned()),
        (&world.owner, Method::GET, format!("/topics/{topic}/messages")),
        (&world.owner, Method::GET, "/events".to_owned()),
        (&scout, Method::GET, "/me".to_owned()),
        (&scout, Method::GET, "/tasks".to_owned()),
    ] {
        let request = world.client.request(method, format!("{}{}", world.url, world.path(&path)));
        let answer = request.bearer_auth(key).send().await.expect("an answer");
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["retry-after"]),
            (503, &"1".parse().expect("plain")),
            "{path}"
        );
        let problem: Value = answer.json().await.expect("JSON");
        assert_eq!(
            (&problem["reason"], &problem["retry_after"]),
            (&json!("unavailable"), &json!(1)),
            "{path}"
        );
    }
    gate.is_full.store(false, Ordering::SeqCst);
    world.get(&world.owner, "/topics").await;
}
