//! Event streams: resuming without gap or repeat, revoked keys, slow readers, heartbeats, how many there may be.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::net::TcpSocket;
use ygg_http::Config;

use crate::random::Random;
use crate::wire::Wire;
use crate::world::{Seen, Setting, World};

const WRITERS: usize = 8;
const EACH: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_comes_again_and_again_misses_nothing_and_sees_nothing_twice() {
    let world = Arc::new(World::new().await);
    let mut keys = Vec::new();
    for writer in 0..WRITERS {
        keys.push(world.agent(&format!("w{writer}")).await);
    }
    let live = world.events(&world.owner, "", None).await;
    let left = Arc::new(AtomicUsize::new(WRITERS));
    let mut writers = Vec::new();
    for key in keys {
        let (world, left) = (Arc::clone(&world), Arc::clone(&left));
        writers.push(tokio::spawn(async move {
            let draft = json!({"to": "@ana", "topic_id": "new", "title": "t", "text": "0"});
            let topic = world.send(&key, draft).await["topic_id"].clone();
            for text in 1..EACH {
                let draft = json!({"to": "@ana", "topic_id": topic, "text": text.to_string()});
                world.send(&key, draft).await;
            }
            left.fetch_sub(1, Ordering::SeqCst);
        }));
    }
    // Reads a few events, hangs up, comes again, for as long as there is something to come.
    let (mut random, seed) = Random::new();
    let (mut seen, mut posted) = (Vec::new(), 0);
    let mut last = 0;
    while posted < WRITERS * EACH {
        let mut events = world.events(&world.owner, "?after=0", Some(last)).await;
        for _ in 0..=random.below(60) {
            if posted == WRITERS * EACH {
                break;
            }
            let Seen { seq, kind, .. } = events.next().await.expect("the stream goes on");
            assert!(seq > last, "seed {seed}: {seq} after {last}");
            last = seq;
            posted += usize::from(kind == "conversation.message.posted");
            seen.push(seq);
        }
    }
    for writer in writers {
        writer.await.expect("a writer that ends well");
    }
    assert_eq!(left.load(Ordering::SeqCst), 0);
    let whole = up_to(world.events(&world.owner, "?after=0", None).await, last).await;
    assert_eq!(seen, whole, "seed {seed}");
    let lived = up_to(live, last).await;
    assert_eq!(lived[..], whole[whole.len() - lived.len()..]);
}

async fn up_to(mut events: crate::world::Events, last: i64) -> Vec<i64> {
    let mut seqs = Vec::new();
    while seqs.last().is_none_or(|seq| *seq < last) {
        seqs.push(events.next().await.expect("the stream goes on").seq);
    }
    seqs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_begins_where_it_is_told_to() {
    let world = World::new().await;
    world.agent("one").await;
    let mut new = world.events(&world.owner, "", None).await;
    world.agent("two").await;
    let first = new.next().await.expect("an event");
    assert_eq!(first.event["data"]["agent"]["id"], "two");
    assert_eq!(world.events(&world.owner, "?after=0", None).await.next().await.map(|seen| seen.seq), Some(1));
    let before = first.seq - 1;
    let query = format!("?after={before}");
    assert_eq!(
        world.events(&world.owner, &query, None).await.next().await.map(|seen| seen.seq),
        Some(first.seq)
    );
    // Where the reader was counts before where it began.
    let again = world.events(&world.owner, "?after=0", Some(before)).await.next().await;
    assert_eq!(again.map(|seen| seen.seq), Some(first.seq));
    // Ahead of the log, as after a restored backup: it goes on from the end.
    let mut ahead = world.events(&world.owner, "", Some(i64::MAX)).await;
    world.agent("three").await;
    assert_eq!(
        ahead.next().await.map(|seen| seen.event["data"]["agent"]["id"].clone()),
        Some(json!("three"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_key_ends_its_open_streams() {
    let world = World::new().await;
    world.agent("scout").await;
    let (made, kept) = (world.key("scout").await, world.key("scout").await);
    let mut ending = world.events(made["key"].as_str().expect("a key"), "", None).await;
    let mut going_on = world.events(kept["key"].as_str().expect("a key"), "", None).await;
    let id = made["id"].as_str().expect("an id");
    world.call(&world.owner, Method::DELETE, &format!("/keys/{id}"), None).await;
    let ended = async { while ending.next().await.is_some() {} };
    tokio::time::timeout(Duration::from_secs(2), ended).await.expect("an end within 2 s");
    world.send(&world.owner, json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x"})).await;
    going_on.posted().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_gets_everything_later_and_holds_nobody_up() {
    const MESSAGES: usize = 100;
    let world = World::new().await;
    world.agent("scout").await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let socket = socket.connect(world.address().parse().expect("an address")).await.expect("a connection");
    let mut slow = Wire::over(socket);
    slow.say(format!(
        "GET {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        world.path("/events"),
        world.owner
    ))
    .await;
    slow.until("retry: 1000").await;
    let mut quick = world.events(&world.owner, "", None).await;
    // Twenty megabytes: more than any buffer between the two takes.
    let long = "x".repeat(200_000);
    for message in 0..MESSAGES {
        let text = format!("<{message}>{long}");
        world.send(&world.owner, json!({"to": "scout", "topic_id": "new", "title": "t", "text": text})).await;
        let text = quick.posted().await.event["data"]["message"]["text"].as_str().expect("a text").to_owned();
        assert!(text.starts_with(&format!("<{message}>")));
    }
    slow.until(&format!("<{}>", MESSAGES - 1)).await;
    world.stop.send(true).expect("a server that listens");
    let told = slow.rest().await;
    let mut last = None;
    for (at, _) in told.match_indices("\"text\":\"<") {
        let rest = &told[at + 9..];
        let message: usize = rest[..rest.find('>').expect("an end")].parse().expect("a number");
        assert_eq!(message, last.map_or(0, |last: usize| last + 1));
        last = Some(message);
    }
    assert_eq!(last, Some(MESSAGES - 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_stream_beats() {
    let config = Config { heartbeat: Duration::from_millis(20), ..Setting::default().config };
    let world = World::with(Setting { config, ..Setting::default() }).await;
    let mut wire = Wire::to(&world).await;
    wire.say(format!(
        "GET {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        world.path("/events?after=1000"),
        world.owner
    ))
    .await;
    wire.until("retry: 1000\n\n").await;
    wire.until("3\r\n:\n\n\r\n3\r\n:\n\n").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_holds_so_many_streams_and_no_more() {
    let config = Config { streams_per_key: 3, ..Setting::default().config };
    let world = World::with(Setting { config, ..Setting::default() }).await;
    let scout = world.agent("scout").await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(world.events(&world.owner, "", None).await);
    }
    let (status, problem) = world.call(&world.owner, Method::GET, "/events", None).await;
    assert_eq!((status.as_u16(), &problem["reason"]), (429, &json!("rate_limited")));
    assert!(problem["retry_after"].is_u64());
    // Another key has its own.
    drop(world.events(&scout, "", None).await);
    // A place is free again once its stream is gone; the server learns of that by itself.
    drop(open.pop());
    let free = async {
        loop {
            let url = format!("{}{}", world.url, world.path("/events"));
            let answer = world.client.get(url).bearer_auth(&world.owner).send().await.expect("an answer");
            if answer.status() == 200 {
                break;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(crate::world::PATIENCE, free).await.expect("a free place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_streams_hold_nothing_of_the_store() {
    // More than it has connections for readers.
    const STREAMS: usize = 40;
    let config = Config { streams_per_key: STREAMS, ..Setting::default().config };
    let world = World::with(Setting { config, ..Setting::default() }).await;
    world.agent("scout").await;
    let mut open = Vec::new();
    for _ in 0..STREAMS {
        open.push(world.events(&world.owner, "", None).await);
    }
    for round in 0..3 {
        let draft = json!({"to": "scout", "topic_id": "new", "title": "t", "text": format!("round {round}")});
        world.send(&world.owner, draft).await;
        assert_eq!(
            world.get(&world.owner, "/topics").await["items"].as_array().map(Vec::len),
            Some(round + 1)
        );
        for stream in &mut open {
            let text = stream.posted().await.event["data"]["message"]["text"].clone();
            assert_eq!(text, format!("round {round}"));
        }
    }
}
