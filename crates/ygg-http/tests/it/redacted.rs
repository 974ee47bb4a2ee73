//! What was redacted is not in the database's files either [W6].

use serde_json::{Value, json};

use crate::world::World;

/// Neither in one page nor over several, neither alone nor between others that were moved about.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_of_the_database_keeps_a_word_of_it() {
    let world = World::new().await;
    world.agent("scout").await;
    let owner = &world.owner;
    let secret = |number: usize| format!("tangerine-{number}-marzipan");
    let mut sent = Vec::new();
    for number in 0..60 {
        // Some fill pages of their own, and their secret stands in the middle of them.
        let around = "x ".repeat(if number % 7 == 0 { 9_000 } else { number * 10 });
        let key = if number % 2 == 0 { "in_body" } else { "text" };
        let mut draft =
            json!({"to": "scout", "type": "inform", "topic_id": "new", "title": "t", "text": "plain"});
        match key {
            "text" => draft["text"] = json!(format!("{around}{}{around}", secret(number))),
            _ => draft["body"] = json!({"value": format!("{around}{}{around}", secret(number))}),
        }
        sent.push(world.send(owner, draft).await["message_id"].as_str().expect("an id").to_owned());
    }
    for number in [3, 14, 21, 40] {
        assert!(world.keeps(&secret(number)), "it is there before");
    }
    let redacted: Vec<usize> = (0..60).filter(|number| number % 3 == 0).collect();
    for number in &redacted {
        let view: Value = world.post(owner, &format!("/messages/{}/redact", sent[*number]), json!({})).await;
        assert_eq!(view["text"], "[redacted]");
    }
    for number in 0..60 {
        assert_eq!(world.keeps(&secret(number)), !redacted.contains(&number), "{number}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_does_it_keep_the_bytes_of_its_files() {
    let world = World::new().await;
    world.agent("scout").await;
    let owner = &world.owner;
    let caller = world.engine.authenticate(None, owner).await.expect("the owner");
    let content = |word: &str| format!("{0}{word}{0}", "-".repeat(50_000)).into_bytes();
    let mut messages = Vec::new();
    for word in ["tangerine-marzipan", "walnut-quince"] {
        let name = Some(format!("{word}.txt"));
        let kept = world.engine.upload(&caller, name, None, content(word)).await.expect("it is kept");
        let draft = json!({"to": "scout", "type": "inform", "topic_id": "new", "title": "t", "attachments": [kept.id]});
        messages.push(world.send(owner, draft).await["message_id"].as_str().expect("an id").to_owned());
    }
    assert!(world.keeps("tangerine-marzipan"));
    world.post(owner, &format!("/messages/{}/redact", messages[0]), json!({})).await;
    assert!(!world.keeps("tangerine-marzipan"), "neither name nor bytes");
    assert!(world.keeps("walnut-quince"));
}
