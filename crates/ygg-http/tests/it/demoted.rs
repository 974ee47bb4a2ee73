//! Open streams of those who lose a role or a place: what is said afterwards is not for them [W3, W4].

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, Events, World};

/// All that a stream shows from an event of a kind on, up to the message that everybody reads, which says so.
async fn shown(events: &mut Events, from: &str, last: &str) -> String {
    let mut told = String::new();
    loop {
        let seen = events.next().await.expect("the stream goes on");
        if told.is_empty() && seen.kind != from && !from.is_empty() {
            continue;
        }
        told += &seen.event.to_string();
        if told.contains(last) {
            return told;
        }
    }
}

async fn say(world: &World, to: Value, text: &str) -> Value {
    let draft = json!({"to": to, "type": "inform", "topic_id": "new", "title": "t", "text": text});
    world.send(&world.owner, draft).await
}

/// In General: whatever came before it has been told when this is.
async fn end(world: &World, text: &str) {
    let all = world.get(&world.owner, "/conversations").await;
    let general = all["items"].as_array().expect("a list").iter().find(|one| one["kind"] == "general");
    let general = general.expect("General")["id"].clone();
    let draft =
        json!({"to": "pilot", "conversation_id": general, "topic_id": "new", "title": "t", "text": text});
    world.send(&world.owner, draft).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_shows_a_demoted_admin_nothing_private_from_then_on() {
    let world = World::new().await;
    for agent in ["scout", "pilot"] {
        world.agent(agent).await;
    }
    let ada = world.person("ada", "admin").await;
    for who in [As::Key(ada.key.clone()), As::Cookie(ada.cookie.clone())] {
        let path = format!("/people/{}", ada.id());
        let role = |role: &str| Some(json!({"role": role}));
        assert_eq!(world.call(&world.owner, Method::PATCH, &path, role("admin")).await.0, 200);
        let mut stream = world.events_as(&who, "", None).await;
        say(&world, json!("scout"), "told in private before.").await;
        end(&world, "the first end.").await;
        assert!(shown(&mut stream, "", "the first end.").await.contains("told in private before."));
        assert_eq!(world.call(&world.owner, Method::PATCH, &path, role("viewer")).await.0, 200);
        let private = say(&world, json!("scout"), "told in private after.").await;
        say(&world, json!(["scout", "pilot"]), "told in a room after.").await;
        world.post(&world.owner, "/credits/grants", json!({"to": "pool", "credits": 7})).await;
        world.post(&world.owner, "/invites", json!({"role": "viewer"})).await;
        end(&world, "the second end.").await;
        let told = shown(&mut stream, "participant.changed", "the second end.").await;
        for hidden in [
            "told in private after.",
            "told in a room after.",
            private["topic_id"].as_str().expect("an id"),
            private["message_id"].as_str().expect("an id"),
            "credits.moved",
            "invite.made",
            "wake.",
        ] {
            assert!(!told.contains(hidden), "{hidden} by {}: {told}", who.name());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_shows_who_was_taken_out_of_a_group_nothing_of_it_but_their_own_topics() {
    let world = World::new().await;
    let scout = world.agent("scout").await;
    world.agent("pilot").await;
    let put = async |members: Value| {
        let body = Some(json!({"members": members}));
        assert_eq!(world.call(&world.owner, Method::PUT, "/groups/crew", body).await.0, 200);
    };
    put(json!(["pilot"])).await;
    // Scout comes later, and so has no part in this topic, but reads it for as long as it is in the group.
    let old = say(&world, json!("group:crew"), "said before.").await;
    let on = async |text: &str| {
        let draft = json!({"to": "pilot", "topic_id": old["topic_id"], "text": text});
        world.send(&world.owner, draft).await;
    };
    put(json!(["pilot", "scout"])).await;
    let mut stream = world.events(&scout, "", None).await;
    let own = say(&world, json!("group:crew"), "said to scout as well.").await;
    on("said on while scout is in it.").await;
    end(&world, "the first end.").await;
    let told = shown(&mut stream, "", "the first end.").await;
    assert!(
        told.contains("said to scout as well.") && told.contains("said on while scout is in it."),
        "{told}"
    );
    put(json!(["pilot"])).await;
    let new = say(&world, json!("group:crew"), "said afterwards.").await;
    on("said on afterwards.").await;
    let draft = json!({"to": "pilot", "topic_id": own["topic_id"], "text": "said where scout has a part."});
    world.send(&world.owner, draft).await;
    world
        .post(
            &scout,
            "/messages",
            json!({"to": "@ana", "topic_id": "new", "title": "t", "text": "the second end."}),
        )
        .await;
    let told = shown(&mut stream, "participant.left", "the second end.").await;
    assert!(told.contains("said where scout has a part."), "{told}");
    for hidden in ["said afterwards.", "said on afterwards.", new["topic_id"].as_str().expect("an id")] {
        assert!(!told.contains(hidden), "{hidden}: {told}");
    }
}
