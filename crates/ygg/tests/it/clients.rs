//! MCP clients that die, dawdle or never read, and servers that die under their clients: nothing is lost,
//! nothing is done twice, and nobody else waits.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::{Value, json};

use crate::proxy::Proxy;
use crate::world::{Port, Server, World, answer, kept, request};

const AGENTS: [&str; 4] = ["--agent", "scout", "--agent", "builder"];

/// A call of a tool as it goes over the wire.
fn call(id: u64, tool: &str, arguments: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        .to_string()
}

fn send(id: u64, key: &str) -> String {
    let draft = json!({
        "to": ["builder"], "type": "request", "topic_id": "new", "title": key, "text": format!("Is {key} there once?"),
        "idempotency_key": key,
    });
    call(id, "ygg_send", draft)
}

/// One agent over HTTP, a connection for each call.
struct Agent<'a> {
    server: &'a Server,
    bearer: String,
}

impl<'a> Agent<'a> {
    fn of(world: &World, server: &'a Server, id: &str) -> Self {
        Self { server, bearer: format!("Bearer {}", kept(&world.profile(id), "key")) }
    }

    /// Sent, and not yet read.
    fn begin(&self, body: &str, connection: &str) -> TcpStream {
        let headers = [
            ("Authorization", self.bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Connection", connection),
        ];
        request(self.server.url(), "POST", "/mcp", &headers, body)
    }

    fn call(&self, body: &str) -> Value {
        let told: Value = serde_json::from_str(&answer(self.begin(body, "close"))).expect("JSON");
        told["result"]["structuredContent"].clone()
    }

    /// The topics of all that waits, each as often as there is a wake in it.
    fn waiting(&self) -> Vec<String> {
        let mut topics = Vec::new();
        loop {
            let inbox = self.call(&call(1, "ygg_inbox", json!({})));
            let wakes = inbox["wakes"].as_array().expect("a list");
            if wakes.is_empty() {
                return topics;
            }
            topics.extend(wakes.iter().map(|wake| wake["topic_id"].as_str().expect("a topic").to_owned()));
        }
    }
}

#[test]
fn what_a_client_did_not_hear_of_is_done_once_or_not_at_all() {
    const CALLS: u64 = 20;
    let world = World::new();
    let server = world.up(&AGENTS);
    let scout = Agent::of(&world, &server, "scout");
    let topic = scout.call(&send(0, "first"))["topic_id"].clone();
    for id in 1..=CALLS {
        let draft = json!({
            "to": ["builder"], "type": "inform", "topic_id": topic, "text": format!("Part {id}."),
            "idempotency_key": format!("part-{id}"),
        });
        let body = call(id, "ygg_send", draft);
        let socket = scout.begin(&body, "keep-alive");
        // Half of them hang up, half only say that they are done writing.
        if id % 2 == 0 {
            drop(socket);
        } else {
            socket.shutdown(Shutdown::Write).expect("a socket");
        }
        let receipt = scout.call(&body);
        assert_eq!(receipt["outcome"], "delivered", "{receipt}");
        let again = scout.call(&body);
        assert_eq!((&again["duplicate"], &again["message_id"]), (&json!(true), &receipt["message_id"]));
    }
    let back = scout.call(&call(99, "ygg_conversation", json!({"topic_id": topic})));
    let text = back["text"].as_str().expect("a text");
    for id in 1..=CALLS {
        assert_eq!(text.matches(&format!("Part {id}.")).count(), 1, "{text}");
    }
    server.stop();
}

#[test]
#[cfg(target_os = "linux")]
fn clients_that_never_read_or_never_finish_hold_nobody_up() {
    const SILENT: usize = 100;
    const MOST_BYTES: usize = 64 * 1024 * 1024;
    let world = World::new();
    let server = world.up(&AGENTS);
    let scout = Agent::of(&world, &server, "scout");
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    scout.call(list);
    let (memory, threads) = (server.status("VmRSS"), server.status("Threads"));

    // Heads without bodies, and halves of bodies.
    let host = server.url().trim_start_matches("http://");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        scout.bearer,
        list.len()
    );
    let silent: Vec<TcpStream> = (0..SILENT)
        .map(|at| {
            let mut socket = TcpStream::connect(host).expect("it listens");
            let body = if at % 2 == 0 { "" } else { &list[..list.len() / 2] };
            socket.write_all(format!("{head}{body}").as_bytes()).expect("it takes a request");
            socket
        })
        .collect();
    // One that asks and asks and never reads: the server stops taking long before it holds all the answers.
    let mut greedy = TcpStream::connect(host).expect("it listens");
    greedy.set_write_timeout(Some(std::time::Duration::from_secs(2))).expect("a socket");
    let asked = format!("{head}{list}");
    let mut taken = 0;
    let stopped = loop {
        match greedy.write(asked.as_bytes()) {
            Ok(bytes) => taken += bytes,
            Err(error) => break error,
        }
        assert!(taken < MOST_BYTES, "it takes without end");
    };
    assert!(matches!(stopped.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{stopped}");

    for id in 0..50 {
        assert_eq!(scout.call(&call(id, "ygg_me", json!({})))["id"], "scout");
    }
    let (memory_after, threads_after) = (server.status("VmRSS"), server.status("Threads"));
    assert!(memory_after < memory + 64 * 1024, "{memory} kB became {memory_after} kB");
    assert!(threads_after < threads + 16, "{threads} threads became {threads_after}");

    // A slow one gets all of its answer, byte by byte.
    let mut slow = scout.begin(list, "close");
    let mut told = Vec::new();
    let mut byte = [0];
    while slow.read(&mut byte).expect("it goes on") == 1 {
        told.push(byte[0]);
    }
    assert!(told.ends_with(b"}") && told.len() > 10_000, "{}", told.len());
    drop((silent, greedy));
    server.stop();
}

#[test]
fn a_send_across_a_killed_server_arrives_once() {
    const ROUNDS: u64 = 3;
    let (world, port) = (World::new(), Port::reserve());
    let mut server = world.up_at(&port.1, &AGENTS);
    let mut proxy = Proxy::start(&world, "scout");
    for round in 0..ROUNDS {
        let body = send(round, &format!("round-{round}"));
        proxy.write(body.as_bytes());
        server.signal("KILL");
        server.wait();
        server = world.up_at(&port.1, &AGENTS);
        // It was done, or it is told that this is not known; then the same key finds out.
        let told = proxy.out.json();
        assert_eq!(told["id"], round, "{told}");
        if let Some(message) = told["error"]["message"].as_str() {
            assert!(message.contains("may have been done") || message.contains("Nothing was sent"), "{told}");
        }
        proxy.write(body.as_bytes());
        let receipt = proxy.out.json();
        assert_eq!(receipt["result"]["structuredContent"]["outcome"], "delivered", "{receipt}");
        if told["result"].is_object() {
            assert_eq!(receipt["result"]["structuredContent"]["duplicate"], true, "{receipt}");
        }
    }
    let waiting = Agent::of(&world, &server, "builder").waiting();
    assert_eq!(u64::try_from(waiting.len()).expect("few"), ROUNDS, "{waiting:?}");
    proxy.end();
    server.stop();
}
