//! How far a message has come, as everybody who reads it is told [K5a].

use reqwest::Method;
use serde_json::json;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sender_recipient_and_reader_are_told_the_same_of_how_far_a_message_came() {
    let world = World::new().await;
    let (scout, pilot) = (world.agent("scout").await, world.agent("pilot").await);
    world.agent("rover").await;
    let draft = json!({"to": ["pilot", "rover", "@ana"], "type": "request", "topic_id": "new", "title": "t", "text": "x"});
    let sent = world.send(&scout, draft).await;
    let path = format!("/messages/{}", sent["message_id"].as_str().expect("an id"));
    let steps = async || {
        let seen = world.get(&scout, &path).await["recipients"].clone();
        for who in [&pilot, &world.owner] {
            assert_eq!(world.get(who, &path).await["recipients"], seen);
        }
        let of = |id: &str| {
            let all = seen.as_array().expect("recipients").iter();
            let mut found = all.filter(|one| one["id"] == id).map(|one| one["step"].clone());
            found.next_back().unwrap_or_else(|| panic!("{id} in {seen}"))
        };
        (of("pilot"), of("rover"))
    };
    // Peeking moves nothing.
    world.post(&pilot, "/inbox", json!({"peek": true})).await;
    assert_eq!(steps().await, (json!("pending"), json!("pending")));
    world.post(&pilot, "/inbox", json!({})).await;
    let (read, waits) = steps().await;
    assert_ne!(read, "pending");
    assert_eq!(waits, "pending");
    world.call(&world.owner, Method::DELETE, "/agents/rover", None).await;
    let (still, ended) = steps().await;
    assert_eq!(still, read, "what was handed stays so");
    assert!(ended != "pending" && ended != read, "nobody is left to read it: {ended}");
}
