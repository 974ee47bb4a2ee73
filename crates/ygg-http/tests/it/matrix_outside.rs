//! Every route outside of a workspace × everybody: what each is answered [O4a, O10].

use std::collections::BTreeSet;

use serde_json::Value;

use crate::matrix::{WHO, cast, shape};
use crate::world::{As, World};

/// Method, address, body, and the status for each of `WHO` and for the server's operator.
const TABLE: &[(&str, &str, &str, &str)] = &[
    // Whoever asks, what counts is the code, and this one is nobody's.
    (
        "post",
        "/v1/invites/accept",
        r#"{"code":"{invite}","handle":"newcomer","password":"correct horse battery"}"#,
        "404 404 404 404 404 404 404 404 404",
    ),
    (
        "post",
        "/v1/claims",
        r#"{"code":"{claim}","password":"correct horse battery"}"#,
        "404 404 404 404 404 404 404 404 404",
    ),
    ("get", "/v1/server/workspaces", "", "401 401 401 401 401 401 401 401 200"),
    (
        "post",
        "/v1/server/workspaces",
        r#"{"slug":"fresh","owner":"bo"}"#,
        "401 401 401 401 401 401 401 401 201",
    ),
    ("delete", "/v1/server/workspaces/{slug}", "", "401 401 401 401 401 401 401 401 404"),
    ("post", "/v1/server/people/{handle}/claim", "", "401 401 401 401 401 401 401 401 201"),
    ("get", "/healthz", "", "200 200 200 200 200 200 200 200 200"),
    ("get", "/readyz", "", "200 200 200 200 200 200 200 200 200"),
    // From the server's own machine.
    ("get", "/metrics", "", "200 200 200 200 200 200 200 200 200"),
    ("get", "/openapi.json", "", "200 200 200 200 200 200 200 200 200"),
    ("get", "/", "", "200 200 200 200 200 200 200 200 200"),
    ("get", "/errors/{code}", "", "200 200 200 200 200 200 200 200 200"),
    ("get", "/rules/{file}", "", "200 200 200 200 200 200 200 200 200"),
];

fn fill(text: &str) -> String {
    let letters = "a".repeat(52);
    text.replace("{invite}", &format!("yggi_{letters}"))
        .replace("{claim}", &format!("yggc_{letters}"))
        .replace("{slug}", "nowhere")
        .replace("{handle}", "mia")
        .replace("{code}", "rate_limited")
        .replace("{file}", "protocol")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_outside_answers_everybody_as_the_table_says() {
    let world = World::new().await;
    let mut who = cast(&world).await.who;
    who.push(vec![As::Key(world.server_key.clone())]);
    let names: Vec<&str> = WHO.into_iter().chain(["operator"]).collect();
    let mut wrong = Vec::new();
    for (method, path, body, expected) in TABLE {
        let expected: Vec<u16> = expected.split(' ').map(|code| code.parse().expect("a status")).collect();
        assert_eq!(expected.len(), names.len(), "{path}");
        for ((name, who), expected) in names.iter().zip(&who).zip(expected) {
            for who in who {
                let (status, answer) = world.ask(who, method, &fill(path), &fill(body)).await;
                if status != expected {
                    wrong
                        .push(format!("{method} {path} as {name} by {}: {status} {answer:.200}", who.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    crate::logs::assert_no_key();
}

#[test]
fn the_table_has_every_route_outside() {
    let document: Value = serde_json::to_value(ygg_http::openapi()).expect("JSON");
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        if path.starts_with("/v1/w/") {
            continue;
        }
        for method in ["get", "post", "put", "patch", "delete"] {
            if item[method].is_object() {
                described.insert((method.to_owned(), shape(path)));
            }
        }
    }
    let named: BTreeSet<_> =
        TABLE.iter().map(|(method, path, ..)| ((*method).to_owned(), shape(path))).collect();
    assert_eq!(described, named);
}
