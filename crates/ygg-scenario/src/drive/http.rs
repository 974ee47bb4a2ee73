//! Through the real router, in process: requests as a client would write them, answers decoded from their JSON.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower::ServiceExt;
use ygg_engine::Engine;
use ygg_wire::credits::{CreditsView, EntryView, Grant};
use ygg_wire::file::FileView;
use ygg_wire::inbox::{Inbox, ReadInbox};
use ygg_wire::key::{KeyMade, NewKey};
use ygg_wire::me::Me;
use ygg_wire::message::MessageView;
use ygg_wire::needs_you::NeedsYou;
use ygg_wire::participant::{AgentView, NewAgent};
use ygg_wire::task::TaskView;
use ygg_wire::topic::TopicView;
use ygg_wire::turn::{BeginTurn, EndTurn, TurnBegun, TurnView};
use ygg_wire::workspace::WorkspaceView;
use ygg_wire::{Page, Problem, Receipt};

use super::{Answer, Driver, No, SLUG, filled, ledger};

/// Rows of a page of the ledger: few, so that scenarios turn pages.
const LEDGER_ROWS: usize = 4;

pub struct HttpDriver(Router);

impl HttpDriver {
    async fn call<T: DeserializeOwned>(
        &self,
        key: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer<T> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        self.bytes(key, method, path, "application/json", body.into()).await
    }

    async fn bytes<T: DeserializeOwned>(
        &self,
        key: &str,
        method: Method,
        path: &str,
        media_type: &str,
        body: Vec<u8>,
    ) -> Answer<T> {
        let broken = |problem: String| No::Broken(format!("{method} {path}: {problem}"));
        let request = Request::builder()
            .method(method.clone())
            .uri(format!("/v1/w/{SLUG}{path}"))
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, media_type)
            .body(Body::from(body))
            .map_err(|error| broken(error.to_string()))?;
        let Ok(response) = self.0.clone().oneshot(request).await;
        let status = response.status();
        let bytes =
            response.into_body().collect().await.map_err(|error| broken(error.to_string()))?.to_bytes();
        let undecoded = |error: serde_json::Error| {
            broken(format!("{status}, and its body is not as documented: {error}: {}", shown(&bytes)))
        };
        if status.is_success() {
            return serde_json::from_slice(&bytes).map_err(undecoded);
        }
        let problem: Problem = serde_json::from_slice(&bytes).map_err(undecoded)?;
        if status.is_server_error() {
            return Err(broken(format!("{status}: {}", problem.help)));
        }
        Err(No::Refused(Box::new(problem)))
    }

    async fn get<T: DeserializeOwned>(&self, key: &str, path: &str) -> Answer<T> {
        self.call(key, Method::GET, path, None).await
    }

    async fn post<T: DeserializeOwned>(&self, key: &str, path: &str, body: Value) -> Answer<T> {
        self.call(key, Method::POST, path, Some(body)).await
    }
}

fn shown(bytes: &[u8]) -> String {
    crate::show::cut(&String::from_utf8_lossy(bytes), 200)
}

/// A body as its shape writes it.
fn body(shape: &impl serde::Serialize) -> Answer<Value> {
    serde_json::to_value(shape).map_err(|error| No::Broken(error.to_string()))
}

impl Driver for HttpDriver {
    fn over(engine: Engine) -> Self {
        Self(ygg_http::app(engine, Router::new(), ygg_http::Config::default()))
    }

    /// A refused send is a problem with the whole receipt in it.
    async fn send(&self, key: &str, draft: Value) -> Answer<Receipt> {
        match self.post(key, "/messages", draft).await {
            Err(No::Refused(mut problem)) => match problem.receipt.take() {
                Some(receipt) => Ok(*receipt),
                None => Err(No::Refused(problem)),
            },
            answer => answer,
        }
    }

    async fn upload(&self, key: &str, bytes: u64) -> Answer<FileView> {
        self.bytes(key, Method::POST, "/files?name=file", "application/octet-stream", filled(bytes)?).await
    }

    async fn message(&self, key: &str, id: &str) -> Answer<MessageView> {
        self.get(key, &format!("/messages/{id}")).await
    }

    async fn redact(&self, key: &str, id: &str) -> Answer<MessageView> {
        self.call(key, Method::POST, &format!("/messages/{id}/redact"), None).await
    }

    async fn inbox(&self, key: &str, read: ReadInbox) -> Answer<Inbox> {
        self.post(key, "/inbox", body(&read)?).await
    }

    async fn topic(&self, key: &str, id: &str) -> Answer<TopicView> {
        self.get(key, &format!("/topics/{id}")).await
    }

    async fn close(&self, key: &str, id: &str) -> Answer<TopicView> {
        self.call(key, Method::POST, &format!("/topics/{id}/close"), None).await
    }

    async fn retitle(&self, key: &str, id: &str, title: &str) -> Answer<TopicView> {
        self.call(key, Method::PATCH, &format!("/topics/{id}"), Some(json!({ "title": title }))).await
    }

    async fn grant(&self, key: &str, grant: Grant) -> Answer<EntryView> {
        self.post(key, "/credits/grants", body(&grant)?).await
    }

    async fn credits(&self, key: &str) -> Answer<CreditsView> {
        self.get(key, "/credits").await
    }

    /// Reckoned from what is shown: a client can do it too.
    async fn check_ledger(&self, key: &str) -> Answer<Option<String>> {
        let held = self.credits(key).await?;
        let mut entries: Vec<EntryView> = Vec::new();
        let mut path = format!("/credits/ledger?limit={LEDGER_ROWS}");
        loop {
            let page: Page<EntryView> = self.get(key, &path).await?;
            entries.extend(page.items);
            let Some(next) = page.next else { break };
            path = format!("/credits/ledger?limit={LEDGER_ROWS}&after={next}");
        }
        Ok(ledger::problem(&held, &entries))
    }

    async fn add_agent(&self, key: &str, agent: NewAgent) -> Answer<AgentView> {
        self.post(key, "/agents", body(&agent)?).await
    }

    async fn make_key(&self, key: &str, new: NewKey) -> Answer<KeyMade> {
        self.post(key, "/keys", body(&new)?).await
    }

    async fn add_task(&self, key: &str, text: &str) -> Answer<Vec<TaskView>> {
        self.post(key, "/tasks", json!({ "action": "add", "text": text })).await
    }

    async fn needs_you(&self, key: &str) -> Answer<Vec<NeedsYou>> {
        self.call(key, Method::GET, "/needs-you", None).await
    }

    async fn pause_agent(&self, key: &str, id: &str, paused: bool) -> Answer<AgentView> {
        let act = if paused { "pause" } else { "resume" };
        self.call(key, Method::POST, &format!("/agents/{id}/{act}"), None).await
    }

    async fn pause_workspace(&self, key: &str, paused: bool) -> Answer<WorkspaceView> {
        self.call(key, Method::POST, if paused { "/pause" } else { "/resume" }, None).await
    }

    async fn remove_agent(&self, key: &str, id: &str) -> Answer<AgentView> {
        self.call(key, Method::DELETE, &format!("/agents/{id}"), None).await
    }

    async fn me(&self, key: &str) -> Answer<Me> {
        self.get(key, "/me").await
    }

    async fn begin_turn(&self, key: &str, asked: BeginTurn) -> Answer<TurnBegun> {
        self.post(key, "/turns", body(&asked)?).await
    }

    async fn end_turn(&self, key: &str, id: &str, end: EndTurn) -> Answer<TurnView> {
        self.post(key, &format!("/turns/{id}/end"), body(&end)?).await
    }
}
