//! What is in the log, and what is not: everything that any test of this binary logs, at the finest level, is looked
//! through [O9].

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

use reqwest::Method;
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;
use ygg_domain::key::contains_key;

use crate::wire::Wire;
use crate::world::{PASSWORD, Setting, World};

/// Lines with a key in them, which must not be.
static LEAKS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Lines of the workspace that the test below uses.
static KEPT: Mutex<Vec<String>> = Mutex::new(Vec::new());
const SLUG: &str = "looked-through";
/// Stands in texts, passwords and cookies.
const SECRET: &str = "open-sesame";
/// Of an agent, a person, a turn, a session, a claim, an invite, the server.
const KINDS: [&str; 7] = ["ygga_", "yggp_", "yggt_", "yggs_", "yggc_", "yggi_", "yggo_"];

/// Looks at every line from now on.
pub fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_writer(Watch)
            .init();
    });
}

pub fn assert_no_key() {
    let leaks = LEAKS.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[derive(Clone, Copy)]
struct Watch;

impl Write for Watch {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        if contains_key(&text) || [SECRET, PASSWORD].iter().any(|secret| text.contains(secret)) {
            LEAKS.lock().unwrap_or_else(PoisonError::into_inner).push(text.clone().into_owned());
        }
        if text.contains(SLUG) || text.contains("the-one-line") {
            KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(text.into_owned());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Watch {
    type Writer = Watch;

    fn make_writer(&'a self) -> Watch {
        *self
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_in_no_log_and_in_no_error_wherever_it_was_put() {
    let world = World::with(Setting { slug: SLUG, ..Setting::default() }).await;
    let agent = world.agent("scout").await;
    let owner = &world.owner;
    let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": SECRET, "text": SECRET});
    world.send(owner, draft).await;
    world.post(&agent, "/inbox", json!({})).await;
    let mut events = world.events(&agent, "?after=0", None).await;
    events.posted().await;

    for kind in KINDS {
        for request in odd(&world, &agent.replace("ygga_", kind)) {
            let mut wire = Wire::to(&world).await;
            wire.say(&request).await;
            let answer = wire.hear().await.expect("an answer");
            assert!((400..500).contains(&answer.status), "{request}: {answer:?}");
            assert!(!contains_key(&answer.body), "{request}: {answer:?}");
            assert!(answer.headers.values().all(|value| !contains_key(value)), "{request}: {answer:?}");
        }
    }
    let id = world.get(owner, "/keys").await[0]["id"].as_str().expect("an id").to_owned();
    world.call(owner, Method::DELETE, &format!("/keys/{id}"), None).await;
    assert!(!KEPT.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|line| line.contains("Bearer")));
    assert_no_key();
}

/// Requests with a key where none belongs; each is refused.
fn odd(world: &World, key: &str) -> Vec<String> {
    let root = world.path("");
    let plain = |line: &str, headers: &str| format!("{line} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    let owner = format!("Authorization: Bearer {}\r\n", world.owner);
    vec![
        plain(&format!("GET {root}/me?key={key}"), ""),
        plain(&format!("GET {root}/topics?{key}=1"), &owner),
        plain(&format!("GET {root}/topics/{key}"), &owner),
        plain(&format!("GET {root}/topics?after={key}"), &owner),
        plain(&format!("GET /{key}"), ""),
        plain(&format!("GET /%79{}", &key[1..]), ""),
        plain(&format!("{key} /"), ""),
        format!("GET / HTTP/1.1\r\nHost: {key}\r\n\r\n"),
        plain("GET /", &format!("Origin: http://{key}\r\n")),
        plain(&format!("GET {root}/me"), &format!("Authorization: {key}\r\n")),
        plain(&format!("GET {root}/me"), &format!("Authorization: Basic {key}\r\n")),
        plain(&format!("GET {root}/me"), &format!("X-Request-Id: {key}\r\n")),
        plain(&format!("GET {root}/me"), &format!("Cookie: ygg={key}; other={SECRET}\r\n")),
        plain(&format!("GET {root}/me"), &format!("X-Forwarded-For: {key}\r\nForwarded: for={key}\r\n")),
        plain(&format!("GET {root}/events"), &format!("{owner}Last-Event-ID: {key}\r\n")),
        with_body(
            world,
            "messages",
            &format!(r#"{{"to": "{key}", "topic_id": "new", "title": "t", "text": "x"}}"#),
        ),
        with_body(world, "messages", &format!(r#"{{"to": "scout", "topic_id": "{key}", "text": "x"}}"#)),
        with_body(
            world,
            "messages",
            &format!(r#"{{"to": "scout", "topic_id": "new", "text": "use {key}, {SECRET}"}}"#),
        ),
        with_body(world, "messages", &format!(r#""{key} {SECRET}""#)),
        with_body(world, "agents", &format!(r#"{{"{key}": 1, "password": "{SECRET}"}}"#)),
        with_body(world, "agents", &format!(r#"{{"id": "{key}"}}"#)),
        with_body(world, "agents", &format!(r#"{{"id": "x", "operators": ["{key}"]}}"#)),
        with_body(world, "credits/grants", &format!(r#"{{"to": "pool", "credits": "{key}"}}"#)),
        with_body(world, "credits/grants", &format!(r#"{{"to": "{key}", "credits": 1}}"#)),
        with_body(world, "keys", &format!(r#"{{"participant": "{key}"}}"#)),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_one_line_and_gives_its_id_to_what_it_causes() {
    let world = World::with(Setting { slug: "one-line", ..Setting::default() }).await;
    world.agent("scout").await;
    let body = r#"{"to": "scout", "topic_id": "new", "title": "t", "text": "x"}"#;
    let mut wire = Wire::to(&world).await;
    let request =
        with_body(&world, "messages", body).replacen("Host:", "X-Request-Id: the-one-line\r\nHost:", 1);
    wire.say(&request).await;
    assert_eq!(wire.hear().await.expect("an answer").status, 201);

    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let of: Vec<&String> = kept.iter().filter(|line| line.contains("id=\"the-one-line\"")).collect();
    let info: Vec<&&String> = of.iter().filter(|line| line.contains(" INFO ")).collect();
    let [line] = info[..] else { panic!("{of:#?}") };
    let participant = world.get(&world.owner, "/me").await["id"].as_str().expect("an id").to_owned();
    for part in [
        "method=\"POST\"",
        "route=\"/v1/w/{workspace}/messages\"",
        "workspace=\"one-line\"",
        &format!("participant=\"{participant}\""),
        "client=127.0.0.1",
        "status=201",
        "duration_ms=",
        &format!("bytes_in={}", body.len()),
        "bytes_out=",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    // The writer is another thread; what it says belongs to the request all the same.
    assert!(of.iter().any(|line| line.contains("DEBUG") && line.contains("ygg_engine")), "{of:#?}");
}

fn with_body(world: &World, path: &str, body: &str) -> String {
    format!(
        "POST {}/{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{body}",
        world.path(""),
        world.owner,
        body.len()
    )
}
