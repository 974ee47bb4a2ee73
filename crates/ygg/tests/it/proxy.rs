//! `ygg mcp` by hand: frames in, frames out, whatever happens to the server in between.

use std::io::Write;
use std::process::{Child, ChildStdin, Stdio};

use serde_json::{Value, json};

use crate::world::{Lines, Port, Server, World, answer, code, kept, request, told, wait};

pub struct Proxy {
    child: Child,
    input: Option<ChildStdin>,
    pub out: Lines,
    err: Lines,
}

impl Proxy {
    pub fn start(world: &World, profile: &str) -> Self {
        let mut command = world.command(&["mcp", "--profile", profile]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("ygg starts");
        let input = child.stdin.take();
        let out = Lines::of(child.stdout.take().expect("piped"));
        let err = Lines::of(child.stderr.take().expect("piped"));
        Self { child, input, out, err }
    }

    pub fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("its input is open");
        input.write_all(&[line, b"\n"].concat()).expect("it reads");
    }

    fn frame(&mut self, frame: &Value) {
        self.write(frame.to_string().as_bytes());
    }

    /// A request and its answer.
    pub fn ask(&mut self, id: &Value, method: &str, params: Value) -> Value {
        self.frame(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.out.json();
        assert_eq!(&answer["id"], id, "{answer}");
        answer
    }

    /// Its input ends; what it still said on standard output and on standard error.
    pub fn end(mut self) -> (String, String) {
        drop(self.input.take());
        let status = wait(&mut self.child);
        let (out, err) = (self.out.rest(), self.err.rest());
        assert!(status.success(), "{status}: {err}");
        (out, err)
    }
}

fn hello() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}})
}

/// What the revision without a handshake puts into every request.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "by hand", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

#[test]
fn frames_go_through_unchanged_in_every_revision() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let mut proxy = Proxy::start(&world, "codex");
    let met = proxy.ask(&json!(1), "initialize", hello());
    assert_eq!(met["result"]["protocolVersion"], "2025-06-18");
    proxy.frame(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let listed = proxy.ask(&json!("two"), "tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(6));
    let me = proxy.ask(&json!(3), "tools/call", json!({"name": "ygg_me", "arguments": {}}));
    assert_eq!(me["result"]["structuredContent"]["id"], "codex");

    let met = proxy.ask(&json!(4), "server/discover", modern(json!({})));
    assert!(met["result"].is_object(), "{met}");
    let me = proxy.ask(&json!(5), "tools/call", modern(json!({"name": "ygg_me", "arguments": {}})));
    assert_eq!(me["result"]["structuredContent"]["id"], "codex");
    let none = proxy.ask(&json!(6), "tools/call", modern(json!({"name": "größe", "arguments": {}})));
    assert!(none["error"]["message"].as_str().is_some_and(|told| told.contains("no such tool")), "{none}");
    let refused = proxy.ask(
        &json!(7),
        "tools/call",
        json!({"name": "ygg_send", "arguments": {"to": "x", "text": "y"}}),
    );
    assert_eq!(refused["result"]["isError"], true, "a refusal is a result: {refused}");

    // The very bytes that the server sends.
    let frame = r#"{"jsonrpc":"2.0","id":"same","method":"tools/list","params":{}}"#;
    let bearer = format!("Bearer {}", kept(&world.profile("codex"), "key"));
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Connection", "close"),
    ];
    let direct = answer(request(server.url(), "POST", "/mcp", &headers, frame));
    proxy.write(frame.as_bytes());
    assert_eq!(proxy.out.next().expect("a line"), direct);
    assert_eq!(proxy.end(), (String::new(), String::new()));
    server.stop();
}

#[test]
fn every_version_is_negotiated() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let mut proxy = Proxy::start(&world, "codex");
    let mut id = 0;
    for (asked, offered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        // The revision without a handshake, one to come, and nonsense: offered is the newest that has one.
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        id += 1;
        let mut hello = hello();
        hello["protocolVersion"] = json!(asked);
        let met = proxy.ask(&json!(id), "initialize", hello);
        assert_eq!(met["result"]["protocolVersion"], offered, "{asked}");
        // What follows carries the revision that was settled, and the server takes it.
        for method in ["ping", "tools/list"] {
            id += 1;
            let answer = proxy.ask(&json!(id), method, json!({}));
            assert!(answer["result"].is_object(), "{asked}: {answer}");
        }
    }
    let refused = proxy.ask(&json!("late"), "resources/list", json!({}));
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
    assert_eq!(proxy.end(), (String::new(), String::new()));
    server.stop();
}

#[test]
fn garbage_is_answered_and_harms_nothing() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let mut proxy = Proxy::start(&world, "codex");
    let long = vec![b'x'; 4 * 1024 * 1024];
    let deep = vec![b'['; 100_000];
    for (line, code) in [
        (&b"hello"[..], -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1", -32700),
        (b"\xff\xfe\x00", -32700),
        (&long, -32700),
        (&deep, -32700),
        (b"[]", -32600),
        (b"\"text\"", -32600),
    ] {
        proxy.write(line);
        let answer = proxy.out.json();
        assert_eq!((answer.get("id"), &answer["error"]["code"]), (None, &json!(code)), "{answer}");
    }
    // Whoever asked is told, also where the question cannot be passed on.
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"ping","params":{}{}}}"#,
        "[".repeat(9_999),
        "]".repeat(9_999)
    );
    let pair = r#"{"jsonrpc":"2.0","id":"four","method":"tools/list","params":{"a":"\ud800"}}"#;
    for (line, id) in [(deep.as_str(), json!(3)), (pair, json!("four"))] {
        proxy.write(line.as_bytes());
        let answer = proxy.out.json();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(-32700)), "{answer}");
    }
    for line in [&b""[..], b"  \r", b"{}", b"{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}"] {
        proxy.write(line);
    }
    // A request that the server does not understand still gets its one answer.
    let odd = proxy.ask(&json!({"not": "an id"}), "tools/list", json!({}));
    assert!(odd["error"].is_object(), "{odd}");
    let met = proxy.ask(&json!(1), "initialize", hello());
    assert!(met["result"].is_object(), "{met}");
    assert_eq!(proxy.end().0, "");
    server.stop();
}

#[test]
fn a_server_that_goes_and_comes_back_is_told_and_used_again() {
    let world = World::new();
    let port = Port::reserve();
    let server = world.up_at(&port.1, &["--agent", "codex"]);
    let mut proxy = Proxy::start(&world, "codex");
    proxy.ask(&json!(1), "initialize", hello());
    server.stop();

    proxy.frame(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let call = || json!({"name": "ygg_me", "arguments": {}});
    let away = proxy.ask(&json!(2), "tools/call", call());
    let message = away["error"]["message"].as_str().expect("a message");
    assert!(message.contains("ygg up") && message.contains("Nothing was sent"), "{message}");

    let server: Server = world.up_at(&port.1, &["--agent", "codex"]);
    let back = proxy.ask(&json!(3), "tools/call", call());
    assert_eq!(back["result"]["structuredContent"]["id"], "codex");
    let (out, err) = proxy.end();
    assert_eq!(out, "");
    assert_eq!(err.lines().filter(|line| line.contains("not passed on")).count(), 1, "{err}");
    server.stop();
}

#[test]
fn answers_in_flight_come_before_the_end() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let mut proxy = Proxy::start(&world, "codex");
    proxy.frame(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()}));
    for id in 1..=50 {
        proxy.frame(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}));
    }
    let (out, _) = proxy.end();
    let mut ids: Vec<i64> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("whole lines")["id"].as_i64().expect("an id"))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=50).collect::<Vec<i64>>());
    server.stop();
}

#[test]
fn a_key_that_does_not_stand_is_told_as_an_error_of_each_request() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    let mut proxy = Proxy::start(&world, "codex");
    let keys = world.json(&["keys"]);
    let id =
        keys.as_array().expect("a list").iter().find(|key| key["participant"] == "codex").expect("a key");
    world.json(&["keys", "revoke", id["id"].as_str().expect("an id")]);
    let refused = proxy.ask(&json!(1), "initialize", hello());
    assert_eq!(refused["error"]["data"]["reason"], "unauthenticated", "{refused}");
    proxy.end();

    // A person's key is told that these tools are for agents.
    let mut command = world.command(&["mcp"]);
    command.env("YGG_KEY", kept(&world.owner_file(), "key")).env("YGG_URL", server.url());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 0, "{}", told(&output));
    let refused: Value = serde_json::from_slice(&output.stdout).expect("one frame");
    assert_eq!(refused["error"]["data"]["reason"], "forbidden", "{refused}");
    server.stop();
}

/// The same agent id in two workspaces of one server: each sees its own alone [W1].
#[test]
fn the_tools_of_one_workspace_know_nothing_of_another() {
    let world = World::new();
    let server = world.up(&["--agent", "codex"]);
    world.json(&["workspaces", "create", "lab", "--owner", "bo"]);
    let lab = ["--profile", "lab"];
    world.json(&[&["agents", "add", "codex", "--profile-name", "lab-codex"][..], &lab].concat());
    let ask = ["send", "--to", "codex", "--type", "request", "--topic", "new", "--title", "T", "--text", "x"];
    let sent = world.json(&[&ask[..], &lab].concat());

    let mut proxies = [Proxy::start(&world, "codex"), Proxy::start(&world, "lab-codex")];
    let mut call = |of: usize, name: &str, arguments: Value| {
        let asked = modern(json!({"name": name, "arguments": arguments}));
        let mut answer = proxies[of].ask(&json!(name), "tools/call", asked);
        answer["result"].take()
    };
    let topic = json!({"topic_id": sent["topic_id"]});
    for (of, workspace, person, wakes) in [(0, "main", "owner", 0), (1, "lab", "bo", 1)] {
        let seen = call(of, "ygg_me", json!({}));
        assert_eq!(seen["structuredContent"]["workspace"], workspace);
        let seen = call(of, "ygg_directory", json!({}));
        let people = seen["structuredContent"]["people"].as_array().expect("people");
        let handles: Vec<&str> = people.iter().filter_map(|one| one["handle"].as_str()).collect();
        assert_eq!(handles, [person]);
        assert_eq!(call(of, "ygg_conversation", topic.clone())["isError"] == true, of == 0, "{workspace}");
        let seen = call(of, "ygg_inbox", json!({}));
        assert_eq!(seen["structuredContent"]["wakes"].as_array().map(Vec::len), Some(wakes), "{workspace}");
    }
    for proxy in proxies {
        proxy.end();
    }
    server.stop();
}
