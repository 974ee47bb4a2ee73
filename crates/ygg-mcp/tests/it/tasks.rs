//! The tasklist over its tool.

use serde_json::{Value, json};
use ygg_wire::tool::TASKS;

use crate::world::World;

#[tokio::test]
async fn a_list_is_kept_and_put_in_order() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let mut ids = Vec::new();
    for text in ["first", "second", "third"] {
        let added = scout.get(TASKS, json!({"action": "add", "text": text, "status": "todo"})).await;
        ids = listed(&added.data, "id");
        assert!(added.text.contains(text), "{}", added.text);
    }
    let order = [&ids[2], &ids[0]];
    let moved = scout.get(TASKS, json!({"action": "reorder", "order": order})).await;
    assert_eq!(listed(&moved.data, "id"), [&ids[2], &ids[0], &ids[1]].map(Clone::clone));
    let changed = scout
        .get(
            TASKS,
            json!({"action": "update", "id": ids[0], "status": "doing", "text": "now", "topic_id": null}),
        )
        .await;
    assert_eq!(listed(&changed.data, "status"), ["todo", "doing", "todo"]);
    let removed = scout.get(TASKS, json!({"action": "remove", "id": ids[2]})).await;
    assert_eq!(removed.data["tasks"].as_array().map(Vec::len), Some(2));
    assert_eq!(builder.get(TASKS, json!({"action": "list"})).await.data["tasks"], json!([]));
}

#[tokio::test]
async fn a_full_list_is_read_page_by_page() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    let text = "t".repeat(500);
    for _ in 0..60 {
        scout.get(TASKS, json!({"action": "add", "text": text})).await;
    }
    let (mut seen, mut from) = (0, Some(0));
    while let Some(at) = from {
        let page = scout.get(TASKS, json!({"action": "list", "from": at})).await;
        assert!(page.text.chars().count() < 25_000, "{}", page.text.len());
        seen += page.data["tasks"].as_array().map_or(0, Vec::len);
        from = page.data["next"].as_u64();
    }
    assert_eq!(seen, 60);
}

fn listed(data: &Value, field: &str) -> Vec<String> {
    let tasks = data["tasks"].as_array().expect("tasks");
    tasks.iter().filter_map(|task| task[field].as_str().map(str::to_owned)).collect()
}
