//! The server's operator: workspaces made, listed and deleted, by the server's key and no other [O4a].

use reqwest::Method;
use serde_json::{Value, json};
use ygg_domain::key::{KeyKind, SecretKey};

use crate::world::World;

/// A request to the server itself; its status and answer.
async fn ask(
    world: &World,
    key: Option<&str>,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> (u16, Value) {
    let mut request = world.client.request(method, format!("{}/v1{path}", world.url));
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    if let Some(body) = body {
        request = request.json(&body);
    }
    let answer = request.send().await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_makes_lists_and_deletes_workspaces() {
    let world = World::new().await;
    let key = Some(world.server_key.as_str());
    let list = async || ask(&world, key, Method::GET, "/server/workspaces", None).await.1;
    assert_eq!(list().await, json!([{"slug": "team", "paused": false}]));

    let new = json!({"slug": "lab", "owner": "@bo", "credits": 5});
    let (status, made) = ask(&world, key, Method::POST, "/server/workspaces", Some(new.clone())).await;
    assert_eq!((status, &made["workspace"]["slug"], &made["owner"]), (201, &json!("lab"), &json!("bo")));
    assert_eq!(list().await.as_array().map(Vec::len), Some(2));
    let owner = made["owner_key"]["key"].as_str().expect("a key").to_owned();
    let (_, credits) = ask(&world, Some(&owner), Method::GET, "/w/lab/credits", None).await;
    assert_eq!(credits["pool"], 5);

    for (body, status, reason) in [
        (new, 409, "conflict"),
        (json!({"slug": "No Name", "owner": "bo"}), 422, "invalid_message"),
        (json!({"slug": "law", "owner": "b o"}), 422, "invalid_message"),
        (json!({"slug": "law", "owner": "bo", "preset": "plane"}), 422, "invalid_message"),
        (json!({"slug": "law", "owner": "bo", "credits": -1}), 422, "invalid_message"),
        (json!({"slug": "law"}), 400, "invalid_request"),
    ] {
        let (told, problem) = ask(&world, key, Method::POST, "/server/workspaces", Some(body.clone())).await;
        assert_eq!((told, &problem["reason"]), (status, &json!(reason)), "{body}");
    }

    let (status, gone) = ask(&world, key, Method::DELETE, "/server/workspaces/lab", None).await;
    assert_eq!((status, &gone["slug"]), (200, &json!("lab")));
    assert_eq!(ask(&world, key, Method::DELETE, "/server/workspaces/lab", None).await.0, 404);
    assert_eq!(ask(&world, key, Method::DELETE, "/server/workspaces/N%20N", None).await.0, 404);
    assert_eq!(ask(&world, Some(&owner), Method::GET, "/w/lab/me", None).await.0, 401, "its keys are gone");
    assert_eq!(list().await, json!([{"slug": "team", "paused": false}]));
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_workspace_ends_its_streams_and_no_others() {
    let world = World::new().await;
    let key = Some(world.server_key.as_str());
    let new = json!({"slug": "lab", "owner": "bo"});
    let (_, made) = ask(&world, key, Method::POST, "/server/workspaces", Some(new)).await;
    let mut going_on = world.events(&world.owner, "", None).await;
    let url = format!("{}/v1/w/lab/events", world.url);
    let ending = world.client.get(url).bearer_auth(made["owner_key"]["key"].as_str().expect("a key"));
    let ending = ending.send().await.expect("a stream");
    assert_eq!(ending.status(), 200);
    ask(&world, key, Method::DELETE, "/server/workspaces/lab", None).await;
    let whole = tokio::time::timeout(crate::world::PATIENCE, ending.text()).await.expect("the stream ends");
    assert!(whole.expect("a whole stream").ends_with("retry: 1000\n\n"), "it ends well");
    world.agent("scout").await;
    assert!(going_on.next().await.is_some(), "the other goes on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_servers_key_and_workspace_keys_are_not_good_for_each_other() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let another = SecretKey::new(KeyKind::Server, [8; 32]);
    let routes = [
        (Method::GET, "/server/workspaces", None),
        (Method::POST, "/server/workspaces", Some(json!({"slug": "lab", "owner": "bo"}))),
        (Method::DELETE, "/server/workspaces/team", None),
    ];
    let wrong = [None, Some(world.owner.as_str()), Some(&scout), Some(another.expose()), Some("nonsense")];
    for (method, path, body) in routes {
        for key in wrong {
            let (status, problem) = ask(&world, key, method.clone(), path, body.clone()).await;
            assert_eq!((status, &problem["reason"]), (401, &json!("unauthenticated")), "{method} {path}");
        }
    }
    for path in ["/w/team/me", "/w/team/events", "/w/never-was/me"] {
        assert_eq!(ask(&world, Some(&world.server_key), Method::GET, path, None).await.0, 401, "{path}");
    }
    assert_eq!(world.get(&world.owner, "/me").await["workspace"], "team");
}
