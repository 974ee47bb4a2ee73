//! Texts that a database, a terminal or a parser might trip over: each store keeps them byte for byte or refuses them by
//! a rule, and never has trouble [M2].

use serde_json::{Value, json};
use ygg_wire::inbox::ReadInbox;
use ygg_wire::task::TaskAction;

use crate::views::{events, mark};
use crate::world::{PEOPLE, World, told};

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "\u{0}",
        "before\u{0}after",
        "\u{fffe}\u{ffff}\u{fdd0}",
        "\u{feff}with a mark",
        "\r",
        "one\rtwo\nthree\r\nfour\u{85}\u{2028}\u{2029}",
        "\u{1b}[31mred\u{1b}[0m\u{7}\u{8}\u{7f}",
        "\u{1}\u{1f}\u{9f}",
        "e\u{301} is not é",
        "\u{10ffff}\u{e000}\u{202e}",
        "\\u0000 \\x00 \\",
        "' \" ` $1 ?1 %s {} ; DROP TABLE log --",
        "\t \t",
        "\n",
    ]
    .map(str::to_owned)
    .into();
    texts.push("x".repeat(256 * 1024));
    texts.push("x".repeat(1024 * 1024));
    texts.push("\r".repeat(10_000));
    texts
}

fn bodies() -> Vec<Value> {
    let mut bodies: Vec<Value> = [
        r#"{"a":"\u0000"}"#,
        r#"{"\u0000":1}"#,
        r#"["\ufffe","\uffff","\ud83d\ude00"]"#,
        r#"[0,-1,9223372036854775807,18446744073709551615,-9223372036854775808,0.5,1e300,-0.0]"#,
        r#"" \r\u001b""#,
        "false",
        "{}",
    ]
    .map(|text| serde_json::from_str(text).expect("JSON"))
    .into();
    bodies.push(json!("\u{0}".repeat(1_000)));
    // Every kind of fraction: what is read back is the same number to the last bit.
    let spread = (1..2_000u64).map(|number| f64::from_bits(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    bodies.push(spread.filter(|fraction| fraction.is_finite()).collect());
    bodies
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_store_keeps_a_text_as_it_was_sent_or_refuses_it() {
    for world in World::everywhere().await {
        let (from, to) = (&world.callers[0], &world.callers[PEOPLE.len()]);
        let store = world.store;
        let drafts = texts().into_iter().map(|text| (text, json!({"fine": true})));
        let drafts = drafts.chain(bodies().into_iter().map(|body| ("fine".to_owned(), body)));
        for (text, body) in drafts {
            let start: String = text.chars().take(20).collect();
            let draft = json!({"to": "a", "type": "request", "topic_id": "new", "title": "T", "text": text, "body": body});
            let receipt = told(world.engine.send(from, draft).await);
            let too_much = text.len() > 256 * 1024 || text.contains('\0');
            if too_much {
                assert_eq!(receipt["outcome"], "refused", "{store}: {start:?}: {receipt}");
                continue;
            }
            assert_eq!(receipt["outcome"], "delivered", "{store}: {start:?}: {receipt}");
            let id = receipt["message_id"].as_str().expect("an id");
            let message = world.engine.message(to, id).await.expect("it is there");
            assert!(message.text == text, "{store}: {start:?} became {:?}", message.text);
            assert_eq!(message.body, Some(body), "{store}: {start:?}");
        }
        let last = mark(&world).await;
        for event in events(&world, to, 0, last).await.expect("it is let in") {
            serde_json::to_string(&event.data).expect("JSON");
        }
        let inbox = world.engine.inbox(to, ReadInbox::default()).await.expect("an answer");
        assert!(!inbox.wakes.is_empty(), "{store}");
    }
}

/// Names, titles, tasks and the rest: whatever it says, an answer and no trouble.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn such_a_text_is_no_trouble_anywhere_else() {
    for world in World::everywhere().await {
        let (engine, owner, agent) = (&world.engine, &world.callers[0], &world.callers[PEOPLE.len()]);
        let draft = json!({"to": "a", "type": "request", "topic_id": "new", "title": "T", "text": "x"});
        let topic = engine.send(owner, draft).await.expect("an answer").topic_id.expect("a topic");
        for text in texts() {
            told(engine.retitle_topic(owner, &topic, &text).await);
            told(engine.topic(owner, &text).await);
            told(engine.message(owner, &text).await);
            told(engine.set_group(owner, &text, &["a".to_owned()]).await);
            told(engine.set_group(owner, "team", std::slice::from_ref(&text)).await);
            let edit = json!({"display_name": text, "description": text, "operators": [text]});
            for field in ["display_name", "description", "operators"] {
                let edit = serde_json::from_value(json!({ field: edit[field] })).expect("an edit");
                told(engine.edit_agent(owner, "b", edit).await);
            }
            let add = TaskAction::Add { text: text.clone(), status: None, topic_id: None };
            told(engine.tasks(agent, add).await);
            let new = serde_json::from_value(json!({"participant": "a", "label": text})).expect("a key");
            told(engine.make_key(owner, new).await.map(|made| made.about));
            let new = serde_json::from_value(json!({"id": text, "display_name": text})).expect("an agent");
            told(engine.add_agent(owner, new).await);
            let grant = serde_json::from_value(json!({"to": text, "credits": 1})).expect("a grant");
            told(engine.grant(owner, grant).await);
            let told_twice = json!({"to": "a", "type": "request", "topic_id": topic, "text": "x", "idempotency_key": text});
            told(engine.send(owner, told_twice).await);
        }
    }
}
