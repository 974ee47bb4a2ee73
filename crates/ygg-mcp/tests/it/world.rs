//! A workspace on a server of its own, and agents who call tools on it. Every result of every call in every test
//! is checked here: one text block, the same text as data, and the tool's own output schema.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::Value;
use tokio::task::JoinHandle;
use ygg_domain::policy::Policy;
use ygg_engine::{Caller, Engine, RateLimit, SystemClock};
use ygg_store::Store;
use ygg_store::sqlite::Sqlite;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;
use ygg_wire::tool;

pub struct World {
    pub engine: Engine,
    pub owner: Caller,
    /// The owner's key.
    pub person: String,
    pub url: String,
    serving: JoinHandle<()>,
    _dir: tempfile::TempDir,
}

impl Drop for World {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl World {
    pub async fn start() -> Self {
        Self::with(Policy::default(), 100_000, RateLimit::Off).await
    }

    pub async fn limited(burst: u32) -> Self {
        let burst = NonZeroU32::new(burst).expect("a number from 1 up");
        let rate = RateLimit::PerKey { per_second: NonZeroU32::MIN, burst };
        Self::with(Policy::default(), 100_000, rate).await
    }

    /// On a store of the test's making over the file.
    pub async fn over(store: impl FnOnce(Sqlite) -> Arc<dyn Store>) -> Self {
        Self::build(store, Policy::default(), 100_000, RateLimit::Off).await
    }

    pub async fn with(policy: Policy, credits: i64, rate: RateLimit) -> Self {
        Self::build(|store| Arc::new(store), policy, credits, rate).await
    }

    async fn build(
        over: impl FnOnce(Sqlite) -> Arc<dyn Store>,
        policy: Policy,
        credits: i64,
        rate: RateLimit,
    ) -> Self {
        // Once per process; whoever comes second finds it done.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let dir = tempfile::tempdir().expect("a directory");
        let store = Sqlite::open(&dir.path().join("ygg.db")).expect("a store");
        let engine = Engine::new(over(store), Arc::new(SystemClock), rate);
        let founded = engine.found_workspace("acme", "ana", policy, credits).await.expect("a workspace");
        let owner = engine.authenticate(None, &founded.key.key).await.expect("the owner");
        let router = ygg_mcp::router(engine.clone(), ygg_mcp::Config::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.expect("serves") });
        Self { engine, owner, person: founded.key.key, url, serving, _dir: dir }
    }

    /// Adds an agent and gives it a key.
    pub async fn key(&self, agent: NewAgent) -> String {
        let participant = agent.id.clone();
        self.engine.add_agent(&self.owner, agent).await.expect("an agent");
        let key = NewKey { participant, label: String::new() };
        self.engine.make_key(&self.owner, key).await.expect("a key").key
    }

    pub async fn agent(&self, id: &str) -> Agent {
        self.described(id, "").await
    }

    pub async fn described(&self, id: &str, description: &str) -> Agent {
        let new = NewAgent { id: id.to_owned(), description: description.to_owned(), ..NewAgent::default() };
        Agent::connect(&self.url, &self.key(new).await).await
    }

    /// Sends a message of the owner's, and returns its receipt.
    pub async fn says(&self, draft: Value) -> ygg_wire::Receipt {
        let receipt = self.engine.send(&self.owner, draft).await.expect("a receipt");
        assert_eq!(receipt.outcome, "delivered", "{receipt:?}");
        receipt
    }
}

pub struct Agent {
    client: RunningService<RoleClient, ()>,
    schemas: BTreeMap<String, jsonschema::Validator>,
}

/// What a tool answered.
#[derive(Debug)]
pub struct Told {
    pub is_error: bool,
    pub text: String,
    pub data: Value,
}

impl Agent {
    pub async fn connect(url: &str, key: &str) -> Self {
        Self::new(().serve(transport(url, key)).await.expect("initialize"))
    }

    /// By the revision without `initialize`.
    pub async fn discover(url: &str, key: &str) -> Self {
        let lifecycle = ClientLifecycleMode::Discover {
            preferred_versions: vec![rmcp::model::ProtocolVersion::V_2026_07_28],
        };
        Self::new(().serve_with_lifecycle(transport(url, key), lifecycle).await.expect("discover"))
    }

    fn new(client: RunningService<RoleClient, ()>) -> Self {
        let schemas = tool::all()
            .into_iter()
            .map(|tool| {
                let schema = Value::Object(tool.output_schema);
                (tool.name.to_owned(), jsonschema::validator_for(&schema).expect("a schema"))
            })
            .collect();
        Self { client, schemas }
    }

    pub fn client(&self) -> &RunningService<RoleClient, ()> {
        &self.client
    }

    pub async fn call(&self, tool: &'static str, arguments: Value) -> Told {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.client.call_tool(params).await.expect("a result, not a protocol error");
        let [content] = result.content.as_slice() else { panic!("one text block: {result:?}") };
        let text = content.as_text().expect("a text block").text.clone();
        let data = result.structured_content.expect("structured content");
        assert_eq!(data["text"], text.as_str(), "the same text on both sides");
        let wrong: Vec<String> =
            self.schemas[tool].iter_errors(&data).map(|wrong| wrong.to_string()).collect();
        assert!(wrong.is_empty(), "{tool} answers against its schema: {wrong:?}\n{data:#}");
        only_declared(tool, &data);
        Told { is_error: result.is_error == Some(true), text, data }
    }

    /// A call that succeeds.
    pub async fn get(&self, tool: &'static str, arguments: Value) -> Told {
        let told = self.call(tool, arguments).await;
        assert!(!told.is_error, "{told:?}");
        told
    }

    /// A call that is refused, with that reason.
    pub async fn refused(&self, tool: &'static str, arguments: Value, reason: &str) -> Told {
        let told = self.call(tool, arguments).await;
        assert!(told.is_error, "{told:?}");
        assert_eq!(told.data["reason"], reason, "{told:?}");
        assert!(told.text.contains(reason), "{told:?}");
        let help = told.data["help"].as_str().expect("help");
        assert!(told.text.starts_with(help), "{told:?}");
        told
    }
}

/// A schema that leaves fields open is met by anything: what is not declared must not be sent.
fn only_declared(name: &str, data: &Value) {
    let tool = tool::all().into_iter().find(|tool| tool.name == name).expect("a tool");
    compare(name, &Value::Object(tool.output_schema), data);
}

fn compare(place: &str, schema: &Value, data: &Value) {
    match data {
        Value::Object(fields) => {
            // An object without properties is a map with keys of its own.
            let Some(properties) = schema["properties"].as_object() else { return };
            for (name, value) in fields {
                let declared =
                    properties.get(name).unwrap_or_else(|| panic!("{place}.{name} is not declared"));
                compare(&format!("{place}.{name}"), declared, value);
            }
        }
        Value::Array(entries) => entries.iter().for_each(|entry| compare(place, &schema["items"], entry)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn transport(url: &str, key: &str) -> StreamableHttpClientTransport<reqwest::Client> {
    StreamableHttpClientTransport::from_config(
        StreamableHttpClientTransportConfig::with_uri(url).auth_header(key),
    )
}

/// The first id of that kind in a receipt or inbox, by path.
pub fn id(told: &Told, path: &str) -> String {
    told.data.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("{path} in {told:?}")).to_owned()
}
