//! The description of the API: what the routes say of themselves, and what all of them have in common.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{OpenApi, ToSchema};
use ygg_wire::Problem;

use crate::router::{App, routes};

const KEY: &str = "key";
const SERVER_KEY: &str = "server_key";
const COOKIE: &str = "cookie";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Ygg",
        description = "Agents and people in one workspace: they propose, the backend decides. Every error is \
                       `application/problem+json` with a permanent `reason`, explained at `/errors/{reason}`."
    ),
    tags(
        (name = "messages", description = "Sending and reading."),
        (name = "topics", description = "Pieces of work."),
        (name = "conversations", description = "Places where participants talk."),
        (name = "inbox", description = "What waits for an agent."),
        (name = "turns", description = "Runs of agents: taken, kept alive, ended."),
        (name = "participants", description = "Agents and people."),
        (name = "notifications", description = "Where people are told outside of Ygg."),
        (name = "groups", description = "Names for several agents."),
        (name = "sessions", description = "Browsers that are signed in."),
        (name = "invites", description = "How people come in."),
        (name = "keys", description = "How participants sign in."),
        (name = "credits", description = "What sends are paid with."),
        (name = "audit", description = "What people decided, and what was refused."),
        (name = "tasks", description = "An agent's own list."),
        (name = "files", description = "What goes along with messages."),
        (name = "events", description = "What happens, as it happens."),
        (name = "server", description = "The server itself."),
    )
)]
struct Document;

/// The description of every route, in OpenAPI 3.1.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    document.merge(routes().into_openapi());
    let mut schemas = vec![(Problem::name().into_owned(), <Problem as utoipa::PartialSchema>::schema())];
    Problem::schemas(&mut schemas);
    let components = document.components.get_or_insert_default();
    for (name, schema) in schemas {
        components.schemas.entry(name).or_insert(schema);
    }
    for (name, description) in [
        (KEY, "A key of the workspace: ygga_… of an agent, yggp_… of a person."),
        (
            SERVER_KEY,
            "The key of the server's operator, yggo_…: in server.key of its data folder while it runs.",
        ),
    ] {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description)).build();
        components.security_schemes.insert(name.to_owned(), SecurityScheme::Http(scheme).into());
    }
    let cookie = "A browser session: the cookie that signing in sets, named ygg_<port>_<workspace>. What changes \
                  something needs the server's own Origin and a JSON content type besides.";
    components.security_schemes.insert(
        COOKIE.to_owned(),
        SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
            "ygg_<port>_<workspace>",
            cookie,
        )))
        .into(),
    );
    for (path, item) in &mut document.paths.paths {
        if path.contains("{workspace}") {
            item.parameters.get_or_insert_default().push(workspace().into());
        }
        let scheme = needed_key(path);
        let operations =
            [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter();
        for operation in operations.flatten() {
            let either = [scheme, scheme.filter(|scheme| *scheme == KEY).map(|_| COOKIE)];
            // Those that sign in say for themselves that they need nothing.
            if scheme.is_some() && operation.security.is_none() {
                let either = either.into_iter().flatten();
                let either = either.map(|scheme| SecurityRequirement::new(scheme, [""; 0]));
                operation.security = Some(either.collect());
            }
            add_problems(operation, path.starts_with("/v1/"));
        }
    }
    document
}

fn needed_key(path: &str) -> Option<&'static str> {
    match path {
        _ if path.starts_with("/v1/w/") => Some(KEY),
        _ if path.starts_with("/v1/server/") => Some(SERVER_KEY),
        _ => None,
    }
}

fn workspace() -> Parameter {
    ParameterBuilder::new()
        .name("workspace")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The workspace, by its name."))
        .schema(Some(ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).build()))
        .build()
}

/// The errors that an operation can end in, by what it takes.
fn add_problems(operation: &mut Operation, in_api: bool) {
    let takes_body = operation.request_body.is_some();
    let sends = operation.operation_id.as_deref() == Some("send");
    let always = [
        ("403", "Not allowed; or a Host or Origin that this server does not answer for."),
        ("404", "There is no such thing that the caller may see."),
        ("500", "A fault of the server."),
        ("503", "Not now; try again."),
    ];
    let of_api = [
        ("400", "The request cannot be read."),
        ("401", "No key or session, or one that does not stand; or a wrong password."),
        ("409", "What is there already is in the way."),
        ("422", "It can be read but not be done."),
        ("429", "Too many requests, or too many streams."),
    ];
    let with_body = [("413", "The body is too large."), ("415", "The body is not JSON.")];
    let sending = [("402", "Not enough credits.")];
    let chosen =
        [(&always[..], true), (&of_api[..], in_api), (&with_body[..], takes_body), (&sending[..], sends)];
    for (status, description) in chosen.into_iter().filter(|(_, applies)| *applies).flat_map(|(some, _)| some)
    {
        let content = Content::new(Some(RefOr::Ref(Ref::from_schema_name(Problem::name()))));
        let response = ResponseBuilder::new()
            .description(*description)
            .content("application/problem+json", content)
            .build();
        operation.responses.responses.entry((*status).to_owned()).or_insert(response.into());
    }
}

/// The description as JSON.
pub fn text() -> String {
    openapi().to_json().unwrap_or_else(|problem| {
        tracing::error!(%problem, "the description of the API does not write");
        "{}".to_owned()
    })
}

/// This description.
#[utoipa::path(
    get, path = "/openapi.json", tag = "server", security(()),
    responses((status = 200, description = "OpenAPI 3.1.", body = Object))
)]
pub async fn document(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], app.document.to_string())
}
