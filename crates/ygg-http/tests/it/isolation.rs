//! Two workspaces on one server: nothing of one is seen from the other [W1, O10].

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use ygg_domain::policy::Policy;

use crate::world::World;

/// A workspace with something of everything in it.
struct Place {
    slug: &'static str,
    owner: String,
    agent: String,
    ids: Ids,
}

struct Ids {
    topic: String,
    message: String,
    conversation: String,
    key: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_one_workspace_is_seen_from_another() {
    let world = World::new().await;
    let founded =
        world.engine.found_workspace("other", "ana", Policy::default(), 1000).await.expect("a workspace");
    let ours = fill(&world, "team", world.owner.clone(), "ours").await;
    let theirs = fill(&world, "other", founded.key.key, "theirs").await;

    for (from, to) in [(&ours, &theirs), (&theirs, &ours)] {
        for key in [&from.owner, &from.agent] {
            for path in paths(&to.ids) {
                // Another's address with one's own key, and with no key.
                let (status, answer) = get(&world, Some(key), to.slug, &path).await;
                assert_eq!((status.as_u16(), &answer["reason"]), (404, &json!("not_found")), "{path}");
                assert_eq!(answer, get(&world, Some(key), "never-was", &path).await.1, "{path}");
                assert_eq!(get(&world, None, to.slug, &path).await.0, 401, "{path}");
            }
            // Another's ids at one's own address read like ids that were never given out.
            let known = paths(&to.ids);
            let never = paths(&Ids {
                topic: "top_00000000000000000000000001".to_owned(),
                message: "msg_00000000000000000000000001".to_owned(),
                conversation: "cnv_00000000000000000000000001".to_owned(),
                key: "key_00000000000000000000000001".to_owned(),
            });
            for (path, never) in known.iter().zip(&never).filter(|(path, never)| path != never) {
                let (status, answer) = get(&world, Some(key), from.slug, path).await;
                let (status_never, answer_never) = get(&world, Some(key), from.slug, never).await;
                assert_eq!(status, status_never, "{path}");
                assert_eq!(answer["reason"], answer_never["reason"], "{path}");
                let quiet = status == 404 || answer["items"] == json!([]);
                assert!(quiet, "{path}: {status} {answer}");
            }
            let mut text = String::new();
            for path in paths(&from.ids) {
                text += &get(&world, Some(key), from.slug, &path).await.1.to_string();
            }
            assert!(!mentions(&text, to), "{text}");
        }
        writes(&world, from, to).await;
    }
    crate::logs::assert_no_key();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_shows_nothing_of_another_workspace() {
    let world = World::new().await;
    let founded =
        world.engine.found_workspace("other", "ana", Policy::default(), 1000).await.expect("a workspace");
    let mut live = world.events(&world.owner, "", None).await;
    let ours = fill(&world, "team", world.owner.clone(), "ours").await;
    let theirs = fill(&world, "other", founded.key.key, "theirs").await;
    // The end of what is looked at.
    world.agent("last").await;
    let mut replay = world.events(&world.owner, "?after=0", None).await;
    let mut as_agent = world.events(&ours.agent, "?after=0", None).await;
    for stream in [&mut live, &mut replay, &mut as_agent] {
        let mut posted = 0;
        loop {
            let seen = stream.next().await.expect("the stream goes on");
            posted += usize::from(seen.kind == "conversation.message.posted");
            assert!(!mentions(&seen.event.to_string(), &theirs), "{}", seen.event);
            if seen.event["data"]["agent"]["id"] == "last" {
                break;
            }
        }
        assert_eq!(posted, 2);
    }
    // Another workspace's places in the log are no way in either.
    let last = world.events(&world.owner, "", Some(1_000_000)).await;
    drop(last);
    for path in ["/events", "/events?after=0"] {
        assert_eq!(get(&world, Some(&ours.owner), "other", path).await.0, 404);
    }
}

async fn fill(world: &World, slug: &'static str, owner: String, word: &str) -> Place {
    let post = async |key: &str, path: &str, body: Value| {
        let url = format!("{}/v1/w/{slug}{path}", world.url);
        let answer = world.client.post(url).bearer_auth(key).json(&body).send().await.expect("an answer");
        let (status, value) = (answer.status(), answer.json::<Value>().await.expect("JSON"));
        assert!(status.is_success(), "{path}: {value}");
        value
    };
    let agent = format!("{word}-agent");
    post(&owner, "/agents", json!({"id": agent, "description": format!("of {word}")})).await;
    let made = post(&owner, "/keys", json!({"participant": agent, "label": format!("of {word}")})).await;
    let text = |value: &Value, field: &str| value[field].as_str().expect("a text").to_owned();
    let draft = json!({"to": agent, "type": "request", "topic_id": "new", "title": format!("of {word}"), "text": format!("of {word}")});
    let receipt = post(&owner, "/messages", draft).await;
    let key = text(&made, "key");
    let answer = json!({"to": "@ana", "type": "inform", "topic_id": receipt["topic_id"], "text": format!("of {word}")});
    post(&key, "/messages", answer).await;
    post(&key, "/tasks", json!({"action": "add", "text": format!("of {word}")})).await;
    let ids = Ids {
        topic: text(&receipt, "topic_id"),
        message: text(&receipt, "message_id"),
        conversation: text(&receipt, "conversation_id"),
        key: text(&made, "id"),
    };
    Place { slug, owner, agent: key, ids }
}

/// Every address that can be read.
fn paths(ids: &Ids) -> Vec<String> {
    let Ids { topic, message, conversation, .. } = ids;
    let mut paths: Vec<String> = [
        "/topics",
        "/conversations",
        "/me",
        "/directory",
        "/agents",
        "/people",
        "/groups",
        "/keys",
        "/credits",
        "/credits/ledger",
        "/tasks",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend([
        format!("/messages/{message}"),
        format!("/topics/{topic}"),
        format!("/topics/{topic}/messages"),
        format!("/topics?conversation_id={conversation}"),
        format!("/conversations/{conversation}"),
    ]);
    paths
}

/// What could be changed of another workspace, cannot.
async fn writes(world: &World, from: &Place, to: &Place) {
    let topic = &to.ids.topic;
    for (method, path, body) in [
        (Method::POST, "/messages".to_owned(), json!({"to": "@ana", "topic_id": topic, "text": "x"})),
        (Method::PATCH, format!("/topics/{topic}"), json!({"title": "x"})),
        (Method::POST, format!("/topics/{topic}/close"), Value::Null),
        (Method::DELETE, format!("/keys/{}", to.ids.key), Value::Null),
        (Method::POST, "/credits/grants".to_owned(), json!({"to": topic, "credits": 1})),
    ] {
        for slug in [from.slug, to.slug] {
            let url = format!("{}/v1/w/{slug}{path}", world.url);
            let mut request = world.client.request(method.clone(), url).bearer_auth(&from.owner);
            if !body.is_null() {
                request = request.json(&body);
            }
            let answer = request.send().await.expect("an answer");
            assert_eq!(answer.status(), 404, "{slug}{path}");
        }
    }
    let (status, _) = get(world, Some(&to.agent), to.slug, "/me").await;
    assert_eq!(status, 200, "their key stands");
    assert_eq!(get(world, Some(&to.owner), to.slug, &format!("/topics/{topic}")).await.1["status"], "open");
}

fn mentions(text: &str, place: &Place) -> bool {
    let Ids { topic, message, conversation, key } = &place.ids;
    let word = if place.slug == "other" { "theirs" } else { "ours" };
    [topic, message, conversation, key].iter().any(|id| text.contains(id.as_str())) || text.contains(word)
}

async fn get(world: &World, key: Option<&str>, slug: &str, path: &str) -> (StatusCode, Value) {
    let mut request = world.client.get(format!("{}/v1/w/{slug}{path}", world.url));
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    // One id for all: apart from it, answers can be compared.
    let answer = request.header("x-request-id", "same").send().await.expect("an answer");
    (answer.status(), answer.json().await.expect("JSON"))
}
