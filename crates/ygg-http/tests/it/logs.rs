//! No key in any log: everything that any test of this binary logs, at the finest level, is looked through [O9].

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

use reqwest::Method;
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;
use ygg_domain::key::contains_key;

use crate::wire::Wire;
use crate::world::{Setting, World};

/// Lines with a key in them, which must not be.
static LEAKS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Lines of the workspace that the test below uses.
static KEPT: Mutex<Vec<String>> = Mutex::new(Vec::new());
const SLUG: &str = "looked-through";

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
        if contains_key(&text) {
            LEAKS.lock().unwrap_or_else(PoisonError::into_inner).push(text.clone().into_owned());
        }
        if text.contains(SLUG) {
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
    let (owner, root) = (&world.owner, world.path(""));
    world
        .send(owner, json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "go"}))
        .await;
    world.post(&agent, "/inbox", json!({})).await;
    let mut events = world.events(&agent, "?after=0", None).await;
    events.posted().await;

    let odd = [
        format!("GET {root}/me?key={agent} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        format!(
            "GET {root}/topics?{agent}=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {owner}\r\n\r\n"
        ),
        format!(
            "GET {root}/topics/{agent} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {owner}\r\n\r\n"
        ),
        format!(
            "GET {root}/topics?after={agent} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {owner}\r\n\r\n"
        ),
        format!("GET /{agent} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        format!("GET /%79{} HTTP/1.1\r\nHost: localhost\r\n\r\n", &agent[1..]),
        format!("{agent} / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {agent}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://{agent}\r\n\r\n"),
        format!("GET {root}/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: {agent}\r\n\r\n"),
        format!("GET {root}/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {agent}\r\n\r\n"),
        format!("GET {root}/me HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: {agent}\r\n\r\n"),
        format!(
            "GET {root}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {owner}\r\nLast-Event-ID: {agent}\r\n\r\n"
        ),
        with_body(
            &world,
            "messages",
            &format!(r#"{{"to": "{agent}", "topic_id": "new", "title": "t", "text": "x"}}"#),
        ),
        with_body(&world, "messages", &format!(r#"{{"to": "scout", "topic_id": "{agent}", "text": "x"}}"#)),
        with_body(
            &world,
            "messages",
            &format!(r#"{{"to": "scout", "topic_id": "new", "text": "use {agent}"}}"#),
        ),
        with_body(&world, "messages", &format!(r#""{agent}""#)),
        with_body(&world, "agents", &format!(r#"{{"{agent}": 1}}"#)),
        with_body(&world, "agents", &format!(r#"{{"id": "{agent}"}}"#)),
        with_body(&world, "agents", &format!(r#"{{"id": "x", "operators": ["{agent}"]}}"#)),
        with_body(&world, "credits/grants", &format!(r#"{{"to": "pool", "credits": "{agent}"}}"#)),
        with_body(&world, "credits/grants", &format!(r#"{{"to": "{agent}", "credits": 1}}"#)),
        with_body(&world, "keys", &format!(r#"{{"participant": "{agent}"}}"#)),
    ];
    for request in odd {
        let mut wire = Wire::to(&world).await;
        wire.say(&request).await;
        let answer = wire.hear().await.expect("an answer");
        assert!((400..500).contains(&answer.status), "{request}: {answer:?}");
        assert!(!contains_key(&answer.body), "{request}: {answer:?}");
        assert!(answer.headers.values().all(|value| !contains_key(value)), "{request}: {answer:?}");
    }
    let id = world.get(owner, "/keys").await[0]["id"].as_str().expect("an id").to_owned();
    world.call(owner, Method::DELETE, &format!("/keys/{id}"), None).await;

    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let shown = |part: &str| kept.iter().any(|line| line.contains(part));
    assert!(shown(&format!("method=\"POST\" path=\"{root}/messages\"")), "{kept:#?}");
    assert!(shown("status=201") && shown("duration_ms="), "{kept:#?}");
    assert!(!shown("Bearer") && !shown("use ygg"), "{kept:#?}");
    assert_no_key();
}

fn with_body(world: &World, path: &str, body: &str) -> String {
    format!(
        "POST {}/{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{body}",
        world.path(""),
        world.owner,
        body.len()
    )
}
