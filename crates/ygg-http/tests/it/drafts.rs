//! What of a draft counts: who sends is stamped from the key, and rules look at the text alone [M1].

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sends_is_stamped_from_the_key_whatever_the_draft_says() {
    let world = World::new().await;
    let (scout, _) = (world.agent("scout").await, world.agent("pilot").await);
    for forged in [json!("pilot"), json!("@ana"), json!("system.ygg"), json!({"id": "pilot"})] {
        let draft = json!({"from": forged, "to": "pilot", "type": "inform", "topic_id": "new", "title": "t", "text": "x",
                           "state": "done"});
        let receipt = world.send(&scout, draft).await;
        assert_eq!(receipt["notes"][0]["field"], "from", "{receipt}");
        let path = format!("/messages/{}", receipt["message_id"].as_str().expect("an id"));
        assert_eq!(world.get(&world.owner, &path).await["sender"], "scout");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_costs_nothing_tells_no_texts_apart_and_comes_back_as_it_was() {
    let world = World::new().await;
    let (scout, _) = (world.agent("scout").await, world.agent("pilot").await);
    let body = json!({"state": "done", "to": "nobody", "long": "x".repeat(5_000)});
    let draft = |body: &Value| {
        json!({"to": "pilot", "type": "request", "topic_id": "new", "title": "t", "text": "Look.", "body": body,
               "state": "done"})
    };
    let first = world.send(&scout, draft(&body)).await;
    assert_eq!(first["charged"], 1, "{first}");
    assert_eq!(first["recipients"], json!([{"id": "pilot", "effect": "wake"}]));
    let path = format!("/messages/{}", first["message_id"].as_str().expect("an id"));
    assert_eq!(world.get(&world.owner, &path).await["body"], body);
    // The same text beside another body is the same text [L1].
    let second = world.send(&scout, draft(&json!([1, 2]))).await;
    assert_eq!(second["recipients"][0]["reason"], "loop_suspected", "{second}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn to_is_one_address_or_several_and_a_draft_needs_no_more_than_whom_where_and_what() {
    let world = World::new().await;
    let (scout, _) = (world.agent("scout").await, world.agent("pilot").await);
    for (to, recipients) in [(json!("pilot"), 1), (json!(["pilot", "@ana"]), 2), (json!(["@pilot"]), 1)] {
        let draft = json!({"to": to, "type": "request", "topic_id": "new", "title": "t", "text": to.to_string(),
                           "state": "done"});
        let receipt = world.send(&scout, draft).await;
        assert_eq!(receipt["notes"], json!([]), "{receipt}");
        assert_eq!(receipt["recipients"].as_array().map(Vec::len), Some(recipients), "{receipt}");
    }
}
