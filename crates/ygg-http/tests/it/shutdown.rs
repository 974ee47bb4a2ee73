//! Stopping: open streams end with a hint to come again, and no client can keep the server up [O6].

use std::time::Duration;

use serde_json::json;
use tokio::net::TcpSocket;

use crate::wire::Wire;
use crate::world::World;

/// What connections are given to finish is half of it.
const SECONDS: Duration = Duration::from_secs(10);

fn stream(world: &World, query: &str) -> String {
    format!(
        "GET {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        world.path(&format!("/events{query}")),
        world.owner
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_open_streams_stops_in_seconds() {
    let world = World::new().await;
    let mut streams = Vec::new();
    for query in ["", "?after=0", "?after=3"] {
        let mut wire = Wire::to(&world).await;
        wire.say(stream(&world, query)).await;
        wire.until("retry: 1000\n\n").await;
        streams.push(wire);
    }
    // One that was used, one that never said a word.
    let mut idle = Wire::to(&world).await;
    idle.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!(idle.hear().await.expect("an answer").status, 200);
    let _silent = Wire::to(&world).await;

    world.stop.send(true).expect("a server that listens");
    tokio::time::timeout(SECONDS, world.server).await.expect("an end in seconds").expect("a good end");
    for mut wire in streams {
        let told = wire.rest().await;
        assert_eq!(told.matches("retry: 1000\n\n").count(), 2, "{told}");
        assert!(told.trim_end().ends_with("retry: 1000\n\n\r\n0"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_never_reads_cannot_keep_the_server_up() {
    let world = World::new().await;
    world.agent("scout").await;
    let long = "x".repeat(250_000);
    for _ in 0..60 {
        world.send(&world.owner, json!({"to": "scout", "topic_id": "new", "title": "t", "text": long})).await;
    }
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let socket = socket.connect(world.address().parse().expect("an address")).await.expect("a connection");
    let mut stalled = Wire::over(socket);
    stalled.say(stream(&world, "?after=0")).await;
    stalled.until("retry: 1000").await;
    world.stop.send(true).expect("a server that listens");
    tokio::time::timeout(SECONDS, world.server).await.expect("an end in seconds").expect("a good end");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_under_way_is_finished() {
    let world = World::new().await;
    world.agent("scout").await;
    let body = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x"}).to_string();
    let mut wire = Wire::to(&world).await;
    wire.say(format!(
        "POST {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        world.path("/messages"),
        world.owner,
        body.len()
    ))
    .await;
    // Once the server asks for the body, the request is under way.
    assert_eq!(wire.hear().await.expect("leave to go on").status, 100);
    world.stop.send(true).expect("a server that listens");
    wire.say(body).await;
    assert_eq!(wire.hear().await.expect("an answer").status, 201);
    tokio::time::timeout(SECONDS, world.server).await.expect("an end in seconds").expect("a good end");
}
