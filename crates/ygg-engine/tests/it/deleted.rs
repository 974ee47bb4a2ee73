//! Whoever was signed in before a workspace was deleted is told that it is gone, whatever they do next.

use serde_json::json;
use ygg_engine::Error;
use ygg_wire::inbox::ReadInbox;

use crate::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_on_its_way_to_a_deleted_workspace_is_told_that_it_is_gone() {
    for world in World::everywhere().await {
        world.engine.delete_workspace("acme").await.expect("it is deleted");
        let draft = json!({"to": "b", "type": "inform", "topic_id": "new", "title": "T", "text": "late"});
        let agent = &world.callers[3];
        for told in [
            world.engine.send(agent, draft).await.map(drop),
            world.engine.inbox(agent, ReadInbox::default()).await.map(drop),
            world.engine.revoke_key(&world.callers[0], "key_00000000000000000000000000").await.map(drop),
        ] {
            match told {
                Ok(()) => {}
                Err(Error::Refused(refusal)) => assert_eq!(refusal.code(), "not_found"),
                Err(trouble) => panic!("{}: {trouble}", world.store),
            }
        }
    }
}
