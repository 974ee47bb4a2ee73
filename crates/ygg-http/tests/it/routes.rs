//! Each route as it is meant to be used.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_is_sent_found_and_read() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let owner = &world.owner;
    let draft =
        json!({"to": "scout", "type": "request", "topic_id": "new", "title": "Look", "text": "Look here."});
    let (status, receipt) = world.call(owner, Method::POST, "/messages", Some(draft.clone())).await;
    assert_eq!((status.as_u16(), &receipt["outcome"]), (201, &json!("delivered")));
    let (topic, message) = (word(&receipt, "topic_id"), word(&receipt, "message_id"));

    let found = world.get(owner, &format!("/messages/{message}")).await;
    assert_eq!(
        (&found["text"], &found["sender"]),
        (&json!("Look here."), &world.get(owner, "/me").await["id"])
    );
    assert_eq!(world.get(&scout, &format!("/topics/{topic}")).await["title"], "Look");
    assert_eq!(world.get(&scout, "/topics?limit=1").await["items"][0]["id"], topic);
    let conversation = word(&found, "conversation_id");
    let path = format!("/topics?conversation_id={conversation}");
    assert_eq!(world.get(&scout, &path).await["items"][0]["id"], topic);
    assert_eq!(world.get(&scout, &format!("/topics/{topic}/messages")).await["items"][0]["id"], message);
    assert_eq!(world.get(owner, &format!("/conversations/{conversation}")).await["kind"], "direct");

    // Peeking takes a body, reading needs none.
    let peeked = world.post(&scout, "/inbox", json!({"peek": true})).await;
    let (status, inbox) = world.call(&scout, Method::POST, "/inbox", None).await;
    assert_eq!((status.as_u16(), inbox["wakes"][0]["message_id"].as_str()), (200, Some(message.as_str())));
    assert_eq!(peeked["wakes"], inbox["wakes"]);
    assert!(peeked["turn_id"].is_null());

    let answer =
        json!({"to": "@ana", "type": "response", "topic_id": topic, "in_reply_to": message, "text": "Seen."});
    let answered = world.send(&scout, answer).await;
    assert_eq!(answered["notes"], json!([]), "{answered}");
    let (status, absorbed) = world
        .call(
            &scout,
            Method::POST,
            "/messages",
            Some(json!({"to": "system.ygg", "topic_id": topic, "text": "x", "state": "done"})),
        )
        .await;
    assert_eq!((status.as_u16(), &absorbed["outcome"]), (200, &json!("absorbed")));

    let (_, retitled) =
        world.call(owner, Method::PATCH, &format!("/topics/{topic}"), Some(json!({"title": "Looked"}))).await;
    assert_eq!(retitled["title"], "Looked");
    let (status, closed) = world.call(owner, Method::POST, &format!("/topics/{topic}/close"), None).await;
    assert_eq!((status.as_u16(), &closed["status"]), (200, &json!("closed")));
    let late = json!({"to": "scout", "topic_id": topic, "text": "late"});
    let (status, problem) = world.call(owner, Method::POST, "/messages", Some(late)).await;
    assert_eq!((status.as_u16(), &problem["reason"]), (409, &json!("topic_closed")));
    assert_eq!(problem["receipt"]["reason"], "topic_closed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_of_a_send_may_stand_in_the_header() {
    let world = World::new().await;
    world.agent("scout").await;
    let send = async |header: &'static str, draft: Value| {
        let url = format!("{}{}", world.url, world.path("/messages"));
        let request = world.client.post(url).bearer_auth(&world.owner).header("idempotency-key", header);
        let answer = request.json(&draft).send().await.expect("an answer");
        (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON"))
    };
    let draft = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x"});
    let (first, receipt) = send("one", draft.clone()).await;
    let (again, same) = send("one", draft.clone()).await;
    assert_eq!((first, again, &same["duplicate"]), (201, 200, &json!(true)));
    assert_eq!(receipt["message_id"], same["message_id"]);
    let (status, problem) =
        send("one", json!({"to": "scout", "topic_id": "new", "title": "t", "text": "y"})).await;
    assert_eq!((status, &problem["reason"]), (409, &json!("idempotency_conflict")));
    // The body's own counts before the header's; null is none.
    let own = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "y", "idempotency_key": "two"});
    assert_eq!(send("one", own).await.0, 201);
    let null = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x", "idempotency_key": null});
    assert_eq!(send("one", null).await.1["duplicate"], true);
    assert_eq!(send("\u{e9}", draft).await.0, 400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_is_set_up_over_the_api() {
    let world = World::new().await;
    let owner = &world.owner;
    let (status, agent) = world.call(owner, Method::POST, "/agents", Some(json!({"id": "scout"}))).await;
    assert_eq!((status.as_u16(), &agent["id"]), (201, &json!("scout")));
    let edit = json!({"description": "Looks around."});
    let (_, edited) = world.call(owner, Method::PATCH, "/agents/scout", Some(edit)).await;
    assert_eq!(edited["description"], "Looks around.");
    let (_, group) =
        world.call(owner, Method::PUT, "/groups/crew", Some(json!({"members": ["scout"]}))).await;
    assert_eq!(group, json!({"name": "crew", "members": ["scout"]}));
    assert_eq!(world.get(owner, "/groups").await, json!([group]));
    assert_eq!(world.get(owner, "/agents").await, json!([edited]));
    assert_eq!(world.get(owner, "/people").await[0]["handle"], "ana");
    let directory = world.get(owner, "/directory").await;
    assert_eq!((&directory["agents"], &directory["groups"]), (&json!([edited]), &json!([group])));
    assert_eq!(world.get(owner, "/conversations").await["items"].as_array().map(Vec::len), Some(2));

    let url = format!("{}{}", world.url, world.path("/keys"));
    let made =
        world.client.post(url).bearer_auth(owner).json(&json!({"participant": "scout", "label": "laptop"}));
    let made = made.send().await.expect("an answer");
    assert_eq!(
        (made.status().as_u16(), &made.headers()["cache-control"]),
        (201, &"no-store".parse().expect("a value"))
    );
    let made: Value = made.json().await.expect("JSON");
    let (key, id) = (word(&made, "key"), word(&made, "id"));
    assert!(key.starts_with("ygga_"));
    let listed = world.get(owner, "/keys").await;
    let listed =
        listed.as_array().expect("a list").iter().find(|one| one["id"] == id.as_str()).expect("the key");
    assert_eq!((&listed["label"], listed.get("key")), (&json!("laptop"), None));

    let task = json!({"action": "add", "text": "Look"});
    assert_eq!(world.post(&key, "/tasks", task).await[0]["text"], "Look");
    assert_eq!(world.get(&key, "/tasks").await[0]["status"], "todo");
    let (status, revoked) = world.call(owner, Method::DELETE, &format!("/keys/{id}"), None).await;
    assert_eq!(status, 200);
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(world.call(&key, Method::GET, "/me", None).await.0, 401);

    let (status, entry) =
        world.call(owner, Method::POST, "/credits/grants", Some(json!({"to": "scout", "credits": 5}))).await;
    assert_eq!((status.as_u16(), &entry["balance"]), (201, &json!(5)));
    assert_eq!(world.get(owner, "/credits").await["wallets"], json!({"scout": 5}));
    let page = world.get(owner, "/credits/ledger?limit=1").await;
    assert_eq!(page["items"][0]["pot"], "wallet:scout");
    let next = page["next"].as_str().expect("another page");
    let last = world.get(owner, &format!("/credits/ledger?limit=1&after={next}")).await;
    assert_eq!((&last["items"][0]["pot"], last.get("next")), (&json!("pool"), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_may_not_do_what_people_do() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    for (method, path, body) in [
        (Method::POST, "/agents", json!({"id": "other"})),
        (Method::PATCH, "/agents/scout", json!({})),
        (Method::PUT, "/groups/crew", json!({"members": []})),
        (Method::POST, "/keys", json!({"participant": "scout"})),
        (Method::POST, "/credits/grants", json!({"to": "scout", "credits": 1})),
        (Method::GET, "/credits", Value::Null),
        (Method::GET, "/credits/ledger", Value::Null),
    ] {
        let body = Some(body).filter(|body| !body.is_null());
        let (status, problem) = world.call(&scout, method, path, body).await;
        assert_eq!((status.as_u16(), &problem["reason"]), (403, &json!("forbidden")), "{path}");
    }
    assert_eq!(world.get(&scout, "/keys").await, json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_tells_how_it_is_and_explains_its_errors() {
    let world = World::new().await;
    for (path, kind) in
        [("/healthz", "text/plain"), ("/readyz", "text/plain"), ("/errors/topic_limit", "text/markdown")]
    {
        let answer = world.client.get(format!("{}{path}", world.url)).send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        assert!(answer.headers()["content-type"].to_str().expect("text").starts_with(kind), "{path}");
        let head = world.client.head(format!("{}{path}", world.url)).send().await.expect("an answer");
        assert_eq!(head.status(), 200, "{path}");
    }
    let page = world.client.get(format!("{}/errors/topic_limit", world.url)).send().await.expect("an answer");
    assert!(page.text().await.expect("a text").starts_with("# topic_limit"));
}

fn word(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_else(|| panic!("{field}: {value}")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_of_no_rows_is_refused() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let draft = json!({"to": "scout", "topic_id": "new", "title": "t", "text": "x"});
    let topic = word(&world.send(&world.owner, draft).await, "topic_id");
    for path in ["/topics", "/conversations", "/credits/ledger", &format!("/topics/{topic}/messages")] {
        let none = world.call(&world.owner, Method::GET, &format!("{path}?limit=0"), None).await;
        assert_eq!((none.0.as_u16(), &none.1["reason"]), (400, &json!("invalid_request")), "{path}");
        assert!(none.1["help"].as_str().is_some_and(|help| help.contains("limit")), "{}", none.1);
        let one = world.get(&world.owner, &format!("{path}?limit=1")).await;
        assert_eq!(one["items"].as_array().map(Vec::len), Some(1), "{path}");
        world.get(&world.owner, &format!("{path}?limit=100000")).await;
    }
    drop(scout);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handle_names_a_person_wherever_an_id_does() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let me = world.get(&world.owner, "/me").await["id"].clone();
    for name in ["@ana", "ana", me.as_str().expect("an id")] {
        let made = world.post(&world.owner, "/keys", json!({"participant": name})).await;
        assert_eq!(made["participant"], me, "{name}");
    }
    let made = world.post(&world.owner, "/keys", json!({"participant": "@scout"})).await;
    assert_eq!(made["participant"], "scout");
    for (key, name, status) in
        [(&world.owner, "@nobody", 404), (&scout, "@nobody", 403), (&scout, "@ana", 403)]
    {
        let (told, _) = world.call(key, Method::POST, "/keys", Some(json!({"participant": name}))).await;
        assert_eq!(told.as_u16(), status, "{name}");
    }
}

/// What an agent's wallet holds is its own and its operators' business [W3].
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_wallet_holds_is_seen_by_those_who_see_it_move() {
    let world = World::new().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    world.post(&world.owner, "/credits/grants", json!({"to": "scout", "credits": 5})).await;
    for (who, seen) in [(&world.owner, json!(5)), (&scout, json!(5)), (&builder, Value::Null)] {
        let directory = world.get(who, "/directory").await;
        let agents = directory["agents"].as_array().expect("agents");
        let found = agents.iter().find(|agent| agent["id"] == "scout").expect("scout");
        assert_eq!(found["wallet"], seen);
    }
}
