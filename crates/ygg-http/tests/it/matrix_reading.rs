//! Who reads what, over every way to read: lists, single things, and the stream [O10, W3, W4].

use futures::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, World};

const WHO: [&str; 5] = ["agent", "viewer", "member", "admin", "owner"];

/// Whether each of `WHO` reads what is said there. The agent is scout, whose operator is Ana alone.
const READS: [(&str, [bool; 5]); 11] = [
    ("general", [true, true, true, true, true]),
    ("group with scout", [true, false, true, true, true]),
    ("group without", [false, false, true, true, true]),
    ("two agents", [true, false, true, true, true]),
    ("room of Ana and agents", [true, false, true, true, true]),
    ("Ana and scout", [true, false, false, true, true]),
    ("Ana and the viewer", [false, true, false, false, false]),
    ("Ana and somebody", [false; 5]),
    ("room made by hand, without scout", [false, false, true, true, true]),
    ("private room with scout", [true, false, false, true, true]),
    ("private room with the viewer", [false, true, false, true, true]),
];

struct Place {
    topic: String,
    message: String,
    conversation: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_reads_what_the_table_says_and_no_stream_shows_more() {
    let world = World::new().await;
    let mut keys = Vec::new();
    for id in ["scout", "pilot", "rover"] {
        world.post(&world.owner, "/agents", json!({"id": id, "operators": ["@ana"]})).await;
        keys.push(world.key(id).await["key"].as_str().expect("a key").to_owned());
    }
    let mut who = vec![vec![As::Key(keys[0].clone())]];
    for (handle, role) in [("vera", "viewer"), ("mia", "member"), ("ada", "admin"), ("olga", "owner")] {
        let person = world.person(handle, role).await;
        who.push(vec![As::Key(person.key), As::Cookie(person.cookie)]);
    }
    world.person("cleo", "member").await;
    for (name, members) in [("crew", json!(["scout", "pilot"])), ("others", json!(["pilot", "rover"]))] {
        world
            .call(&world.owner, Method::PUT, &format!("/groups/{name}"), Some(json!({"members": members})))
            .await;
    }
    let places = say_everywhere(&world, &keys).await;
    // The end of what is looked at.
    world.agent("last").await;
    for (column, (name, who)) in WHO.iter().zip(&who).enumerate() {
        for who in who {
            let lists = lists(&world, who).await;
            let streamed = streamed(&world, who).await;
            for ((there, reads), place) in READS.iter().zip(&places) {
                let reads = reads[column];
                let told = format!("{there}, {name} by {}", who.name());
                for path in [
                    format!("/topics/{}", place.topic),
                    format!("/topics/{}/messages", place.topic),
                    format!("/messages/{}", place.message),
                    format!("/messages/{}/why", place.message),
                    format!("/conversations/{}", place.conversation),
                ] {
                    let (status, answer) = world.ask(who, "get", &world.path(&path), "").await;
                    assert_eq!(status, if reads { 200 } else { 404 }, "{told}: {path} {answer}");
                }
                let query = format!("/search?q=said+in+{}", there.replace([' ', ','], "+"));
                let (status, answer) = world.ask(who, "get", &world.path(&query), "").await;
                assert_eq!(status, 200, "{told}: {answer}");
                assert_eq!(answer.contains(&place.message), reads, "{told}: {query} {answer}");
                for text in [&lists, &streamed] {
                    assert_eq!(text.contains(&place.conversation), reads, "{told}");
                    assert_eq!(text.contains(&place.topic), reads, "{told}");
                }
                assert_eq!(streamed.contains(&format!("said in {there}.")), reads, "{told}");
            }
        }
    }
}

/// A message in every place of `READS`, in its order.
async fn say_everywhere(world: &World, keys: &[String]) -> Vec<Place> {
    let all = world.get(&world.owner, "/conversations").await;
    let general = all["items"].as_array().expect("a list").iter().find(|one| one["kind"] == "general");
    let general = general.expect("General")["id"].clone();
    let owner = &world.owner;
    let room = async |members: Value, private: bool| {
        let room = json!({"members": members, "private": private});
        world.post(owner, "/conversations", room).await["id"].clone()
    };
    let said = [
        (owner, json!("@cleo"), general),
        (owner, json!("group:crew"), json!(null)),
        (owner, json!("group:others"), json!(null)),
        (&keys[0], json!("pilot"), json!(null)),
        (owner, json!(["scout", "pilot"]), json!(null)),
        (owner, json!("scout"), json!(null)),
        (owner, json!("@vera"), json!(null)),
        (owner, json!("@cleo"), json!(null)),
        (owner, json!("conversation"), room(json!(["pilot", "@cleo"]), false).await),
        (owner, json!("conversation"), room(json!(["scout", "@cleo"]), true).await),
        (owner, json!("conversation"), room(json!(["pilot", "@vera"]), true).await),
    ];
    let mut places = Vec::new();
    for ((there, _), (key, to, conversation)) in READS.iter().zip(said) {
        let mut draft = json!({"to": to, "type": "request", "topic_id": "new", "title": "t",
                               "text": format!("said in {there}.")});
        if conversation.is_string() {
            draft["conversation_id"] = conversation;
        }
        let receipt = world.send(key, draft).await;
        let text = |field: &str| receipt[field].as_str().expect("an id").to_owned();
        let (topic, message, conversation) = (text("topic_id"), text("message_id"), text("conversation_id"));
        // An end, with whatever notices that makes.
        world.call(owner, Method::POST, &format!("/topics/{topic}/close"), None).await;
        places.push(Place { topic, message, conversation });
    }
    places
}

async fn lists(world: &World, who: &As) -> String {
    let mut lists = String::new();
    for path in ["/topics?limit=200", "/conversations?limit=200"] {
        let (status, answer) = world.ask(who, "get", &world.path(path), "").await;
        assert_eq!(status, 200, "{answer}");
        lists += &answer;
    }
    lists
}

/// All that the stream shows from the beginning on.
async fn streamed(world: &World, who: &As) -> String {
    let request = who.on(world.client.get(format!("{}{}", world.url, world.path("/events?after=0"))), world);
    let mut chunks = request.send().await.expect("an answer").bytes_stream();
    let mut text = String::new();
    while !text.contains(r#""id":"last""#) {
        let next =
            tokio::time::timeout(crate::world::PATIENCE, chunks.next()).await.expect("an event in time");
        text += &String::from_utf8_lossy(&next.expect("the stream goes on").expect("bytes"));
    }
    text
}
