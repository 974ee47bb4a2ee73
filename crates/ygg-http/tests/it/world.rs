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
use ygg_engine::{Clock, Engine, RateLimit, SystemClock};
use ygg_http::Config;
use ygg_store::Store;
use ygg_store::sqlite::Sqlite;

use crate::gated::{Gate, Gated};
use crate::notified::Parcels;

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
    /// What people are told outside.
    pub courier: Arc<Parcels>,
    files: TempDir,
}

/// Who a request is from.
#[derive(Clone)]
pub enum As {
    Nobody,
    Key(String),
    /// `name=value`, sent as a page of ours sends it.
    Cookie(String),
}

impl As {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Nobody => "nobody",
            Self::Key(_) => "key",
            Self::Cookie(_) => "session",
        }
    }

    /// The cookie under the name that it would have for another workspace.
    pub fn at(&self, slug: &str) -> Self {
        let Self::Cookie(cookie) = self else { return self.clone() };
        let (name, value) = cookie.split_once('=').expect("a pair");
        let (server, _) = name.rsplit_once('_').expect("a workspace");
        Self::Cookie(format!("{server}_{slug}={value}"))
    }

    pub fn on(&self, request: reqwest::RequestBuilder, world: &World) -> reqwest::RequestBuilder {
        match self {
            Self::Nobody => request,
            Self::Key(key) => request.bearer_auth(key),
            Self::Cookie(cookie) => request.header("cookie", cookie).header("origin", &world.url),
        }
    }
}

/// Everybody's here.
pub const PASSWORD: &str = "correct horse battery";

/// A person with both ways to call.
pub struct PersonHere {
    pub key: String,
    /// `name=value`
    pub cookie: String,
    pub about: Value,
    /// What accepting the invite was answered with.
    pub told: Value,
}

impl PersonHere {
    pub fn id(&self) -> &str {
        self.about["id"].as_str().expect("an id")
    }
}

/// Byte for byte the same, but for the one thing that each answer has for itself.
pub fn without_request_id(answer: &str) -> String {
    let Some((before, rest)) = answer.split_once(r#""request_id":""#) else { return answer.to_owned() };
    let after = rest.split_once('"').expect("an end").1;
    format!(r#"{before}"request_id":""{after}"#)
}

/// The cookie that an answer sets, as it is sent back.
pub fn cookie(headers: &reqwest::header::HeaderMap) -> Option<String> {
    let set = headers.get("set-cookie")?.to_str().expect("plain");
    Some(set.split(';').next().expect("a pair").to_owned())
}

/// What a test wants different.
pub struct Setting {
    pub slug: &'static str,
    pub rate: RateLimit,
    pub policy: Policy,
    pub clock: Arc<dyn Clock>,
    pub config: Config,
    /// Where reads and writes can be made to stand still.
    pub gate: Option<Arc<Gate>>,
}

impl Default for Setting {
    fn default() -> Self {
        let many = NonZeroU32::new(1_000_000).expect("not zero");
        Self {
            slug: "team",
            rate: RateLimit::Off,
            clock: Arc::new(SystemClock),
            policy: Policy { topic_limit: 1000, ..Policy::default() },
            config: Config { failed_sign_ins_per_minute: many, ..Config::default() },
            gate: None,
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
        let store: Arc<dyn Store> = match setting.gate {
            Some(gate) => Arc::new(Gated { store, gate }),
            None => Arc::new(store),
        };
        let courier = Arc::new(Parcels::default());
        let engine = Engine::new(store, setting.clock, setting.rate);
        let engine = engine.with_courier(Arc::clone(&courier) as _);
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
            courier,
            files,
        }
    }

    /// Whether a text stands in any file of the database.
    pub fn keeps(&self, text: &str) -> bool {
        let files = std::fs::read_dir(self.files.path()).expect("a folder");
        files.map(|file| file.expect("a file").path()).any(|path| {
            let bytes = std::fs::read(path).expect("a file");
            bytes.windows(text.len()).any(|part| part == text.as_bytes())
        })
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

    /// Somebody who was invited and accepted, with a key besides the session.
    pub async fn person(&self, handle: &str, role: &str) -> PersonHere {
        let invite = self.post(&self.owner, "/invites", json!({"role": role})).await;
        let accept = json!({"code": invite["code"], "handle": handle, "password": PASSWORD});
        let url = format!("{}/v1/invites/accept", self.url);
        let answer = self.client.post(url).json(&accept).send().await.expect("an answer");
        let cookie = cookie(answer.headers()).expect("a cookie");
        let told: Value = answer.json().await.expect("JSON");
        let about = told["person"].clone();
        let made =
            self.with_cookie(&cookie, Method::POST, "/keys", Some(json!({"participant": about["id"]}))).await;
        let key = made.1["key"].as_str().expect("a key").to_owned();
        PersonHere { key, cookie, about, told }
    }

    /// A call as a page of ours makes it.
    pub async fn with_cookie(
        &self,
        cookie: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let who = As::Cookie(cookie.to_owned());
        let (status, answer) = self.ask(&who, method.as_str(), &self.path(path), &body).await;
        let status = StatusCode::from_u16(status).expect("a status");
        (status, serde_json::from_str(&answer).expect("JSON"))
    }

    /// A call by whomever at a whole path; the answer without its request id. Of an answer that does not end there is only the status.
    pub async fn ask(&self, who: &As, method: &str, path: &str, body: &str) -> (u16, String) {
        let method: Method = method.to_uppercase().parse().expect("a method");
        let request = who.on(self.client.request(method, format!("{}{path}", self.url)), self);
        let request = request.header("content-type", "application/json").body(body.to_owned());
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        if answer.headers().get("content-type").is_some_and(|kind| kind == "text/event-stream") {
            return (status, String::new());
        }
        (status, without_request_id(&answer.text().await.expect("a whole answer")))
    }

    /// Accepts an invite of another workspace as somebody new; the id of the session.
    pub async fn sign_in_elsewhere(&self, handle: &str, invite: &Value) -> String {
        let accept = json!({"code": invite["code"], "handle": handle, "password": PASSWORD});
        let (_, told) = self.ask(&As::Nobody, "post", "/v1/invites/accept", &accept.to_string()).await;
        let told: Value = serde_json::from_str(&told).expect("JSON");
        told["session"]["id"].as_str().expect("an id").to_owned()
    }

    pub async fn send(&self, key: &str, draft: Value) -> Value {
        self.post(key, "/messages", draft).await
    }

    /// An open event stream, past the event that says where it begins. Its beginning is settled when this returns.
    pub async fn events(&self, key: &str, query: &str, last: Option<i64>) -> Events {
        self.events_as(&As::Key(key.to_owned()), query, last).await
    }

    pub async fn events_as(&self, who: &As, query: &str, last: Option<i64>) -> Events {
        let url = format!("{}{}{query}", self.url, self.path("/events"));
        let mut request = who.on(self.client.get(url), self);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        Self::opened(request).await
    }

    /// The whole stream of another workspace.
    pub async fn events_at(&self, workspace_url: &str, key: &str) -> Events {
        Self::opened(self.client.get(format!("{workspace_url}/events?after=0")).bearer_auth(key)).await
    }

    async fn opened(request: reqwest::RequestBuilder) -> Events {
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
        .route("/mcp/hangs", get(std::future::pending::<()>).post(std::future::pending::<()>))
        .route("/mcp/refuses", get(|| async { StatusCode::UNAUTHORIZED }))
}

async fn panics() -> &'static str {
    panic!("on purpose")
}
