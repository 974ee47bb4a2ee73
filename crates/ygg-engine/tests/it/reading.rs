//! Thousands of unread messages are counted to the last one, and read in one go [W6].

use serde_json::json;

use crate::world::{World, told};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_are_counted_and_read_in_one_go() {
    let world = World::memory().await;
    let [ana, max] = [&world.callers[0], &world.callers[1]];
    let mut topic = json!("new");
    for number in 0..5_000 {
        let draft = json!({"to": "@max", "type": "inform", "topic_id": topic, "text": number.to_string()});
        topic = json!(told(world.engine.send(ana, draft).await)["topic_id"]);
    }
    let id = topic.as_str().expect("an id");
    let unread = async || {
        let listed = told(world.engine.topics(max, None, None, 10).await);
        let me = told(world.engine.me(max).await);
        (listed["items"][0]["unread"].as_u64(), me["unread"].as_u64())
    };
    assert_eq!(unread().await, (Some(5_000), Some(5_000)));
    told(world.engine.read_topic(max, id, i64::MAX).await);
    assert_eq!(unread().await, (Some(0), Some(0)));
}
