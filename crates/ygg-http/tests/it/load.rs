//! Ten thousand sends of 32 clients at once, over real connections: each is there exactly once, in order, paid and
//! announced.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Events, World};

const CLIENTS: usize = 32;
const SENDS: usize = 10_000;
const SHARED: usize = 6;
/// One send in so many is made twice, under one key.
const TWICE: usize = 10;

/// A send as the client knows it was taken.
struct Acknowledged {
    id: String,
    topic: String,
    seq: i64,
    text: String,
    charged: i64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_sends_are_each_there_exactly_once() {
    let world = Arc::new(World::new().await);
    world.post(&world.owner, "/credits/grants", json!({"to": "pool", "credits": 1_000_000})).await;
    let mut keys = Vec::new();
    for client in 0..CLIENTS {
        keys.push(world.agent(&name(client)).await);
    }
    let (topics, mut acknowledged) = open_topics(&world).await;
    let before = world.get(&world.owner, "/credits").await["pool"].as_i64().expect("a pool");

    let events = world.events(&world.owner, "?after=0", None).await;
    let watcher = tokio::spawn(follow(events, SENDS + SHARED));
    let begun = Instant::now();
    let mut clients = Vec::new();
    for (client, key) in keys.into_iter().enumerate() {
        let share = SENDS / CLIENTS + usize::from(client < SENDS % CLIENTS);
        clients.push(tokio::spawn(send_all(Arc::clone(&world), client, key, share, topics.clone())));
    }
    for client in clients {
        acknowledged.extend(client.await.expect("a client that ends well"));
    }
    let sent = begun.elapsed();
    assert_eq!(acknowledged.len(), SENDS + SHARED);

    let announced = watcher.await.expect("a watcher that ends well");
    check_announced(&announced, &acknowledged);
    check_kept(&world, &acknowledged).await;
    let after = world.get(&world.owner, "/credits").await["pool"].as_i64().expect("a pool");
    let charged: i64 = acknowledged.iter().map(|send| send.charged).sum();
    assert_eq!(before - after, charged);
    let owner = world.engine.authenticate(None, &world.owner).await.expect("the owner");
    assert_eq!(world.engine.check_ledger(&owner).await.expect("a ledger"), None);
    println!("{SENDS} sends in {sent:?}, all checked after {:?}", begun.elapsed());
    crate::logs::assert_no_key();
}

fn name(client: usize) -> String {
    format!("a{client:02}")
}

/// Topics of the owner with a few agents each, and what the owner said in them.
async fn open_topics(world: &World) -> (Vec<String>, Vec<Acknowledged>) {
    let mut topics = Vec::new();
    let mut acknowledged = Vec::new();
    for shared in 0..SHARED {
        let with: Vec<String> = (0..CLIENTS).filter(|client| client % SHARED == shared).map(name).collect();
        let text = format!("shared {shared}");
        let draft = json!({"to": with, "type": "request", "topic_id": "new", "title": text, "text": text});
        let receipt = world.send(&world.owner, draft).await;
        topics.push(receipt["topic_id"].as_str().expect("a topic").to_owned());
        acknowledged.push(read(&receipt, text));
    }
    (topics, acknowledged)
}

/// One client: a message after the other, in shared topics and in topics of its own.
async fn send_all(
    world: Arc<World>,
    client: usize,
    key: String,
    share: usize,
    topics: Vec<String>,
) -> Vec<Acknowledged> {
    let shared = &topics[client % SHARED];
    // Somebody else of the same shared topic.
    let neighbour = name(if client + SHARED < CLIENTS { client + SHARED } else { client % SHARED });
    let mut own = String::new();
    let mut acknowledged = Vec::new();
    for turn in 0..share {
        let text = format!("{} says {turn}", name(client));
        let kind = if turn % 2 == 0 { "request" } else { "inform" };
        let mut draft = json!({
            "to": [neighbour, "@ana"], "type": kind, "text": text, "idempotency_key": format!("send-{turn}"),
        });
        match turn % 25 {
            0 => {
                draft["topic_id"] = json!("new");
                draft["title"] = json!(text);
                draft["to"] = json!(name((client + 1) % CLIENTS));
            }
            1..8 => {
                draft["topic_id"] = json!(own);
                draft["to"] = json!(name((client + 1) % CLIENTS));
            }
            _ => draft["topic_id"] = json!(shared),
        }
        let receipt = if turn % TWICE == 3 {
            let (one, two) = tokio::join!(send(&world, &key, &draft), send(&world, &key, &draft));
            let (first, again) = if one.1["duplicate"] == true { (two, one) } else { (one, two) };
            assert_eq!((first.0, again.0), (201, 200), "{} {}", first.1, again.1);
            assert_eq!(again.1["duplicate"], true);
            assert_eq!(first.1["message_id"], again.1["message_id"]);
            first.1
        } else {
            let (status, receipt) = send(&world, &key, &draft).await;
            assert_eq!(status, 201, "{receipt}");
            receipt
        };
        if turn % 25 == 0 {
            own = receipt["topic_id"].as_str().expect("a topic").to_owned();
        }
        acknowledged.push(read(&receipt, text));
    }
    acknowledged
}

async fn send(world: &World, key: &str, draft: &Value) -> (u16, Value) {
    let (status, receipt) = world.call(key, Method::POST, "/messages", Some(draft.clone())).await;
    (status.as_u16(), receipt)
}

fn read(receipt: &Value, text: String) -> Acknowledged {
    let word =
        |field: &str| receipt[field].as_str().unwrap_or_else(|| panic!("{field}: {receipt}")).to_owned();
    Acknowledged {
        id: word("message_id"),
        topic: word("topic_id"),
        seq: receipt["seq"].as_i64().expect("a place"),
        charged: receipt["charged"].as_i64().expect("a price"),
        text,
    }
}

/// The places and ids of posted messages, as an owner's stream shows them.
async fn follow(mut events: Events, posted: usize) -> Vec<(i64, String)> {
    let (mut last, mut seen) = (0, Vec::new());
    while seen.len() < posted {
        let event = events.next().await.expect("the stream goes on");
        assert!(event.seq > last, "{} after {last}", event.seq);
        last = event.seq;
        if event.kind == "conversation.message.posted" {
            let id = event.event["data"]["message"]["id"].as_str().expect("an id").to_owned();
            seen.push((event.seq, id));
        }
    }
    seen
}

fn check_announced(announced: &[(i64, String)], acknowledged: &[Acknowledged]) {
    let once: HashSet<&str> = announced.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(once.len(), announced.len());
    let ours: HashSet<&str> = acknowledged.iter().map(|send| send.id.as_str()).collect();
    assert_eq!(once, ours);
    // A receipt's place is the end of what the send wrote.
    let places: HashMap<&str, i64> = announced.iter().map(|(seq, id)| (id.as_str(), *seq)).collect();
    assert!(acknowledged.iter().all(|send| places[send.id.as_str()] <= send.seq));
}

/// Every topic read back page by page.
async fn check_kept(world: &World, acknowledged: &[Acknowledged]) {
    let mut kept: BTreeMap<String, (String, String)> = BTreeMap::new();
    for topic in pages(world, "/topics?limit=200").await {
        let id = topic["id"].as_str().expect("an id").to_owned();
        let mut last = 0;
        let mut turns: HashMap<String, usize> = HashMap::new();
        for message in pages(world, &format!("/topics/{id}/messages?limit=200")).await {
            let seq = message["seq"].as_i64().expect("a place");
            assert!(seq > last, "{id}: {seq} after {last}");
            last = seq;
            let text = message["text"].as_str().expect("a text").to_owned();
            if let Some((sender, turn)) = text.split_once(" says ") {
                let turn = turn.parse().expect("a number");
                let before = turns.insert(sender.to_owned(), turn);
                assert!(before.is_none_or(|before| before < turn), "{id}: {text} after {before:?}");
            }
            let message = message["id"].as_str().expect("an id").to_owned();
            assert!(kept.insert(message, (id.clone(), text)).is_none());
        }
    }
    assert_eq!(kept.len(), acknowledged.len());
    for send in acknowledged {
        assert_eq!(kept[&send.id], (send.topic.clone(), send.text.clone()));
    }
}

async fn pages(world: &World, path: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut after = String::new();
    loop {
        let page = world.get(&world.owner, &format!("{path}{after}")).await;
        items.extend(page["items"].as_array().expect("items").iter().cloned());
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return items,
        }
    }
}
