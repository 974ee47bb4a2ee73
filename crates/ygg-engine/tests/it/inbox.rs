//! An inbox in which a great deal has piled up: what wakes comes first, and all is read once by reading on [U1, P2].

use std::collections::BTreeMap;

use serde_json::json;
use ygg_domain::limits;
use ygg_wire::credits::Grant;
use ygg_wire::inbox::ReadInbox;

use crate::world::{PEOPLE, World};

const INFORMS: usize = 2_000;
/// Some lines each, so that they do not fit one answer.
const LINES: usize = 3;
/// One fewer than an agent may hold open.
const TOPICS: usize = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_thousands_of_informs_a_request_is_read_first_and_all_of_them_once() {
    for world in World::everywhere().await {
        let (engine, owner) = (&world.engine, &world.callers[0]);
        let (from, to) = (&world.callers[PEOPLE.len()], &world.callers[PEOPLE.len() + 1]);
        let pool = Grant { to: "pool".to_owned(), credits: 1_000_000 };
        engine.grant(owner, pool).await.expect("credits");
        let send = async |kind: &str, topic: &str, text: String| {
            let draft = json!({"to": "b", "type": kind, "topic_id": topic, "title": "T", "text": text});
            let receipt = engine.send(from, draft).await.expect("an answer");
            assert_eq!(receipt.outcome, "delivered", "{receipt:?}");
            (receipt.message_id.expect("an id"), receipt.topic_id.expect("a topic"))
        };
        let mut read = BTreeMap::new();
        let mut topics = Vec::new();
        for number in 0..TOPICS {
            let (id, topic) = send("inform", "new", format!("topic {number}")).await;
            read.insert(id, 0);
            topics.push(topic);
        }
        let text = |number: usize| format!("line {number}\n").repeat(LINES);
        let informs = (TOPICS..INFORMS).map(|number| send("inform", &topics[number % TOPICS], text(number)));
        for (id, _) in futures::future::join_all(informs).await {
            read.insert(id, 0);
        }
        let (request, _) = send("request", "new", "answer me".to_owned()).await;
        read.insert(request.clone(), 0);
        assert_eq!(read.len(), INFORMS + 1);

        let mut answers = 0;
        loop {
            let inbox = engine.inbox(to, ReadInbox::default()).await.expect("an answer");
            let chars = inbox.text.chars().count();
            assert!(chars <= limits::INBOX_CHARS, "{}: {chars} characters", world.store);
            let woke: Vec<_> = inbox.wakes.iter().filter_map(|item| item.message_id.clone()).collect();
            let expected: &[String] = if answers == 0 { std::slice::from_ref(&request) } else { &[] };
            assert_eq!(woke, expected, "{}, answer {answers}", world.store);
            for id in inbox.context.iter().filter_map(|item| item.message_id.clone()).chain(woke) {
                *read.get_mut(&id).expect("one of them") += 1;
            }
            answers += 1;
            if !inbox.more {
                break;
            }
            assert!(answers <= INFORMS, "{}: it never ends", world.store);
        }
        let wrong: Vec<_> = read.iter().filter(|(_, times)| **times != 1).collect();
        assert!(wrong.is_empty(), "{}: {} of {}: {:?}", world.store, wrong.len(), read.len(), &wrong[..1]);
        assert!(answers > 1);
    }
}
