//! Surface: the MCP tools, over Streamable HTTP at `/mcp`.
//!
//! It decodes a call, makes one engine call and says in words what came of it. It holds no rules and keeps no
//! sessions: every request stands alone, so any node may serve it. It must never put words of others outside a
//! fence [P5], nor answer a refusal with a protocol error, which no model gets to see.

mod auth;
mod fault;
mod lenient;
mod server;

mod answer;
mod arguments;
mod render;

mod conversation;
mod inbox;
mod me;
mod message;
mod participant;
mod task;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use ygg_domain::limits;
use ygg_engine::Engine;

use server::Server;

#[derive(Debug, Clone)]
pub struct Config {
    /// Largest request body in bytes.
    pub body_bytes: usize,
}

impl Default for Config {
    /// Room for the largest message with every byte of it written as a `\u` escape, and for the frame around it.
    fn default() -> Self {
        const ESCAPED: usize = 6;
        const FRAME_BYTES: usize = 64 * 1024;
        Self { body_bytes: ESCAPED * (limits::MESSAGE_TEXT_BYTES + limits::MESSAGE_BODY_BYTES) + FRAME_BYTES }
    }
}

/// Serves `/mcp` to agents that show their key.
pub fn router(engine: Engine, config: Config) -> Router {
    mount(Server::new(engine.clone()), config).route_layer(from_fn_with_state(engine, auth::authenticate))
}

/// The transport without the tools and without the keys: what any server behind it speaks at `/mcp`. Public for the
/// conformance tests, which put a server of their own behind it.
///
/// Host and Origin are not looked at here: `ygg-http`'s guard stands before this router and knows the names under
/// which this server is public; rmcp's own check would refuse all of them but localhost [O7].
pub fn mount(server: impl ServerHandler + Clone, config: Config) -> Router {
    // No sessions and plain JSON answers: Gemini CLI chokes on the events that open a stream, and a session would
    // bind a client to one node.
    let transport = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(config.body_bytes)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        transport,
    );
    Router::new()
        .route_service("/mcp", service.clone())
        .route_service("/mcp/", service)
        .route_layer(from_fn_with_state(config, lenient::relax))
}
