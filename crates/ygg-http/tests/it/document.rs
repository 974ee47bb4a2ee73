//! The description of the API says what there is: every route, and nothing else.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};
use tower::ServiceExt;
use ygg_domain::policy::Policy;

use crate::world::World;

const W: &str = "/v1/w/{workspace}";
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The routes of the API, below the workspace and at the root.
const ROUTES: [(&str, &str); 60] = [
    ("post", "/turns"),
    ("get", "/turns/{id}"),
    ("post", "/turns/{id}/renew"),
    ("post", "/turns/{id}/end"),
    ("get", "/topics/{id}/turns"),
    ("get", "/agents/{id}/turns"),
    ("delete", "/agents/{id}"),
    ("post", "/agents/{id}/pause"),
    ("post", "/agents/{id}/resume"),
    ("post", "/pause"),
    ("post", "/resume"),
    ("get", "/needs-you"),
    ("post", "/messages"),
    ("get", "/messages/{id}"),
    ("get", "/messages/{id}/why"),
    ("post", "/messages/{id}/redact"),
    ("get", "/topics"),
    ("get", "/topics/{id}"),
    ("patch", "/topics/{id}"),
    ("post", "/topics/{id}/close"),
    ("get", "/topics/{id}/messages"),
    ("get", "/conversations"),
    ("post", "/conversations"),
    ("get", "/conversations/{id}"),
    ("post", "/inbox"),
    ("get", "/me"),
    ("get", "/directory"),
    ("get", "/agents"),
    ("post", "/agents"),
    ("patch", "/agents/{id}"),
    ("get", "/people"),
    ("patch", "/people/{id}"),
    ("delete", "/people/{id}"),
    ("get", "/invites"),
    ("post", "/invites"),
    ("delete", "/invites/{id}"),
    ("get", "/sessions"),
    ("post", "/sessions"),
    ("delete", "/sessions"),
    ("delete", "/sessions/{id}"),
    ("post", "/me/password"),
    ("get", "/groups"),
    ("put", "/groups/{name}"),
    ("get", "/keys"),
    ("post", "/keys"),
    ("delete", "/keys/{id}"),
    ("get", "/credits"),
    ("get", "/credits/ledger"),
    ("post", "/credits/grants"),
    ("get", "/search"),
    ("post", "/files"),
    ("get", "/files/{id}"),
    ("get", "/tasks"),
    ("post", "/tasks"),
    ("put", "/topics/{id}/read"),
    ("get", "/audit"),
    ("get", "/me/notifications"),
    ("put", "/me/notifications"),
    ("delete", "/me/notifications"),
    ("post", "/me/notifications/test"),
];
/// The routes of the server's operator.
const SERVER: [(&str, &str); 4] = [
    ("post", "/v1/server/people/{handle}/claim"),
    ("get", "/v1/server/workspaces"),
    ("post", "/v1/server/workspaces"),
    ("delete", "/v1/server/workspaces/{slug}"),
];
/// Open to the server's own machine.
const METRICS: &str = "/metrics";
const ROOT: [&str; 7] =
    ["/", "/healthz", "/readyz", METRICS, "/openapi.json", "/errors/{code}", "/rules/{part}"];

const ACCEPT: &str = "/v1/invites/accept";
const CLAIM: &str = "/v1/claims";
/// Signing in itself needs nothing.
const SIGN_IN: [&str; 3] = ["sign_in", "accept_invite", "take_claim"];

fn document() -> Value {
    serde_json::to_value(ygg_http::openapi()).expect("JSON")
}

/// Each documented operation: method, path, what is said of it.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            if METHODS.contains(&method.as_str()) {
                operations.push((method.clone(), path.clone(), operation.clone()));
            }
        }
    }
    operations
}

#[test]
fn every_route_is_described_and_nothing_else() {
    let described: BTreeSet<(String, String)> =
        operations(&document()).into_iter().map(|(method, path, _)| (method, path)).collect();
    let mut known: BTreeSet<(String, String)> =
        ROUTES.iter().map(|(method, path)| ((*method).to_owned(), format!("{W}{path}"))).collect();
    known.insert(("get".to_owned(), format!("{W}/events")));
    known.extend(SERVER.map(|(method, path)| (method.to_owned(), path.to_owned())));
    known.extend([ACCEPT, CLAIM].map(|path| ("post".to_owned(), path.to_owned())));
    known.extend(ROOT.map(|path| ("get".to_owned(), path.to_owned())));
    assert_eq!(described, known);
    // Routes are made in one place, by the macro that describes them too.
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("the sources") {
        let path = file.expect("a file").path();
        if path.is_file() {
            let text = std::fs::read_to_string(&path).expect("a text");
            assert!(!text.contains(".route(") && !text.contains("route_service("), "{}", path.display());
        }
    }
}

#[test]
fn every_operation_says_what_it_takes_gives_and_ends_in() {
    let document = document();
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let name = format!("{method} {path}");
        assert!(ids.insert(operation["operationId"].as_str().expect("an id").to_owned()), "{name}");
        assert!(operation["summary"].is_string(), "{name}");
        let responses = operation["responses"].as_object().expect("responses");
        let good = responses.iter().find(|(status, _)| status.starts_with('2')).expect("an answer");
        assert!(good.1["content"].is_object(), "{name}");
        let is_problem = |status: &str| status.starts_with(['4', '5']);
        let problems: Vec<_> = responses.iter().filter(|(status, _)| is_problem(status)).collect();
        for (status, problem) in &problems {
            let schema = &problem["content"]["application/problem+json"]["schema"]["$ref"];
            assert_eq!(schema, "#/components/schemas/Problem", "{name} {status}");
        }
        let codes: Vec<&str> = problems.iter().map(|(status, _)| status.as_str()).collect();
        assert_eq!(codes.contains(&"401"), path.starts_with("/v1/") || path == METRICS, "{name}");
        let id = operation["operationId"].as_str().unwrap_or_default();
        let security = match () {
            () if SIGN_IN.contains(&id) => json!([{}]),
            () if path.starts_with(W) => json!([{"key": []}, {"cookie": []}]),
            () if path.starts_with("/v1/server/") => json!([{"server_key": []}]),
            () if path == METRICS => json!([{}, {"server_key": []}]),
            () => json!([{}]),
        };
        assert_eq!(operation["security"], security, "{name}");
        assert_eq!(codes.contains(&"415"), operation["requestBody"].is_object(), "{name}");
        // Every name in the path is described.
        let shared = document["paths"][&path]["parameters"].as_array().cloned().unwrap_or_default();
        let own = operation["parameters"].as_array().cloned().unwrap_or_default();
        let described: BTreeSet<String> = shared
            .iter()
            .chain(&own)
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().expect("a name").to_owned())
            .collect();
        let named: BTreeSet<String> = path
            .split('/')
            .filter_map(|part| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')))
            .map(str::to_owned)
            .collect();
        assert_eq!(described, named, "{name}");
    }
    assert_eq!(document["components"]["securitySchemes"]["key"]["scheme"], "bearer");
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let mut open = vec![&document];
    let mut found = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    let pointer = to.strip_prefix('#').expect("a reference within");
                    assert!(document.pointer(pointer).is_some(), "{to}");
                    found += 1;
                }
                open.extend(fields.values());
            }
            Value::Array(entries) => open.extend(entries),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    assert!(found > 100, "{found}");
    for name in ["Draft", "Receipt", "Event", "Problem", "TopicView", "MessageView", "Inbox", "KeyMade"] {
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
}

/// Asks for each described operation, with real ids; and for every other method at each described path.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_is_there_and_no_other_method_is() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let spare = world.engine.found_workspace("spare", "ana", Policy::default(), 0).await;
    spare.expect("a workspace to delete");
    let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let receipt = world.send(&world.owner, draft).await;
    let began = world.post(&scout, "/turns", json!({"taker": "relay", "lease_seconds": 600})).await;
    let served: Value = {
        let answer = world.client.get(format!("{}/openapi.json", world.url)).send().await.expect("an answer");
        answer.json().await.expect("JSON")
    };
    assert_eq!(served, document());
    world.call(&world.owner, Method::PUT, "/groups/crew", Some(json!({"members": []}))).await;
    let key = world.get(&world.owner, "/keys").await[0]["id"].clone();
    let invite = world.post(&world.owner, "/invites", json!({"role": "viewer"})).await;
    let file = world.post(&world.owner, "/files", json!({})).await;
    let bo = world.person("bo", "member").await.about;
    let entered = world.person("cleo", "owner").await;
    let fill = |path: &str| {
        let id = match path {
            _ if path.contains("/turns/") => &began["turn"]["id"],
            _ if path.contains("/topics") => &receipt["topic_id"],
            _ if path.contains("/messages") => &receipt["message_id"],
            _ if path.contains("/conversations") => &receipt["conversation_id"],
            _ if path.contains("/keys") => &key,
            _ if path.contains("/people") => &bo["id"],
            _ if path.contains("/invites") => &invite["id"],
            _ if path.contains("/sessions") => &entered.told["session"]["id"],
            _ if path.contains("/files") => &file["id"],
            _ => &Value::Null,
        };
        let id = id.as_str().unwrap_or("scout");
        path.replace("{workspace}", "team")
            .replace("{id}", id)
            .replace("{name}", "crew")
            .replace("{slug}", "spare")
            .replace("{handle}", "ana")
            .replace("{code}", "not_found")
            .replace("{part}", "protocol")
    };
    let told = Some(json!({"webhook": "https://hooks.example/x"}));
    world.call(&world.owner, Method::PUT, "/me/notifications", told).await;
    let operations = operations(&served);
    // Deleting the key and closing the topic come last.
    let mut in_order: Vec<_> = operations.iter().collect();
    in_order.sort_by_key(|(method, path, _)| {
        let all_sessions = method == "delete" && path.ends_with("/sessions");
        (method == "delete" || path.contains("/close"), all_sessions)
    });
    for (method, path, operation) in in_order {
        let key = match () {
            () if ["/inbox", "/tasks", "/turns/{id}/"].iter().any(|own| path.contains(own)) => &scout,
            () if path.starts_with("/v1/server/") => &world.server_key,
            () if path.contains("/sessions") => &entered.key,
            () => &world.owner,
        };
        let body = operation["requestBody"].is_object();
        let answer = ask(&world, method, &fill(path), key, if body { "{}" } else { "" }).await;
        let described: Vec<&String> = operation["responses"].as_object().expect("responses").keys().collect();
        let status = answer.status().as_str().to_owned();
        assert!(described.contains(&&status), "{method} {path}: {status} is not described");
        assert!(status != "404" && status != "405" && !status.starts_with('5'), "{method} {path}: {status}");
    }
    for (_, path, _) in &operations {
        for method in METHODS {
            let there = operations.iter().any(|(other, at, _)| at == path && other == method);
            if !there {
                let answer = ask(&world, method, &fill(path), &world.owner, "").await;
                assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            }
        }
    }
}

async fn ask(world: &World, method: &str, path: &str, key: &str, body: &'static str) -> Response {
    let request = Request::builder()
        .method(method.to_uppercase().as_str())
        .uri(path)
        .header("host", "localhost")
        .header("authorization", format!("Bearer {key}"));
    world.app.clone().oneshot(request.body(Body::from(body)).expect("a request")).await.expect("an answer")
}
