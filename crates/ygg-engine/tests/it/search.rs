//! Search on every store: what everybody finds, and what nobody learns of [W3, W4].

use std::collections::BTreeSet;

use serde_json::json;
use ygg_domain::search;
use ygg_engine::{Caller, Engine};
use ygg_wire::conversation::NewRoom;
use ygg_wire::search::SearchPage;

use crate::world::{PEOPLE, World, told};

async fn find(engine: &Engine, who: &Caller, query: &str) -> SearchPage {
    let sought = search::read(query).expect("a query");
    engine.search(who, sought, None, 50).await.expect("a page")
}

/// Ids of messages, and of topics found by their titles.
async fn found(engine: &Engine, who: &Caller, query: &str) -> Vec<String> {
    let page = find(engine, who, query).await;
    assert_eq!(page.next, None, "nothing else is told of");
    page.items.into_iter().map(|hit| hit.message_id.unwrap_or(hit.topic_id)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_finds_what_they_may_read_and_learns_of_nothing_else() {
    for world in World::everywhere().await {
        let engine = &world.engine;
        let [ana, max, vic] = &world.callers[..PEOPLE.len()] else { panic!("three people") };
        let [a, b, c, d] = &world.callers[PEOPLE.len()..] else { panic!("four agents") };
        let private = NewRoom { members: vec!["c".to_owned()], private: true };
        let room = engine.make_room(ana, private).await.expect("a room").id;
        let all = told(engine.conversations(ana, None, 50).await);
        let general = all["items"].as_array().expect("a list").iter().find(|one| one["kind"] == "general");
        let general = general.expect("General")["id"].clone();
        let say = async |from: &Caller, draft: serde_json::Value| {
            let mut whole = json!({"type": "inform", "topic_id": "new", "title": "Marzipan"});
            whole.as_object_mut().expect("an object").extend(draft.as_object().expect("an object").clone());
            let sent = told(engine.send(from, whole).await);
            assert_eq!(sent["outcome"], "delivered", "{sent}");
            let id = |field: &str| sent[field].as_str().expect("an id").to_owned();
            (id("message_id"), id("topic_id"))
        };
        let said = [
            say(ana, json!({"to": "@max", "text": "tangerine in general", "conversation_id": general})).await,
            say(a, json!({"to": "b", "text": "tangerine of agents"})).await,
            say(max, json!({"to": "a", "text": "tangerine for a"})).await,
            say(ana, json!({"to": "@max", "text": "tangerine of two people"})).await,
            say(ana, json!({"to": "conversation", "text": "tangerine in private", "conversation_id": room}))
                .await,
        ];
        // General, agents, max and a, two people, the private room. Max operates every agent here.
        for (who, name, reads) in [
            (ana, "ana", [true, true, true, true, true]),
            (max, "max", [true, true, true, true, true]),
            (vic, "vic", [true, false, false, false, false]),
            (a, "a", [true, true, true, false, false]),
            (b, "b", [true, true, false, false, false]),
            (c, "c", [true, false, false, false, true]),
            (d, "d", [true, false, false, false, false]),
        ] {
            let expected: Vec<&str> = said
                .iter()
                .zip(reads)
                .rev()
                .filter(|(_, reads)| *reads)
                .map(|((message, _), _)| message.as_str())
                .collect();
            assert_eq!(found(engine, who, "tangerine").await, expected, "{name} on {}", world.store);
            let titled: Vec<&str> = said
                .iter()
                .zip(reads)
                .rev()
                .filter(|(_, reads)| *reads)
                .map(|((_, topic), _)| topic.as_str())
                .collect();
            assert_eq!(found(engine, who, "marzipan").await, titled, "{name} on {}", world.store);
        }
        // What is closed is found, what is redacted is not, and a title is found under its newest name alone.
        let (message, topic) = &said[1];
        engine.close_topic(ana, topic).await.expect("closed");
        assert_eq!(found(engine, b, "agents").await, std::slice::from_ref(message));
        engine.redact(ana, message).await.expect("redacted");
        assert_eq!(found(engine, b, "agents").await, [""; 0], "{}", world.store);
        let (_, topic) = &said[2];
        engine.retitle_topic(max, topic, "Nougat").await.expect("retitled");
        assert_eq!(found(engine, a, "nougat").await, std::slice::from_ref(topic));
        assert!(!found(engine, a, "marzipan").await.contains(topic));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hits_tell_where_and_who_and_names_are_found_beside_them() {
    for world in World::everywhere().await {
        let (engine, ana, a) = (&world.engine, &world.callers[0], &world.callers[PEOPLE.len()]);
        let text = format!("{} needle in the hay\nand more", "hay ".repeat(200));
        let draft = json!({"to": "b", "type": "inform", "topic_id": "new", "title": "Where", "text": text});
        let sent = told(engine.send(a, draft).await);
        let page = told(Ok(find(engine, ana, "needle").await));
        let hit = &page["items"][0];
        for (field, expected) in [
            ("kind", json!("message")),
            ("message_id", sent["message_id"].clone()),
            ("topic_id", sent["topic_id"].clone()),
            ("conversation_id", sent["conversation_id"].clone()),
            ("title", json!("Where")),
            ("sender", json!("a")),
        ] {
            assert_eq!(hit[field], expected, "{field}");
        }
        let snippet = hit["snippet"].as_str().expect("a text");
        assert!(snippet.contains("needle in the hay and more") && snippet.starts_with('…'), "{snippet}");
        assert!(page.get("participants").is_none());
        let named = find(engine, a, "max").await;
        assert_eq!((named.participants.len(), named.items.len()), (1, 0));
        assert_eq!(named.participants[0].handle.as_deref(), Some("max"));
        assert_eq!(find(engine, ana, "b").await.participants[0].id, "b");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_lead_on_to_everything_once_past_what_is_not_the_readers() {
    for world in World::everywhere().await {
        let (engine, ana) = (&world.engine, &world.callers[0]);
        let (a, d) = (&world.callers[PEOPLE.len()], &world.callers[PEOPLE.len() + 3]);
        let mut mine = Vec::new();
        for number in 0..230 {
            // Every tenth is d's to read.
            let to = if number % 10 == 0 { "d" } else { "b" };
            let draft =
                json!({"to": to, "type": "inform", "topic_id": "new", "text": format!("plum {number}")});
            let sent = told(engine.send(ana, draft).await);
            if to == "d" {
                mine.push(sent["message_id"].as_str().expect("an id").to_owned());
            }
        }
        mine.reverse();
        let sought = search::read("plum").expect("a query");
        let mut seen: Vec<String> = Vec::new();
        let mut after = None;
        loop {
            let page = engine.search(d, sought.clone(), after, 4).await.expect("a page");
            assert!(page.items.len() <= 4 && (!page.items.is_empty() || page.next.is_none()));
            seen.extend(page.items.into_iter().filter_map(|hit| hit.message_id));
            let Some(next) = page.next else { break };
            after = Some(next.parse().expect("a place"));
        }
        assert_eq!(seen, mine, "{}", world.store);
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), mine.len());
        assert_eq!(found(engine, a, "plum").await, [""; 0], "neither shown nor counted");
    }
}
