//! A server with a workspace in it, on a port of its own and a database file of its own.

use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::routing::{get, post};
use eventsource_stream::{Event as SseEvent, Eventsource};
use futures::{Stream, StreamExt};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use ygg_domain::key::{KeyKind, SecretKey};
use ygg_domain::policy::Policy;
use ygg_engine::{Engine, RateLimit, SystemClock};
use ygg_http::Config;
use ygg_store::sqlite::Sqlite;

/// How long anything may take that is expected to happen.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct World {
    pub engine: Engine,
    pub app: Router,
    pub slug: String,
    /// The owner's key; the handle is `ana`.
    pub owner: String,
    /// The key of the server's operator.
    pub server_key: String,
    /// `http://127.0.0.1:port`.
    pub url: String,
    pub client: reqwest::Client,
    pub stop: watch::Sender<bool>,
    pub server: JoinHandle<()>,
    _files: TempDir,
}

/// What a test wants different.
pub struct Setting {
    pub slug: &'static str,
    pub rate: RateLimit,
    pub policy: Policy,
    pub config: Config,
}

impl Default for Setting {
    fn default() -> Self {
        let many = NonZeroU32::new(1_000_000).expect("not zero");
        Self {
            slug: "team",
            rate: RateLimit::Off,
            policy: Policy { topic_limit: 1000, ..Policy::default() },
            config: Config { failed_sign_ins_per_minute: many, ..Config::default() },
        }
    }
}

impl World {
    pub async fn new() -> Self {
        Self::with(Setting::default()).await
    }

    pub async fn with(setting: Setting) -> Self {
        crate::logs::watch();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let files = tempfile::tempdir().expect("a folder");
        let store = Sqlite::open(&files.path().join("ygg.db")).expect("a database");
        let engine = Engine::new(Arc::new(store), Arc::new(SystemClock), setting.rate);
        let founded =
            engine.found_workspace(setting.slug, "ana", setting.policy, 1000).await.expect("a workspace");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let bind = listener.local_addr().expect("an address");
        let (stop, shutdown) = watch::channel(false);
        let server_key = SecretKey::new(KeyKind::Server, [7; 32]);
        let config = Config {
            bind,
            server_key: Some(server_key.hash()),
            shutdown: shutdown.clone(),
            ..setting.config
        };
        let app = ygg_http::app(engine.clone(), mcp(), config);
        let server = tokio::spawn(ygg_http::serve(listener, app.clone(), shutdown));
        Self {
            engine,
            app,
            slug: setting.slug.to_owned(),
            owner: founded.key.key,
            server_key: server_key.expose().to_owned(),
            url: format!("http://{bind}"),
            client: reqwest::Client::builder().no_proxy().build().expect("a client"),
            stop,
            server,
            _files: files,
        }
    }

    /// A path of the workspace.
    pub fn path(&self, path: &str) -> String {
        format!("/v1/w/{}{path}", self.slug)
    }

    /// The host and port.
    pub fn address(&self) -> &str {
        self.url.strip_prefix("http://").expect("a plain address")
    }

    pub async fn call(
        &self,
        key: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request =
            self.client.request(method, format!("{}{}", self.url, self.path(path))).bearer_auth(key);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.expect("an answer");
        let status = response.status();
        let text = response.text().await.expect("a whole answer");
        let value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {status}: no JSON: {text}"));
        (status, value)
    }

    pub async fn get(&self, key: &str, path: &str) -> Value {
        let (status, value) = self.call(key, Method::GET, path, None).await;
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    pub async fn post(&self, key: &str, path: &str, body: Value) -> Value {
        let (status, value) = self.call(key, Method::POST, path, Some(body)).await;
        assert!(status.is_success(), "{path}: {status}: {value}");
        value
    }

    /// A new agent; its key.
    pub async fn agent(&self, id: &str) -> String {
        self.post(&self.owner, "/agents", json!({"id": id})).await;
        self.key(id).await["key"].as_str().expect("a key").to_owned()
    }

    /// A new key by its owner's word.
    pub async fn key(&self, participant: &str) -> Value {
        self.post(&self.owner, "/keys", json!({"participant": participant})).await
    }

    pub async fn send(&self, key: &str, draft: Value) -> Value {
        self.post(key, "/messages", draft).await
    }

    /// An open event stream, past the event that says where it begins. Its beginning is settled when this returns.
    pub async fn events(&self, key: &str, query: &str, last: Option<i64>) -> Events {
        let url = format!("{}{}{query}", self.url, self.path("/events"));
        let mut request = self.client.get(url).bearer_auth(key);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let events = response.bytes_stream().eventsource();
        let mut events = Events(Box::pin(events.filter_map(|event| async { event.ok() })));
        let opened = events.next().await.expect("every stream says where it begins");
        assert_eq!(opened.kind, "stream.opened");
        events
    }
}

/// An open event stream, read event by event.
pub struct Events(Pin<Box<dyn Stream<Item = SseEvent> + Send>>);

/// One event as it came.
pub struct Seen {
    pub seq: i64,
    pub kind: String,
    pub event: Value,
}

impl Events {
    /// The next event; none at the end of the stream.
    pub async fn next(&mut self) -> Option<Seen> {
        let found = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("an event in time")?;
        let event: Value = serde_json::from_str(&found.data).expect("JSON");
        let seq = found.id.parse().expect("a place as id");
        assert_eq!(event["seq"], seq);
        assert_eq!(event["kind"], found.event.as_str());
        Some(Seen { seq, kind: found.event, event })
    }

    /// The next posted message.
    pub async fn posted(&mut self) -> Seen {
        loop {
            let seen = self.next().await.expect("the stream goes on");
            if seen.kind == "conversation.message.posted" {
                return seen;
            }
        }
    }
}

/// Stands for the MCP surface: one route that reads its body, one that breaks, one that hangs, one that refuses.
fn mcp() -> Router {
    Router::new()
        .route(
            "/mcp",
            post(|body: Result<Bytes, axum::extract::rejection::BytesRejection>| async move {
                match body {
                    Ok(body) => format!("{}", body.len()),
                    Err(_) => "unreadable".to_owned(),
                }
            }),
        )
        .route("/mcp/panics", get(panics))
        .route("/mcp/hangs", get(std::future::pending::<()>))
        .route("/mcp/refuses", get(|| async { StatusCode::UNAUTHORIZED }))
}

async fn panics() -> &'static str {
    panic!("on purpose")
}
