//! Every route, and the one guard around them.

use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::middleware;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use ygg_engine::Engine;

use crate::config::Config;
use crate::figures::Figures;
use crate::file::Ways;
use crate::guard::{Guard, name_route, stand};
use crate::held::Held;
use crate::problem::Failure;
use crate::{
    audit, claim, conversation, credits, event, file, group, health, inbox, invite, key, me, message,
    metrics, needs_you, notification, openapi, page, participant, search, session, task, topic, turn,
    workspace,
};

/// What handlers share. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub engine: Engine,
    pub config: Arc<Config>,
    pub streams: Arc<Held>,
    pub ways: Arc<Ways>,
    pub figures: Arc<Figures>,
    /// `/openapi.json`, written once.
    pub document: Arc<str>,
}

/// The REST routes and the routes of `mcp`, behind one guard: Host and Origin, size, time, request ids, traces.
/// Client addresses are known when it is served by [`crate::serve`] or with axum's `ConnectInfo<SocketAddr>`.
pub fn app(engine: Engine, mcp: Router, config: Config) -> Router {
    if let Err(problem) = config.check() {
        tracing::error!("{problem}; it is left out");
    }
    let figures = Arc::new(Figures::new());
    let guard = Arc::new(Guard::new(&config, Arc::clone(&figures)));
    let streams = Arc::new(Held::new(config.streams_per_key, "event streams"));
    let document = Arc::from(openapi::text());
    let state =
        App { engine, config: Arc::new(config), streams, ways: Arc::new(Ways::new()), figures, document };
    let rest: Router =
        routes().split_for_parts().0.with_state(state).layer(middleware::from_fn(session::bake));
    let routes = rest.method_not_allowed_fallback(method_not_allowed).merge(mcp);
    let routes = routes.route_layer(middleware::from_fn(name_route)).fallback(no_such_route);
    // A router in a router: only so does the guard see the Allow header of an answer.
    Router::new().fallback_service(routes).layer(middleware::from_fn_with_state(guard, stand))
}

/// The routes with their documentation: what is not listed here is in neither.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .nest("/v1/w/{workspace}", within())
        .nest("/v1/server", server())
        .routes(routes!(invite::accept_invite))
        .routes(routes!(claim::take_claim))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::document))
        .routes(routes!(page::root))
        .routes(routes!(page::error_page))
        .routes(routes!(page::rules_page))
}

/// Of the server's operator.
fn server() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(workspace::workspaces, workspace::make_workspace))
        .routes(routes!(workspace::delete_workspace))
        .routes(routes!(claim::make_claim))
}

/// Of one workspace.
fn within() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(message::send))
        .routes(routes!(message::message))
        .routes(routes!(message::why))
        .routes(routes!(message::redact))
        .routes(routes!(topic::topics))
        .routes(routes!(topic::topic, topic::retitle_topic))
        .routes(routes!(topic::close_topic))
        .routes(routes!(topic::read_topic))
        .routes(routes!(topic::messages))
        .routes(routes!(conversation::conversations, conversation::make_room))
        .routes(routes!(conversation::conversation))
        .routes(routes!(inbox::inbox))
        .routes(routes!(turn::begin_turn))
        .routes(routes!(turn::turn))
        .routes(routes!(turn::renew_turn))
        .routes(routes!(turn::end_turn))
        .routes(routes!(turn::turns_of_topic))
        .routes(routes!(turn::turns_of_agent))
        .routes(routes!(me::me))
        .routes(routes!(participant::directory))
        .routes(routes!(participant::agents, participant::add_agent))
        .routes(routes!(participant::edit_agent, participant::remove_agent))
        .routes(routes!(participant::pause_agent))
        .routes(routes!(participant::resume_agent))
        .routes(routes!(workspace::pause))
        .routes(routes!(workspace::resume))
        .routes(routes!(needs_you::needs_you))
        .routes(routes!(participant::people))
        .routes(routes!(participant::edit_person, participant::remove_person))
        .routes(routes!(invite::invites, invite::make_invite))
        .routes(routes!(invite::revoke_invite))
        .routes(routes!(session::sessions, session::sign_in, session::end_sessions))
        .routes(routes!(session::end_session))
        .routes(routes!(session::change_password))
        .routes(routes!(group::groups))
        .routes(routes!(group::set_group))
        .routes(routes!(key::keys, key::make_key))
        .routes(routes!(key::revoke_key))
        .routes(routes!(credits::credits))
        .routes(routes!(credits::ledger))
        .routes(routes!(credits::grant))
        .routes(routes!(audit::audit))
        .routes(routes!(
            notification::notifications,
            notification::set_notifications,
            notification::stop_notifications
        ))
        .routes(routes!(notification::test_notifications))
        .routes(routes!(task::tasks, task::act_on_tasks))
        .routes(routes!(event::events))
        .routes(routes!(search::search))
        .routes(routes!(file::upload))
        .routes(routes!(file::download))
}

async fn no_such_route() -> Failure {
    Failure::new(404, "not_found", "There is nothing at this address; /openapi.json lists what there is.")
}

/// The guard copies `Allow` into the facts.
async fn method_not_allowed(method: Method) -> Failure {
    Failure::new(
        405,
        "method_not_allowed",
        "This address does not take this method; the Allow header lists those it takes.",
    )
    .fact("method", method.as_str().chars().take(32).collect::<String>())
}
