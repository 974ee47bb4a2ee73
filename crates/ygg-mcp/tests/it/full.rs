//! Tools while no reader has a place in the store: each says so, in the shape of its output, and none that nothing is
//! there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use ygg_store::figures::MetricFamily;
use ygg_store::sqlite::Sqlite;
use ygg_store::{Elsewhere, Error, Job, Result, Rows, Store, Within};

use crate::world::World;

struct Full {
    store: Sqlite,
    is_full: Arc<AtomicBool>,
}

impl Store for Full {
    fn write(&self, job: Box<dyn Job>) {
        self.store.write(job);
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        None
    }

    fn figures(&self) -> Result<Vec<MetricFamily>> {
        self.store.figures()
    }

    fn read(&self, within: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        if within != Within::Server && self.is_full.load(Ordering::SeqCst) {
            return Err(Error::Busy);
        }
        self.store.read(within, look)
    }
}

#[tokio::test]
async fn a_tool_without_a_place_in_the_store_says_so() {
    let is_full = Arc::new(AtomicBool::new(false));
    let world = World::over(|store| Arc::new(Full { store, is_full: Arc::clone(&is_full) })).await;
    let scout = world.agent("scout").await;
    let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": "t", "text": "waits"});
    let topic = world.says(draft).await.topic_id;
    is_full.store(true, Ordering::SeqCst);
    for (tool, arguments) in [
        ("ygg_inbox", json!({"peek": true})),
        ("ygg_conversation", json!({"topic_id": topic})),
        ("ygg_me", json!({})),
        ("ygg_directory", json!({})),
        ("ygg_tasks", json!({"action": "list"})),
    ] {
        let told = scout.refused(tool, arguments, "unavailable").await;
        assert_eq!(told.data["retry_after"], 1, "{tool}: {told:?}");
        for none in ["Nothing is waiting", "No ", "nothing here", "no messages", "no tasks"] {
            assert!(!told.text.contains(none), "{tool}: {told:?}");
        }
    }
    is_full.store(false, Ordering::SeqCst);
    assert!(scout.get("ygg_inbox", json!({})).await.text.contains("waits"));
}
