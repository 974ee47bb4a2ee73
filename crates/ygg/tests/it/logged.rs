//! What a server at its most talkative logs: nothing that anybody said, whatever libraries are beneath it [O9].

use serde_json::{Value, json};
use ygg_store::postgres::Scratch;

use crate::world::{Server, World, kept, request};

/// Stands in everything that is said here, and in the password.
const MARKER: &str = "marker-7f3a91";

#[test]
fn the_finest_log_has_nothing_of_what_was_said_on_sqlite() {
    let world = World::new();
    let database = format!("sqlite:{}", world.data().join("said.db").display());
    say_and_look(&world, &database);
}

#[test]
fn the_finest_log_has_nothing_of_what_was_said_on_postgresql() {
    let Ok(server) = std::env::var("YGG_TEST_POSTGRES") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI runs this on PostgreSQL");
        return;
    };
    let scratch = Scratch::create(&server, &format!("ygg_logged_{}", std::process::id())).expect("one");
    let (base, _) = server.rsplit_once('/').expect("a URL that ends in a database");
    say_and_look(&World::new(), &format!("{base}/{}", scratch.name()));
}

fn say_and_look(world: &World, database: &str) {
    // By name as well: a filter that asks for a library is not heard.
    for filter in ["trace", "trace,tokio_postgres=trace,rmcp=trace,hyper=trace"] {
        let args = ["serve", "--json", "--bind", "127.0.0.1:0", "--workspace", "main", "--owner", "ana"];
        let server =
            Server::start(world.command(&[&args[..], &["--database", database, "--log", filter]].concat()));
        let handle = if filter == "trace" { "mia" } else { "max" };
        let session = say_everything(world, &server, handle);
        let said = server.stop();
        assert!(said.contains("TRACE") || said.contains("DEBUG"), "it does log: {said}");
        assert!(said.contains("committed"), "the store does: {said}");
        for secret in [MARKER, "$argon2", session.as_str(), &kept(&world.owner_file(), "key")] {
            let line = said.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{filter}: {secret} is in the log");
        }
        let others =
            said.lines().find(|line| !line.contains(" ygg") && !line.starts_with(char::is_whitespace));
        assert_eq!(others, None, "only our own crates speak");
    }
}

/// By REST and MCP, in a task, as names and descriptions, and as a password; the cookie's value.
fn say_everything(world: &World, server: &Server, handle: &str) -> String {
    let owner = kept(&world.owner_file(), "key");
    let post = |key: &str, path: &str, body: Value| -> Value {
        let told = post(server, key, path, &body);
        serde_json::from_str(&told).unwrap_or_else(|_| panic!("{path}: {told}"))
    };
    let agent = format!("scout-{handle}");
    let described = json!({"id": agent, "display_name": MARKER, "description": MARKER});
    assert_eq!(post(&owner, "/v1/w/main/agents", described)["display_name"], MARKER);
    let made = post(&owner, "/v1/w/main/keys", json!({"participant": agent, "label": MARKER}));
    let key = made["key"].as_str().expect("a key");
    let draft = json!({"to": agent, "type": "request", "topic_id": "new", "title": MARKER, "text": MARKER,
                       "body": {"note": MARKER}, "idempotency_key": MARKER.to_owned() + handle});
    assert_eq!(post(&owner, "/v1/w/main/messages", draft)["outcome"], "delivered");
    let tool = |name: &str, arguments: Value| {
        let told = post(
            key,
            "/mcp",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": name, "arguments": arguments}}),
        );
        assert_ne!(told["result"]["isError"], true, "{told}");
        told.to_string()
    };
    assert!(tool("ygg_inbox", json!({})).contains(MARKER));
    tool("ygg_send", json!({"to": "@ana", "topic_id": "new", "title": MARKER, "text": MARKER}));
    tool("ygg_tasks", json!({"action": "add", "text": MARKER}));
    assert!(
        post(key, "/v1/w/main/tasks", json!({"action": "add", "text": MARKER})).to_string().contains(MARKER)
    );
    let invite = post(&owner, "/v1/w/main/invites", json!({"role": "member"}));
    let password = format!("{MARKER} is the password");
    let accept = json!({"code": invite["code"], "handle": handle, "password": password});
    assert_eq!(post("", "/v1/invites/accept", accept)["person"]["handle"], handle);
    let sign_in = json!({"handle": handle, "password": password});
    let whole = whole(server, "", "/v1/w/main/sessions", &sign_in);
    let cookie = whole.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    cookie.split(['=', ';']).nth(1).expect("a value").to_owned()
}

fn post(server: &Server, key: &str, path: &str, body: &Value) -> String {
    whole(server, key, path, body).split_once("\r\n\r\n").expect("a body").1.to_owned()
}

/// The answer with its head.
fn whole(server: &Server, key: &str, path: &str, body: &Value) -> String {
    use std::io::Read;
    let bearer = format!("Bearer {key}");
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Connection", "close"),
    ];
    if !key.is_empty() {
        headers.push(("Authorization", &bearer));
    }
    let mut told = String::new();
    let mut socket = request(server.url(), "POST", path, &headers, &body.to_string());
    socket.read_to_string(&mut told).expect("an answer");
    told
}
