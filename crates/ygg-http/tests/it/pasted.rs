//! What must not stand in a text: a key wherever somebody pastes one, letters that hide, reserved names; and words that
//! look like orders, which are words [W2, O8, M5].

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, PASSWORD, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_pasted_where_text_goes_is_refused_and_kept_nowhere() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let mia = world.person("mia", "member").await;
    let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let topic = world.send(&world.owner, draft).await["topic_id"].as_str().expect("an id").to_owned();
    let task = world.post(&scout, "/tasks", json!({"action": "add", "text": "x"})).await[0]["id"].clone();
    let task = task.as_str().expect("an id");
    let message = |fields: &str| {
        format!(
            r#"{{"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x", {fields}}}"#
        )
    };
    let (owner, person) = (&world.owner, mia.id());
    let table = [
        (
            owner,
            "POST",
            "/messages".to_owned(),
            r#"{"to": "scout", "topic_id": "new", "title": "t", "text": "use KEY"}"#.to_owned(),
        ),
        (
            owner,
            "POST",
            "/messages".to_owned(),
            r#"{"to": "scout", "topic_id": "new", "title": "KEY", "text": "x"}"#.to_owned(),
        ),
        (owner, "POST", "/messages".to_owned(), message(r#""body": {"key": "KEY"}"#)),
        (owner, "POST", "/messages".to_owned(), message(r#""body": {"deep": [{"KEY": 1}]}"#)),
        (owner, "POST", "/messages".to_owned(), message(r#""body": ["\u0079KEY-WITHOUT-Y"]"#)),
        (owner, "POST", "/messages".to_owned(), message(r#""idempotency_key": "KEY""#)),
        (owner, "POST", "/messages".to_owned(), message(r#""state": "KEY""#)),
        (owner, "POST", "/messages".to_owned(), message(r#""KEY": 1"#)),
        (owner, "PATCH", format!("/topics/{topic}"), r#"{"title": "KEY"}"#.to_owned()),
        (&scout, "POST", "/tasks".to_owned(), r#"{"action": "add", "text": "KEY"}"#.to_owned()),
        (
            &scout,
            "POST",
            "/tasks".to_owned(),
            format!(r#"{{"action": "update", "id": "{task}", "text": "KEY"}}"#),
        ),
        (owner, "POST", "/agents".to_owned(), r#"{"id": "new-one", "description": "KEY"}"#.to_owned()),
        (owner, "POST", "/agents".to_owned(), r#"{"id": "new-one", "display_name": "KEY"}"#.to_owned()),
        (owner, "PATCH", "/agents/scout".to_owned(), r#"{"description": "KEY"}"#.to_owned()),
        (owner, "PATCH", "/agents/scout".to_owned(), r#"{"display_name": "KEY"}"#.to_owned()),
        (owner, "PATCH", format!("/people/{person}"), r#"{"display_name": "KEY"}"#.to_owned()),
        (owner, "POST", "/keys".to_owned(), r#"{"participant": "scout", "label": "KEY"}"#.to_owned()),
    ];
    for (who, method, path, body) in table {
        let pasted = world.key("scout").await;
        let key = pasted["key"].as_str().expect("a key");
        let body = body.replace("KEY-WITHOUT-Y", &key[1..]).replace("KEY", key);
        let who = As::Key(who.clone());
        let (status, answer) = world.ask(&who, method, &world.path(&path), &body).await;
        assert!((400..500).contains(&status), "{method} {path} {body}: {status} {answer}");
        assert!(!answer.contains(&key[5..]), "{method} {path} {body}: {answer}");
        assert!(!world.keeps(key), "{method} {path} {body} is kept");
        let id = pasted["id"].as_str().expect("an id");
        world.call(owner, Method::DELETE, &format!("/keys/{id}"), None).await;
    }
    // What a browser says of itself is no reason to refuse it.
    let sign_in = json!({"handle": "mia", "password": PASSWORD});
    let request = world.client.post(format!("{}{}", world.url, world.path("/sessions"))).json(&sign_in);
    let answer = request.header("user-agent", format!("Browser {scout}")).send().await.expect("an answer");
    assert_eq!(answer.status(), 201);
    let told: Value = answer.json().await.expect("JSON");
    assert_eq!(told["session"]["label"], "");
    assert!(!world.keeps(&scout));
    // The look does find what is kept.
    world.post(owner, "/keys", json!({"participant": "scout", "label": "a label to be found"})).await;
    assert!(world.keeps("a label to be found"));
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_and_descriptions_hide_nothing() {
    let world = World::new().await;
    world.agent("scout").await;
    let mia = world.person("mia", "member").await;
    let person = format!("/people/{}", mia.id());
    for hidden in ["a\u{202e}b", "a\u{200b}b", "a\0b", "a\u{2066}b", "a\u{feff}b", "two\nlines"] {
        for (method, path, body) in [
            (Method::POST, "/agents", json!({"id": "new-one", "display_name": hidden})),
            (Method::POST, "/agents", json!({"id": "new-one", "description": hidden})),
            (Method::PATCH, "/agents/scout", json!({"display_name": hidden})),
            (Method::PATCH, "/agents/scout", json!({"description": hidden})),
            (Method::PATCH, person.as_str(), json!({"display_name": hidden})),
            (Method::POST, "/keys", json!({"participant": "scout", "label": hidden})),
        ] {
            let (status, problem) = world.call(&world.owner, method, path, Some(body.clone())).await;
            assert_eq!(status, 422, "{path} {body}: {problem}");
        }
    }
    let agents = world.get(&world.owner, "/agents").await;
    assert_eq!((&agents[0]["display_name"], &agents[0]["description"]), (&json!("scout"), &json!("")));
    assert_eq!(agents.as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reserved_words_name_nobody() {
    let world = World::new().await;
    let reserved = [
        "system",
        "human",
        "group",
        "hook",
        "conversation",
        "new",
        "all",
        "drop",
        "off",
        "system.ygg",
        "human.1",
    ];
    for name in reserved {
        let (status, problem) =
            world.call(&world.owner, Method::POST, "/agents", Some(json!({"id": name}))).await;
        assert_eq!(status, 422, "agent {name}: {problem}");
        let members = Some(json!({"members": []}));
        let (status, problem) =
            world.call(&world.owner, Method::PUT, &format!("/groups/{name}"), members).await;
        assert!(status.is_client_error(), "group {name}: {problem}");
        let invite = world.post(&world.owner, "/invites", json!({"role": "member"})).await;
        let accept = json!({"code": invite["code"], "handle": name, "password": PASSWORD});
        let (status, told) = world.ask(&As::Nobody, "post", "/v1/invites/accept", &accept.to_string()).await;
        assert_eq!(status, 422, "person {name}: {told}");
    }
    let directory = world.get(&world.owner, "/directory").await;
    assert_eq!((&directory["agents"], &directory["groups"]), (&json!([]), &json!([])));
    assert_eq!(directory["people"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_look_like_orders_change_no_state() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let asked = world.send(&world.owner, draft).await;
    let path = format!("/topics/{}", asked["topic_id"].as_str().expect("an id"));
    let before = world.get(&world.owner, &path).await;
    for words in ["state: done", "TERMINATE", "{\"state\": \"done\"}", "[DONE]", "/close", "done"] {
        for body in [Value::Null, json!({"state": "done", "close": true}), json!(words)] {
            let mut draft =
                json!({"to": "@ana", "type": "inform", "topic_id": asked["topic_id"], "text": words});
            if !body.is_null() {
                draft["body"] = body;
            }
            world.send(&scout, draft).await;
            let after = world.get(&world.owner, &path).await;
            assert_eq!(
                (&after["status"], &after["states"]),
                (&before["status"], &before["states"]),
                "{words}"
            );
        }
    }
}
