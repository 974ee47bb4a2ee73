//! Files on every store: who may fetch and send them, what they cost, and how long one waits to be sent [O4, C1].

use serde_json::{Value, json};
use ygg_domain::limits;
use ygg_engine::{Caller, Error};
use ygg_wire::inbox::ReadInbox;

use crate::world::{PEOPLE, World, told};

async fn upload(world: &World, who: &Caller, name: &str, content: &[u8]) -> String {
    let kept = world.engine.upload(who, Some(name.to_owned()), None, content.to_vec()).await;
    kept.expect("it is kept").id
}

async fn fetch(world: &World, who: &Caller, id: &str) -> Option<Vec<u8>> {
    match world.engine.file(who, id, &[]).await {
        Ok(fetched) => fetched.content,
        Err(Error::Refused(refusal)) => {
            assert_eq!(refusal.code(), "not_found");
            None
        }
        Err(trouble) => panic!("{}: {trouble}", world.store),
    }
}

async fn send(world: &World, from: &Caller, draft: Value) -> Value {
    told(world.engine.send(from, draft).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_its_uploaders_until_a_message_carries_it_and_then_its_readers() {
    for world in World::everywhere().await {
        let [ana, max, vic] = &world.callers[..PEOPLE.len()] else { panic!("three people") };
        let [a, b, c, _] = &world.callers[PEOPLE.len()..] else { panic!("four agents") };
        let id = upload(&world, a, "plan.md", b"the plan").await;
        for (who, reads) in [(a, true), (ana, false), (max, false), (b, false)] {
            assert_eq!(fetch(&world, who, &id).await.is_some(), reads, "{}", world.store);
        }
        // Nobody sends what is somebody else's.
        let draft = |to: &str, file: &str| json!({"to": to, "type": "request", "topic_id": "new", "title": "T", "attachments": [file]});
        let stolen = send(&world, b, draft("c", &id)).await;
        assert_eq!((&stolen["reason"], &stolen["charged"]), (&json!("invalid_message"), &json!(0)));
        assert!(stolen["help"].as_str().expect("help").contains(&id), "{stolen}");
        let sent = send(&world, a, draft("b", &id)).await;
        assert_eq!((&sent["outcome"], &sent["charged"]), (&json!("delivered"), &json!(2)), "{sent}");
        for (who, reads) in [(a, true), (b, true), (ana, true), (max, true), (vic, false), (c, false)] {
            let content = fetch(&world, who, &id).await;
            assert_eq!(content.as_deref(), reads.then_some(b"the plan".as_slice()), "{}", world.store);
        }
        let view = told(world.engine.message(b, sent["message_id"].as_str().expect("an id")).await);
        let file = json!({"id": id, "name": "plan.md", "size": 8, "media_type": "application/octet-stream"});
        assert_eq!(view["attachments"], json!([file]));
        let inbox = world.engine.inbox(b, ReadInbox::default()).await.expect("an answer");
        assert_eq!(inbox.wakes[0].attachments, std::slice::from_ref(&id));
        assert!(
            inbox.text.contains("GET /v1/w/acme/files/") && inbox.text.contains("plan.md"),
            "{}",
            inbox.text
        );
        let topic = sent["topic_id"].as_str().expect("a topic");
        let read_back = world.engine.read_back(b, topic, None).await.expect("a page");
        assert!(read_back.text.contains("plan.md"), "{}", read_back.text);
        // Whoever reads it may send it on.
        let sent_on = send(&world, b, draft("c", &id)).await;
        assert_eq!(sent_on["outcome"], "delivered", "{sent_on}");
        assert!(fetch(&world, c, &id).await.is_some());
        let tag = world.engine.file(c, &id, &[]).await.expect("it is there").tag;
        let known = world.engine.file(c, &id, &["else".to_owned(), tag]).await.expect("it is there");
        assert_eq!(known.content, None, "who has it is not sent it again");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_sent_within_a_day_goes() {
    for world in World::everywhere().await {
        let (max, a) = (&world.callers[1], &world.callers[PEOPLE.len()]);
        let (sent, left) =
            (upload(&world, a, "sent", b"same").await, upload(&world, a, "left", b"same").await);
        let renewed = upload(&world, a, "renewed", b"other").await;
        let draft = json!({"to": "b", "topic_id": "new", "title": "T", "text": "x", "attachments": [sent]});
        assert_eq!(send(&world, a, draft).await["outcome"], "delivered");
        world.advance(23 * 60).await;
        assert!(fetch(&world, a, &left).await.is_some());
        assert_eq!(upload(&world, a, "renewed", b"other").await, renewed, "the same again is the same file");
        assert_ne!(upload(&world, max, "renewed", b"other").await, renewed, "but not another's");
        world.advance(61).await;
        assert_eq!(fetch(&world, a, &left).await, None, "{}", world.store);
        assert_eq!(fetch(&world, a, &renewed).await.as_deref(), Some(b"other".as_slice()));
        assert_eq!(fetch(&world, a, &sent).await.as_deref(), Some(b"same".as_slice()));
        let late = json!({"to": "b", "topic_id": "new", "title": "T", "text": "x", "attachments": [left]});
        assert_eq!(send(&world, a, late).await["reason"], "invalid_message");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeat_is_the_same_send_with_the_same_files_and_no_other() {
    let world = World::memory().await;
    let a = &world.callers[PEOPLE.len()];
    let draft = |files: &[&str]| json!({"to": "b", "topic_id": "new", "title": "T", "text": "x", "attachments": files, "idempotency_key": "k"});
    let (one, two) = (upload(&world, a, "1", b"1").await, upload(&world, a, "2", b"2").await);
    let first = send(&world, a, draft(&[&one])).await;
    // From the beginning, as after an answer that was lost.
    let again = upload(&world, a, "1", b"1").await;
    let second = send(&world, a, draft(&[&again])).await;
    assert_eq!((&second["message_id"], &second["duplicate"]), (&first["message_id"], &json!(true)));
    for other in [vec![&*one, &*two], vec![], vec![&*two]] {
        assert_eq!(send(&world, a, draft(&other)).await["reason"], "idempotency_conflict");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_keeps_unsent_has_a_bound() {
    let world = World::memory().await;
    let (a, b) = (&world.callers[PEOPLE.len()], &world.callers[PEOPLE.len() + 1]);
    let mut ids = Vec::new();
    for number in 0..limits::LOOSE_FILES {
        ids.push(upload(&world, a, &format!("{number}"), format!("{number}").as_bytes()).await);
    }
    let full = told(world.engine.upload(a, None, None, b"one more".to_vec()).await);
    assert_eq!(full["refused"]["reason"], "too_large", "{full}");
    assert_eq!(upload(&world, a, "0", b"0").await, ids[0], "what is there is no more");
    upload(&world, b, "x", b"others have their own").await;
    let draft =
        json!({"to": "b", "topic_id": "new", "title": "T", "attachments": &ids[..limits::ATTACHMENTS]});
    assert_eq!(send(&world, a, draft).await["outcome"], "delivered");
    upload(&world, a, "x", b"one more").await;
    let large = vec![0; limits::FILE_BYTES];
    for number in 0..6 {
        upload(&world, b, &format!("{number}"), &large).await;
    }
    let full = told(world.engine.upload(b, Some("6".to_owned()), None, large).await);
    assert_eq!(full["refused"]["facts"]["unit"], "bytes", "{full}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_backend_takes_no_files_and_says_so() {
    let world = World::memory().await;
    let a = &world.callers[PEOPLE.len()];
    let id = upload(&world, a, "x", b"x").await;
    let draft = json!({"to": "system.ygg", "topic_id": "new", "text": "done", "attachments": [id]});
    let receipt = send(&world, a, draft).await;
    assert_eq!(receipt["outcome"], "absorbed");
    assert!(receipt["notes"].to_string().contains("attachments"), "{receipt}");
    assert!(fetch(&world, a, &id).await.is_some(), "it is still there to be sent");
}
