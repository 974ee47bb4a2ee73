//! The server that MCP's conformance suite asks for, behind the very transport that Ygg's own tools stand behind. What it
//! offers is data; see conformance/fixtures.json.

use std::sync::LazyLock;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

static FIXTURES: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../conformance/fixtures.json")).expect("the fixtures are JSON")
});

#[derive(Clone)]
pub struct Fixture;

type Context = RequestContext<RoleServer>;
type Result<T> = std::result::Result<T, ErrorData>;

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the fixtures have the shapes of the protocol")
}

fn all(kind: &str) -> &'static Map<String, Value> {
    FIXTURES[kind].as_object().expect("a map by name")
}

fn one(kind: &str, name: &str) -> Result<Value> {
    let missing = || ErrorData::invalid_params("there is none of that name", Some(json!({"uri": name})));
    all(kind).get(name).cloned().ok_or_else(missing)
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("fixture", "1"))
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult> {
        let schemas = all("schemas");
        let plain = || json!({"type": "object", "properties": {}});
        let tools = all("tools").keys().map(|name| {
            let schema = schemas.get(name).cloned().unwrap_or_else(plain);
            json!({"name": name, "description": "A fixture.", "inputSchema": schema})
        });
        Ok(ListToolsResult::with_all_items(tools.map(read).collect()))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse> {
        let mut result = one("tools", &request.name)?;
        result["resultType"] = json!("complete");
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, 50.0).with_total(100.0);
            // Nobody may be listening.
            let _ = context.peer.notify_progress(progress).await;
        }
        Ok(read::<CallToolResult>(result).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourcesResult> {
        let listed = all("resources").keys().filter(|uri| uri.contains("static"));
        let resources = listed.map(|uri| read(json!({"uri": uri, "name": uri, "description": "A fixture."})));
        Ok(ListResourcesResult::with_all_items(resources.collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult> {
        Ok(ListResourceTemplatesResult::with_all_items(read(FIXTURES["templates"].clone())))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse> {
        let mut content = one("resources", &request.uri)?;
        content["uri"] = json!(request.uri);
        Ok(read::<ReadResourceResult>(
            json!({"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "contents": [content]}),
        )
        .into())
    }

    async fn list_prompts(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListPromptsResult> {
        let prompts = all("prompts").iter().map(|(name, prompt)| {
            let arguments = prompt["arguments"].as_array().into_iter().flatten();
            let arguments: Vec<Value> = arguments
                .map(|name| json!({"name": name, "description": "A text.", "required": true}))
                .collect();
            read(json!({"name": name, "description": "A fixture.", "arguments": arguments}))
        });
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: Context) -> Result<GetPromptResponse> {
        let mut messages = one("prompts", &request.name)?["messages"].to_string();
        for (name, value) in request.arguments.into_iter().flatten() {
            messages = messages.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default());
        }
        let messages: Value = serde_json::from_str(&messages).expect("the suite's arguments are plain words");
        Ok(read::<GetPromptResult>(json!({"resultType": "complete", "messages": messages})).into())
    }

    async fn complete(&self, _: CompleteRequestParams, _: Context) -> Result<CompleteResult> {
        Ok(CompleteResult::default())
    }
}

/// Where it is served, for as long as this lives.
pub struct Served(pub String, tokio::task::JoinHandle<()>);

impl Served {
    pub async fn start() -> Self {
        let router = ygg_mcp::mount(Fixture, ygg_mcp::Config::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        Self(url, tokio::spawn(async move { axum::serve(listener, router).await.expect("serves") }))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.1.abort();
    }
}
