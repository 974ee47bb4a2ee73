//! A whole exchange between two agents, over the revision with `initialize` and the one without.

use serde_json::{Value, json};
use ygg_wire::participant::NewAgent;
use ygg_wire::tool::{CONVERSATION, DIRECTORY, INBOX, ME, SEND, TASKS};

use crate::world::{Agent, World, id};

#[tokio::test]
async fn a_request_is_asked_answered_and_closed() {
    let world = World::start().await;
    exchange(&world.agent("scout").await, &world.agent("builder").await).await;
}

#[tokio::test]
async fn the_same_without_initialize() {
    let world = World::start().await;
    let mut agents = Vec::new();
    for id in ["scout", "builder"] {
        let key = world.key(NewAgent { id: id.to_owned(), ..NewAgent::default() }).await;
        agents.push(Agent::discover(&world.url, &key).await);
    }
    exchange(&agents[0], &agents[1]).await;
}

async fn exchange(scout: &Agent, builder: &Agent) {
    let empty = builder.get(INBOX, json!({})).await;
    assert_eq!(empty.text, "Nothing is waiting for builder in workspace acme.\n");

    let asked = scout
        .get(
            SEND,
            json!({
                "to": ["builder"], "type": "request", "topic_id": "new", "title": "Review the patch",
                "text": "Is the token refresh safe?", "state": "waiting", "waiting_for": ["builder"],
            }),
        )
        .await;
    assert_eq!(asked.data["outcome"], "delivered");
    assert_eq!(asked.data["recipients"], json!([{"id": "builder", "effect": "wake"}]));
    assert!(
        asked.text.contains("Woken: builder.") && asked.text.contains("1 credit was taken"),
        "{}",
        asked.text
    );
    let (topic, request) = (id(&asked, "/topic_id"), id(&asked, "/message_id"));

    let inbox = builder.get(INBOX, json!({})).await;
    let woken = &inbox.data["wakes"][0];
    assert_eq!(
        (&woken["kind"], &woken["from"], &woken["trust"]),
        (&json!("request"), &json!("scout"), &json!("participant"))
    );
    assert_eq!((&woken["message_id"], &inbox.data["topic_id"]), (&json!(request), &json!(topic)));
    assert!(
        inbox.text.contains("Is the token refresh safe?") && inbox.text.contains(&request),
        "{}",
        inbox.text
    );

    let answered = builder
        .get(
            SEND,
            json!({
                "to": "scout", "type": "response", "topic_id": topic, "in_reply_to": request,
                "text": "One race is left: lock refresh().",
            }),
        )
        .await;
    assert_eq!(answered.data["recipients"][0]["effect"], "wake");

    let inbox = scout.get(INBOX, json!({})).await;
    assert_eq!(inbox.data["wakes"][0]["kind"], "response");
    assert!(inbox.text.contains("One race is left"), "{}", inbox.text);

    let told = scout
        .get(SEND, json!({"to": ["conversation"], "type": "inform", "topic_id": topic, "text": "Locked.", "state": "done"}))
        .await;
    assert_eq!(
        told.data["recipients"][0],
        json!({"id": "builder", "effect": "context", "reason": "context_inform"})
    );
    assert!(told.text.contains("Nobody was woken"), "{}", told.text);
    assert_eq!(told.data["topic"]["status"], "open");

    let last = builder
        .get(
            SEND,
            json!({"to": "scout", "type": "inform", "topic_id": topic, "text": "Good.", "state": "done"}),
        )
        .await;
    assert_eq!(last.data["topic"]["status"], "closed");
    assert!(last.text.contains("is closed"), "{}", last.text);
    read_afterwards(scout, &topic).await;
}

async fn read_afterwards(scout: &Agent, topic: &str) {
    let back = scout.get(CONVERSATION, json!({"topic_id": topic})).await;
    let said: Vec<(&Value, &Value)> = back.data["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .map(|message| (&message["from"], &message["type"]))
        .collect();
    let expected = [
        (json!("scout"), json!("request")),
        (json!("builder"), json!("response")),
        (json!("scout"), json!("inform")),
        (json!("builder"), json!("inform")),
    ];
    assert_eq!(said, expected.iter().map(|(from, kind)| (from, kind)).collect::<Vec<_>>());
    assert!(back.text.contains("Is the token refresh safe?") && back.text.contains("beginning of the topic"));

    let me = scout.get(ME, json!({})).await;
    assert_eq!((&me.data["id"], &me.data["workspace"]), (&json!("scout"), &json!("acme")));
    assert_eq!(me.data["topics"], json!([]));
    assert!(me.text.starts_with("You are scout, an agent of workspace acme."), "{}", me.text);

    let directory = scout.get(DIRECTORY, json!({})).await;
    let ids: Vec<&Value> =
        directory.data["agents"].as_array().expect("agents").iter().map(|agent| &agent["id"]).collect();
    assert_eq!(ids, [&json!("builder"), &json!("scout")]);
    assert_eq!(directory.data["people"][0]["handle"], "ana");
    assert!(directory.text.contains("@ana: a person, owner"), "{}", directory.text);
    assert!(directory.text.contains("scout (you)"), "{}", directory.text);

    let tasks = scout.get(TASKS, json!({"action": "list"})).await;
    assert_eq!(tasks.data["tasks"], json!([]));
    assert!(tasks.text.contains("scout"), "{}", tasks.text);
}

#[tokio::test]
async fn a_person_is_notified_and_wakes_whom_she_addresses() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    let line =
        json!({"to": ["scout"], "type": "inform", "topic_id": "new", "text": "Look at the build, please."});
    world.says(line).await;
    let inbox = scout.get(INBOX, json!({})).await;
    assert_eq!(
        (&inbox.data["wakes"][0]["kind"], &inbox.data["wakes"][0]["trust"]),
        (&json!("human"), &json!("operator"))
    );
    assert!(inbox.text.contains("@ana, who operates you"), "{}", inbox.text);
    let topic = id(&inbox, "/topic_id");
    let untitled = json!({"to": ["@ana"], "type": "inform", "topic_id": topic, "text": "It is red."});
    scout.refused(SEND, untitled.clone(), "title_required").await;
    let mut titled = untitled;
    titled["title"] = json!("The build");
    let told = scout.get(SEND, titled).await;
    assert_eq!(told.data["recipients"][0]["effect"], "notify");
    assert!(told.text.contains("Notified, being people: human."), "{}", told.text);
}

/// What has no type is harmless, and what only the backend sets is named and ignored.
#[tokio::test]
async fn what_is_malformed_is_told_back_and_wakes_nobody() {
    let world = World::start().await;
    let (scout, _builder) = (world.agent("scout").await, world.agent("builder").await);
    let told = scout
        .get(
            SEND,
            json!({
                "to": "builder", "topic_id": "new", "title": "Hello", "text": "Hi", "from": "ana", "hop": 0,
                "created_at": "2020-01-01T00:00:00Z", "waiting_for": 7,
            }),
        )
        .await;
    assert_eq!(told.data["recipients"][0]["effect"], "context");
    let fields: Vec<&str> = told.data["notes"]
        .as_array()
        .expect("notes")
        .iter()
        .filter_map(|note| note["field"].as_str())
        .collect();
    for field in ["from", "hop", "created_at", "type", "waiting_for"] {
        assert!(fields.contains(&field), "{field} in {fields:?}");
        assert!(told.text.contains(&format!("Note on {field}")), "{}", told.text);
    }
    for kind in ["system", "notice", "nudge"] {
        let draft = json!({"to": "builder", "type": kind, "topic_id": told.data["topic_id"], "text": kind});
        assert_eq!(scout.get(SEND, draft).await.data["recipients"][0]["reason"], "context_inform");
    }
}

/// The same key is the same send; equal messages under different keys are two.
#[tokio::test]
async fn a_call_sent_again_under_its_key_is_sent_once() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let mut draft = json!({
        "to": ["builder"], "type": "request", "topic_id": "new", "title": "Once", "text": "Once, please.",
        "idempotency_key": "one",
    });
    let first = scout.get(SEND, draft.clone()).await;
    let again = scout.get(SEND, draft.clone()).await;
    assert_eq!(
        (&again.data["message_id"], &again.data["duplicate"]),
        (&first.data["message_id"], &json!(true))
    );
    assert!(again.text.contains("Nothing was done again"), "{}", again.text);
    assert_eq!(again.data["balance"], first.data["balance"]);
    draft["idempotency_key"] = json!("two");
    assert_ne!(scout.get(SEND, draft.clone()).await.data["message_id"], first.data["message_id"]);
    draft["text"] = json!("Something else.");
    scout.refused(SEND, draft, "idempotency_conflict").await;
    assert_eq!(builder.get(INBOX, json!({})).await.data["wakes"].as_array().map(Vec::len), Some(1));
}
