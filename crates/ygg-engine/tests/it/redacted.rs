//! A message that was redacted, wherever it could be read, on every store [W6].

use serde_json::{Value, json};
use ygg_engine::Error;
use ygg_wire::inbox::ReadInbox;

use crate::views::{events, mark};
use crate::world::{PEOPLE, World, told};

const SECRET: &str = "correct horse battery staple";

fn lacks(what: &str, shown: &impl std::fmt::Debug) {
    let shown = format!("{shown:?}");
    assert!(!shown.contains(SECRET) && !shown.contains("secret.txt"), "{what}: {shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_shows_what_it_said() {
    for world in World::everywhere().await {
        let (ana, max) = (&world.callers[0], &world.callers[1]);
        let [a, b, ..] = &world.callers[PEOPLE.len()..] else { panic!("agents") };
        let engine = &world.engine;
        let name = Some("secret.txt".to_owned());
        let file = engine.upload(a, name, None, SECRET.as_bytes().to_vec()).await.expect("it is kept").id;
        let draft = json!({"to": "b", "type": "request", "topic_id": "new", "title": "T", "text": SECRET,
                           "body": {"secret": SECRET}, "attachments": [file], "idempotency_key": "k"});
        let sent = told(engine.send(a, draft.clone()).await);
        let text = |field: &str| sent[field].as_str().expect("an id").to_owned();
        let (message, topic) = (text("message_id"), text("topic_id"));
        let before = engine.last_seq(b).await.expect("a place");
        engine.inbox(b, ReadInbox::default()).await.expect("an answer");

        for (who, code) in [(a, "forbidden"), (max, "forbidden"), (&world.callers[2], "not_found")] {
            assert_eq!(
                told(engine.redact(who, &message).await)["refused"]["reason"],
                code,
                "{}",
                world.store
            );
        }
        let seq = engine.last_seq(ana).await.expect("a place");
        let view = told(engine.redact(ana, &message).await);
        assert_eq!((&view["text"], view.get("body")), (&json!("[redacted]"), None));
        assert_eq!(view["redacted"]["by"], told(engine.me(ana).await)["id"]);
        let after = engine.last_seq(ana).await.expect("a place");
        assert_eq!(after, seq + 1);
        assert_eq!(told(engine.redact(ana, &message).await), view, "a second time is the same");
        assert_eq!(engine.last_seq(ana).await.expect("a place"), after, "and writes nothing");

        lacks("message", &told(engine.message(b, &message).await));
        lacks("messages", &told(engine.messages(b, &topic, 0, 50).await));
        lacks("read back", &engine.read_back(b, &topic, None).await.expect("a page").text);
        for from in [0, 3] {
            let one = engine.read_back_message(b, &message, from).await.expect("a page");
            assert!(one.text.contains("redacted"), "{}", one.text);
            lacks("read back alone", &one.text);
        }
        let again = engine.inbox(b, ReadInbox { peek: false, again: true }).await.expect("an answer");
        assert!(again.text.contains("redacted"), "{}", again.text);
        lacks("again", &again);
        let last = mark(&world).await;
        let told_since = events(&world, b, 0, last).await.expect("it is let in");
        lacks("events", &told_since);
        let kinds: Vec<&str> = told_since.iter().map(|event| event.kind.as_str()).collect();
        assert!(kinds.contains(&"conversation.message.redacted"), "{kinds:?}");
        let told_later = events(&world, b, before, last).await.expect("it is let in");
        assert!(told_later.iter().any(|event| event.data["message_id"] == json!(message)));
        assert!(matches!(engine.file(a, &file, &[]).await, Err(Error::Refused(_))), "{}", world.store);
        // The first receipt is told again, and nothing is said twice.
        let repeat = told(engine.send(a, draft).await);
        assert_eq!((&repeat["duplicate"], &repeat["message_id"]), (&json!(true), &json!(message)));
        lacks("the receipt", &repeat);
        let debts: Value = told(engine.message(b, &message).await)["recipients"].clone();
        assert_eq!(debts[0]["debt"], "open", "everything else stays");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_another_message_carries_stays_there() {
    for world in World::everywhere().await {
        let ana = &world.callers[0];
        let [a, b, c, _] = &world.callers[PEOPLE.len()..] else { panic!("agents") };
        let engine = &world.engine;
        let file = engine.upload(a, None, None, b"shared".to_vec()).await.expect("it is kept").id;
        let draft = |to: &str| json!({"to": to, "type": "inform", "topic_id": "new", "title": "T", "attachments": [file]});
        let first = told(engine.send(a, draft("b")).await);
        told(engine.send(a, draft("c")).await);
        told(engine.redact(ana, first["message_id"].as_str().expect("an id")).await);
        assert!(engine.file(c, &file, &[]).await.is_ok(), "{}", world.store);
        // Who could read it by the redacted message alone cannot any more.
        assert!(engine.file(b, &file, &[]).await.is_err(), "{}", world.store);
    }
}
