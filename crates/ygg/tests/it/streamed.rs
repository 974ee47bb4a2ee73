//! One open stream of a real server: each thing that happens is on it once, whichever way it was done.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::world::{DEADLINE, Server, World, answer, kept, request};

/// Events up to the one that adds the agent `last`, without the one that says where the stream begins.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(server: &Server, key: &str) -> Self {
        let bearer = format!("Bearer {key}");
        let headers = [("Authorization", bearer.as_str())];
        let mut stream =
            Self(BufReader::new(request(server.url(), "GET", "/v1/w/main/events", &headers, "")));
        assert_eq!(stream.next()["kind"], "stream.opened");
        stream
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.0.read_line(&mut line).expect("it goes on") > 0, "the stream ended");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).expect("JSON");
            }
        }
    }

    fn up_to_last(&mut self) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            let event = self.next();
            if event["data"]["agent"]["id"] == "last" {
                return all;
            }
            all.push(event);
        }
    }
}

fn post(server: &Server, key: &str, method: &str, path: &str, body: &Value) -> Value {
    let bearer = format!("Bearer {key}");
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Connection", "close"),
    ];
    let told = answer(request(server.url(), method, path, &headers, &body.to_string()));
    serde_json::from_str(&told).unwrap_or_else(|_| panic!("{path}: {told}"))
}

#[test]
fn a_stream_shows_each_thing_once_whichever_way_it_was_done() {
    let world = World::new();
    let server = world.up(&["--agent", "codex", "--agent", "reviewer"]);
    let (owner, codex) = (kept(&world.owner_file(), "key"), kept(&world.profile("codex"), "key"));
    let mut stream = Stream::open(&server, &owner);

    let draft = json!({"to": "codex", "type": "request", "topic_id": "new", "title": "t", "text": "by REST"});
    let by_rest = post(&server, &owner, "POST", "/v1/w/main/messages", &draft);
    let topic = by_rest["topic_id"].as_str().expect("an id");
    let tool = |arguments: Value| {
        let params = json!({"name": "ygg_send", "arguments": arguments});
        let frame = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let told = post(&server, &codex, "POST", "/mcp", &frame);
        assert_ne!(told["result"]["isError"], true, "{told}");
        told["result"]["structuredContent"].clone()
    };
    let draft =
        json!({"to": "reviewer", "type": "request", "topic_id": "new", "title": "t", "text": "by MCP"});
    let by_mcp = tool(draft);
    let send =
        ["send", "--to", "codex", "--type", "inform", "--topic", topic, "--text", "by the command line"];
    let by_command = world.json(&send);
    let done = json!({"to": "system.ygg", "type": "inform", "topic_id": topic, "text": "x", "state": "done"});
    assert_eq!(tool(done)["outcome"], "absorbed");
    let path = format!("/v1/w/main/topics/{}", by_mcp["topic_id"].as_str().expect("an id"));
    assert_eq!(post(&server, &owner, "PATCH", &path, &json!({"title": "another"}))["title"], "another");
    assert_eq!(post(&server, &owner, "POST", &format!("{path}/close"), &json!({}))["status"], "closed");
    world.json(&["agents", "add", "last"]);

    let all = stream.up_to_last();
    let count = |is: &dyn Fn(&Value) -> bool| all.iter().filter(|event| is(event)).count();
    for (way, receipt) in [("REST", &by_rest), ("MCP", &by_mcp), ("the command line", &by_command)] {
        let id = &receipt["message_id"];
        assert!(id.is_string(), "{way}: {receipt}");
        assert_eq!(count(&|event| event["data"]["message"]["id"] == *id), 1, "by {way}: {all:#?}");
    }
    let posted = count(&|event| event["kind"] == "conversation.message.posted");
    assert_eq!(posted, 3, "what was absorbed is no message: {all:#?}");
    let is_done = |event: &Value| {
        let data = &event["data"];
        (&event["kind"], &data["participant"], &data["state"], &data["topic_id"])
            == (&json!("topic.state"), &json!("codex"), &json!("done"), &json!(topic))
    };
    assert_eq!(count(&is_done), 1, "{all:#?}");
    let other = &by_mcp["topic_id"];
    for kind in ["topic.titled", "topic.closed"] {
        assert_eq!(count(&|event| event["kind"] == kind && event["data"]["topic_id"] == *other), 1, "{kind}");
    }
    let seqs: Vec<i64> = all.iter().map(|event| event["seq"].as_i64().expect("a place")).collect();
    assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "{seqs:?}");
    server.stop();
}

#[test]
fn a_stream_asked_for_by_http_1_0_comes_at_once_and_without_chunks() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let key = kept(&world.owner_file(), "key");
    let host = server.url().trim_start_matches("http://");
    let mut socket = TcpStream::connect(host).expect("the server listens");
    socket.set_read_timeout(Some(DEADLINE)).expect("a socket");
    let head = format!(
        "GET /v1/w/main/events HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).expect("it takes a request");
    let mut told = String::new();
    let mut until = |part: &str| {
        let mut bytes = [0; 4096];
        while !told.contains(part) {
            let read = socket.read(&mut bytes).expect("it comes");
            assert!(read > 0, "the stream ended: {told}");
            told += &String::from_utf8_lossy(&bytes[..read]);
        }
        told.clone()
    };
    until("stream.opened");
    // Before the next beat: a long way before the deadline of the read.
    let begun = std::time::Instant::now();
    let draft =
        ["send", "--to", "codex", "--type", "request", "--topic", "new", "--text", "hello over there"];
    world.json(&draft);
    let told = until("hello over there");
    assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{:?}", begun.elapsed());
    let (head, body) = told.split_once("\r\n\r\n").expect("a head");
    assert!(!head.to_ascii_lowercase().contains("transfer-encoding"), "{head}");
    let known = ["retry:", "id:", "event:", "data:", ":"];
    for line in body.lines().filter(|line| !line.is_empty()) {
        assert!(known.iter().any(|start| line.starts_with(start)), "no line of a stream: {line:?}");
    }
    server.stop();
}
