//! How far a person has read: the same number everywhere, 0 after reading, and told to nobody else [W6, K5a].

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, PersonHere, World};

/// What each way of counting says: the topic itself, the list, and the sum.
async fn counts(world: &World, key: &str, topic: &str) -> (i64, i64, i64) {
    let whole = |value: &Value| value.as_i64().unwrap_or_else(|| panic!("no number: {value}"));
    let one = world.get(key, &format!("/topics/{topic}")).await;
    let list = world.get(key, "/topics").await;
    let listed = list["items"].as_array().expect("a list").iter().find(|one| one["id"] == topic);
    let me = world.get(key, "/me").await;
    (whole(&one["unread"]), whole(&listed.expect("it is listed")["unread"]), whole(&me["unread"]))
}

async fn read(world: &World, who: &As, topic: &str, seq: i64) -> Value {
    let body = json!({"seq": seq}).to_string();
    let path = world.path(&format!("/topics/{topic}/read"));
    let (status, answer) = world.ask(who, "put", &path, &body).await;
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(&answer).expect("JSON")
}

/// A topic that scout asks Mia something in, with so many messages; its id and their places.
async fn talk(world: &World, scout: &str, messages: usize) -> (String, Vec<i64>) {
    let mut topic = json!("new");
    for number in 0..messages {
        let kind = if number == 0 { "request" } else { "inform" };
        let draft =
            json!({"to": "@mia", "type": kind, "topic_id": topic, "title": "t", "text": number.to_string()});
        topic = world.send(scout, draft).await["topic_id"].clone();
    }
    let topic = topic.as_str().expect("an id").to_owned();
    let page = world.get(scout, &format!("/topics/{topic}/messages?limit=200")).await;
    let places =
        page["items"].as_array().expect("a list").iter().map(|one| one["seq"].as_i64().expect("a place"));
    (topic, places.collect())
}

async fn scene() -> (World, String, PersonHere) {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    let mia = world.person("mia", "member").await;
    (world, scout, mia)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_device_shows_the_same_number_and_none_after_reading() {
    let (world, scout, mia) = scene().await;
    let (topic, places) = talk(&world, &scout, 10).await;
    let (laptop, phone) = (As::Key(mia.key.clone()), As::Cookie(mia.cookie.clone()));
    assert_eq!(counts(&world, &mia.key, &topic).await, (10, 10, 10));
    // Half of it on the laptop: the phone is told at once, and counts the same.
    let mut told = world.events_as(&phone, "", None).await;
    assert_eq!(read(&world, &laptop, &topic, places[4]).await["unread"], 5);
    let moved = loop {
        let seen = told.next().await.expect("the stream goes on");
        if seen.kind == "cursor.moved" {
            break seen.event["data"].clone();
        }
    };
    let expected = json!({"topic_id": topic, "read_seq": places[4], "unread": 5, "concerns_you": true});
    assert_eq!(moved, expected);
    assert_eq!(counts(&world, &mia.key, &topic).await, (5, 5, 5));
    // A cursor never goes back.
    let back = read(&world, &phone, &topic, places[1]).await;
    assert_eq!((&back["read_seq"], &back["unread"]), (&json!(places[4]), &json!(5)));
    // One that comes while reading stays unread, and one beyond the newest counts as the newest.
    let draft = json!({"to": "@mia", "type": "inform", "topic_id": topic, "text": "meanwhile"});
    world.send(&scout, draft).await;
    read(&world, &laptop, &topic, places[9]).await;
    assert_eq!(counts(&world, &mia.key, &topic).await, (1, 1, 1));
    let end = read(&world, &phone, &topic, i64::MAX).await;
    assert_eq!(end["unread"], 0);
    assert!(end["read_seq"].as_i64().is_some_and(|seq| seq > places[9] && seq < i64::MAX));
    assert_eq!(counts(&world, &mia.key, &topic).await, (0, 0, 0));
    // The next one counts again, her own does not, and a topic that closes is not unread by that.
    world.send(&scout, json!({"to": "@mia", "type": "inform", "topic_id": topic, "text": "one more"})).await;
    world.send(&mia.key, json!({"to": "scout", "type": "inform", "topic_id": topic, "text": "mine"})).await;
    assert_eq!(counts(&world, &mia.key, &topic).await, (1, 1, 1));
    read(&world, &laptop, &topic, i64::MAX).await;
    let close = format!("/topics/{topic}/close");
    assert_eq!(world.call(&mia.key, Method::POST, &close, None).await.0, 200);
    assert_eq!(counts(&world, &mia.key, &topic).await, (0, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_agents_say_to_each_other_does_not_count_until_the_person_is_addressed() {
    let (world, scout, mia) = scene().await;
    world.agent("pilot").await;
    let draft = json!({"to": "pilot", "type": "inform", "topic_id": "new", "title": "t", "text": "x"});
    let topic = world.send(&scout, draft).await["topic_id"].as_str().expect("an id").to_owned();
    let say = async |to: &str| {
        world.send(&scout, json!({"to": to, "type": "inform", "topic_id": topic, "text": "x"})).await;
    };
    assert_eq!(counts(&world, &mia.key, &topic).await, (1, 1, 0), "the topic says so, the sum does not");
    say("@mia").await;
    assert_eq!(counts(&world, &mia.key, &topic).await, (2, 2, 2));
    // An admin who has no part in it either.
    assert_eq!(counts(&world, &world.owner, &topic).await, (2, 2, 0));
    read(&world, &As::Key(mia.key.clone()), &topic, i64::MAX).await;
    say("pilot").await;
    assert_eq!(counts(&world, &mia.key, &topic).await, (1, 1, 0));
    // Whoever writes takes part from then on.
    world.send(&mia.key, json!({"to": "pilot", "type": "inform", "topic_id": topic, "text": "me too"})).await;
    assert_eq!(counts(&world, &mia.key, &topic).await, (1, 1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_person_can_no_longer_read_does_not_count() {
    let (world, scout, mia) = scene().await;
    world.agent("pilot").await;
    let draft = json!({"to": "pilot", "type": "inform", "topic_id": "new", "title": "t", "text": "x"});
    let topic = world.send(&scout, draft).await["topic_id"].clone();
    world.send(&scout, json!({"to": "@mia", "type": "inform", "topic_id": topic, "text": "x"})).await;
    assert_eq!(world.get(&mia.key, "/me").await["unread"], 2);
    let demoted = Some(json!({"role": "viewer"}));
    world.call(&world.owner, Method::PATCH, &format!("/people/{}", mia.id()), demoted).await;
    assert_eq!(world.get(&mia.key, "/me").await["unread"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asked_a_person_is_told_that_it_was_read() {
    let (world, scout, mia) = scene().await;
    let (topic, places) = talk(&world, &scout, 2).await;
    let steps = async || -> Vec<Value> {
        let page = world.get(&scout, &format!("/topics/{topic}/messages")).await;
        let messages = page["items"].as_array().expect("a list").iter();
        messages.map(|message| message["recipients"][0]["step"].clone()).collect()
    };
    assert_eq!(steps().await, ["pending", "pending"]);
    let mut told = world.events(&scout, "", None).await;
    read(&world, &As::Key(mia.key.clone()), &topic, places[0]).await;
    let seen = told.next().await.expect("the stream goes on");
    assert_eq!(seen.kind, "delivery.read", "how far she has read is nobody else's: {}", seen.event);
    assert_eq!(seen.event["data"], json!({"topic_id": topic, "recipient": mia.id(), "seq": places[0]}));
    assert_eq!(steps().await, ["read", "pending"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_is_told_that_it_has_no_cursor() {
    let (world, scout, _) = scene().await;
    let (topic, _) = talk(&world, &scout, 1).await;
    let path = format!("/topics/{topic}/read");
    let (status, problem) = world.call(&scout, Method::PUT, &path, Some(json!({"seq": 1}))).await;
    assert_eq!((status.as_u16(), &problem["reason"]), (403, &json!("forbidden")));
    assert!(problem["help"].as_str().is_some_and(|help| help.contains("inbox")), "{problem}");
    for field in ["unread", "read_seq", "concerns_you"] {
        assert!(world.get(&scout, &format!("/topics/{topic}")).await.get(field).is_none(), "{field}");
    }
}
