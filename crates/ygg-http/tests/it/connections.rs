//! Connections that are misused: no HTTP, bodies beyond all measure, bodies that break off. The others go on.

use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::wire::{Answer, Wire};
use crate::world::World;

/// What is no HTTP is answered by the server's HTTP library, without a body, and that connection ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_http_ends_its_connection_alone() {
    let world = World::new().await;
    let path = "/x".repeat(40_000);
    let many: String = (0..200).map(|one| format!("X-{one}: {one}\r\n")).collect();
    let garbage: Vec<Vec<u8>> = vec![
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"\0\0\0\0\r\n\r\n".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nHost: local\0host\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n".to_vec(),
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n".to_vec(),
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(1_000_000)).into_bytes(),
    ];
    for bytes in garbage {
        let mut wire = Wire::to(&world).await;
        // The server may have hung up before everything is said.
        let _ = wire.writing.write_all(&bytes).await;
        let _ = wire.writing.shutdown().await;
        if let Some(answer) = wire.hear().await {
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
            assert!((400..500).contains(&answer.status), "{shown}: {answer:?}");
        }
        assert_alive(&world).await;
    }
}

/// A hundred megabytes, announced and not: the answer comes, and it is the right one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_too_large_is_answered_and_not_kept() {
    let world = World::new().await;
    let messages = world.path("/messages");
    let key = &world.owner;
    let targets = [
        (messages.as_str(), format!("Authorization: Bearer {key}\r\n"), 413, "too_large"),
        ("/mcp", String::new(), 413, "too_large"),
        // Nobody reads these bodies; the answers come all the same.
        (messages.as_str(), String::new(), 401, "unauthenticated"),
        ("/nothing", String::new(), 404, "not_found"),
        ("/healthz", String::new(), 405, "method_not_allowed"),
    ];
    for (path, held, status, reason) in targets {
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{held}");
        for chunked in [false, true] {
            let answer = upload(&world, &head, chunked).await;
            let problem = answer.problem();
            if chunked {
                assert_eq!(
                    (answer.status, &problem["reason"]),
                    (status, &json!(reason)),
                    "{path}: {answer:?}"
                );
            } else {
                // Announced, it is refused before anything is looked at.
                assert_eq!(
                    (answer.status, &problem["reason"]),
                    (413, &json!("too_large")),
                    "{path}: {answer:?}"
                );
                assert_eq!(
                    problem["facts"],
                    json!({"what": "request body", "size": 104_857_600, "limit": 1_048_576, "unit": "bytes"})
                );
            }
        }
    }
    assert_alive(&world).await;
}

/// Sends 100 MiB and hears the answer; the same connection then goes on.
async fn upload(world: &World, head: &str, chunked: bool) -> Answer {
    const CHUNK: usize = 64 * 1024;
    const CHUNKS: usize = 1600;
    let mut wire = Wire::to(world).await;
    if chunked {
        wire.say(format!("{head}Transfer-Encoding: chunked\r\n\r\n")).await;
    } else {
        wire.say(format!("{head}Content-Length: {}\r\n\r\n", CHUNK * CHUNKS)).await;
    }
    for _ in 0..CHUNKS {
        if chunked {
            wire.say(format!("{CHUNK:x}\r\n")).await;
        }
        wire.say([b' '; CHUNK]).await;
        if chunked {
            wire.say("\r\n").await;
        }
    }
    if chunked {
        wire.say("0\r\n\r\n").await;
    }
    let answer = wire.hear().await.expect("an answer");
    wire.say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert_eq!(wire.hear().await.expect("a connection that goes on").status, 200);
    answer
}

/// A client that asks for leave first is told no without sending.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_asks_first_need_not_send() {
    let world = World::new().await;
    let mut wire = Wire::to(&world).await;
    wire.say(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 104857600\r\n\r\n",
    )
    .await;
    let answer = wire.hear().await.expect("an answer");
    assert_eq!(answer.problem()["reason"], "too_large");
}

/// A body that breaks off is its sender's trouble.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_breaks_off_does_no_harm() {
    let world = World::new().await;
    for head in ["Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"] {
        let mut wire = Wire::to(&world).await;
        let (path, key) = (world.path("/messages"), &world.owner);
        wire.say(format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n{head}"))
            .await;
        wire.writing.shutdown().await.expect("a connection to half close");
        if let Some(answer) = wire.hear().await {
            assert_eq!(answer.problem()["reason"], "invalid_request");
        }
    }
    assert_alive(&world).await;
}

async fn assert_alive(world: &World) {
    let answer = world.client.get(format!("{}/healthz", world.url)).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
}
