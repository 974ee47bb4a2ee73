//! Reading: peek and again, long texts part by part, topics and lists page by page. Nothing is lost on the way.

use serde_json::{Value, json};
use ygg_wire::participant::NewAgent;
use ygg_wire::tool::{CONVERSATION, DIRECTORY, INBOX, ME, SEND, TASKS};

use crate::world::{Agent, Told, World, id};

async fn ask(scout: &Agent, title: &str, text: &str) -> Told {
    let draft =
        json!({"to": ["builder"], "type": "request", "topic_id": "new", "title": title, "text": text});
    scout.get(SEND, draft).await
}

#[tokio::test]
async fn looking_takes_nothing_and_a_lost_answer_can_be_had_again() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    for title in ["One", "Two"] {
        ask(&scout, title, &format!("The question of {title}.")).await;
    }
    for _ in 0..2 {
        let peeked = builder.get(INBOX, json!({"peek": true})).await;
        assert!(peeked.text.contains("The question of One."), "{}", peeked.text);
        assert_eq!((&peeked.data["more"], &peeked.data["more_topics"]), (&json!(true), &json!(1)));
        assert_eq!(peeked.data.get("turn_id"), None);
    }
    let first = builder.get(INBOX, json!({})).await;
    for _ in 0..2 {
        let again = builder.get(INBOX, json!({"again": true})).await;
        assert_eq!(again.data["wakes"], first.data["wakes"]);
        assert!(again.text.contains("The question of One."), "{}", again.text);
    }
    let second = builder.get(INBOX, json!({})).await;
    assert!(second.text.contains("The question of Two."), "{}", second.text);
    assert_eq!(second.data["more"], false);
    let empty = builder.get(INBOX, json!({})).await;
    assert!(empty.text.contains("Nothing is waiting for builder"), "{}", empty.text);
    assert_eq!((&empty.data["wakes"], &empty.data["context"]), (&json!([]), &json!([])));
}

/// Whoever looks on takes nothing from the one it is for.
#[tokio::test]
async fn what_a_person_looks_at_waits_for_its_agent_all_the_same() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let sent = ask(&scout, "One", "The question of One.").await;
    let (topic, message) = (id(&sent, "/topic_id"), id(&sent, "/message_id"));
    let shown = world.engine.messages(&world.owner, &topic, 0, 10).await.expect("messages");
    assert_eq!(shown.items.len(), 1);
    world.engine.why(&world.owner, &message).await.expect("the rules");
    let me = builder.get(ME, json!({})).await;
    assert_eq!((&me.data["unread"], &me.data["wakes_waiting"]), (&json!(1), &json!(1)));
    let inbox = builder.get(INBOX, json!({})).await;
    assert_eq!(inbox.data["wakes"][0]["message_id"], json!(message));
    assert!(inbox.text.contains("The question of One."), "{}", inbox.text);
}

/// A look hands nothing over, so there is nothing of it to repeat; both together repeat, and take nothing either.
#[tokio::test]
async fn what_was_only_looked_at_is_not_repeated() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    for title in ["One", "Two"] {
        ask(&scout, title, &format!("The question of {title}.")).await;
    }
    for arguments in [json!({"again": true}), json!({"again": true, "peek": true})] {
        builder.get(INBOX, json!({"peek": true})).await;
        let none = builder.get(INBOX, arguments).await;
        assert!(none.text.contains("Nothing was handed to builder"), "{}", none.text);
        assert_eq!((&none.data["wakes"], &none.data["more"]), (&json!([]), &json!(true)));
        assert_eq!(none.data["more_topics"], 2);
    }
    let first = builder.get(INBOX, json!({})).await;
    for arguments in [json!({"again": true}), json!({"again": true, "peek": true})] {
        let peeked = builder.get(INBOX, json!({"peek": true})).await;
        assert!(peeked.text.contains("The question of Two."), "{}", peeked.text);
        let again = builder.get(INBOX, arguments).await;
        assert_eq!(
            (&again.data["turn_id"], &again.data["wakes"]),
            (&first.data["turn_id"], &first.data["wakes"])
        );
        assert_eq!(again.data["more_topics"], 1);
    }
    let second = builder.get(INBOX, json!({})).await;
    assert!(second.text.contains("The question of Two."), "{}", second.text);
}

/// One answer stays below what clients take, and the whole can still be had.
#[tokio::test]
async fn a_long_text_is_read_to_its_end() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let whole: String = (0..9_000).map(|line| format!("line {line:05}\n")).collect();
    let sent = ask(&scout, "Long", &whole).await;
    let (topic, message) = (id(&sent, "/topic_id"), id(&sent, "/message_id"));
    let inbox = builder.get(INBOX, json!({})).await;
    assert!(inbox.text.len() < 10_000 && inbox.text.contains("message_id"), "{}", inbox.text.len());
    let page = builder.get(CONVERSATION, json!({"topic_id": topic})).await;
    assert!(page.text.contains(&format!("{message} goes on")), "{}", page.text);

    let (mut read, mut from) = (String::new(), Some(0));
    while let Some(at) = from {
        let part = builder.get(CONVERSATION, json!({"message_id": message, "from": at})).await;
        assert!(part.text.chars().count() <= 20_000, "{}", part.text.len());
        read.push_str(&fenced(&part.text));
        from = part.data["rest_from"].as_u64();
        assert_eq!(from.is_none(), part.text.contains("end of the text"), "{}", part.text);
    }
    // Where a part ends within a line, the fence gives it a line end of its own.
    assert_eq!(read.replace('\n', ""), whole.replace('\n', ""));
}

/// What is shown as an escape takes ten times its room, and may not take an answer beyond its size.
#[tokio::test]
async fn an_answer_stays_within_its_size_whatever_was_written() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let hidden = |chars: usize| "\u{e0041}".repeat(chars);
    let fits = |told: &Told| assert!(told.text.chars().count() <= 20_000, "{}", told.text.chars().count());
    let topic = id(&ask(&scout, &format!("T{}", hidden(119)), &hidden(6_000)).await, "/topic_id");
    for _ in 0..3 {
        let draft = json!({"to": ["builder"], "type": "request", "topic_id": topic, "text": hidden(6_000), "title": "x"});
        fits(&scout.get(SEND, draft).await);
    }
    for _ in 0..60 {
        fits(&builder.get(TASKS, json!({"action": "add", "text": hidden(500)})).await);
    }
    fits(&builder.get(TASKS, json!({"action": "list"})).await);
    fits(&builder.get(ME, json!({})).await);
    let mut seen = 0;
    loop {
        let inbox = builder.get(INBOX, json!({})).await;
        fits(&inbox);
        fits(&builder.get(INBOX, json!({"again": true})).await);
        let handed = inbox.data["wakes"].as_array().map_or(0, Vec::len)
            + inbox.data["context"].as_array().map_or(0, Vec::len);
        seen += handed;
        if handed == 0 {
            break;
        }
    }
    assert_eq!(seen, 4);
    let page = builder.get(CONVERSATION, json!({"topic_id": topic})).await;
    fits(&page);
    let message = id(&page, "/messages/0/message_id");
    let (mut read, mut from) = (0, Some(0));
    while let Some(at) = from {
        let part = builder.get(CONVERSATION, json!({"message_id": message, "from": at})).await;
        fits(&part);
        read += part.text.matches(r"\u{e0041}").count();
        from = part.data["rest_from"].as_u64();
    }
    assert_eq!(read, 6_000, "every character, once");
}

/// What stands between the first markers.
fn fenced(text: &str) -> String {
    let (_, rest) = text.split_once("<<<data ").expect("a marker");
    let (nonce, rest) = rest.split_once('\n').expect("a line");
    rest.split_once(&format!("data {nonce}>>>")).expect("the other marker").0.to_owned()
}

#[tokio::test]
async fn a_topic_is_read_back_page_by_page() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let topic = id(&ask(&scout, "Pages", "message 0").await, "/topic_id");
    for number in 1..=30 {
        let text = format!("message {number} {}", "x".repeat(1_500));
        let draft = json!({"to": ["builder"], "type": "inform", "topic_id": topic, "text": text});
        scout.get(SEND, draft).await;
    }
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let mut arguments = json!({"topic_id": topic});
        if let Some(before) = before {
            arguments["before"] = json!(before);
        }
        let page = builder.get(CONVERSATION, arguments).await;
        assert!(page.text.chars().count() <= 20_000, "{}", page.text.len());
        let mut ids: Vec<Value> = page.data["messages"]
            .as_array()
            .expect("messages")
            .iter()
            .map(|message| message["message_id"].clone())
            .collect();
        ids.extend(seen);
        seen = ids;
        before = page.data["earlier"].as_i64();
        if before.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 31);
    assert!(seen.is_sorted_by_key(|id| id.as_str().map(str::to_owned)), "oldest first: {seen:?}");
    // Reading back takes nothing.
    assert_eq!(
        builder.get(INBOX, json!({"peek": true})).await.data["wakes"].as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn lists_longer_than_one_answer_are_read_page_by_page() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    let description = "d".repeat(300);
    for number in 0..80 {
        let new = NewAgent {
            id: format!("agent-{number:03}"),
            description: description.clone(),
            ..NewAgent::default()
        };
        world.engine.add_agent(&world.owner, new).await.expect("an agent");
    }
    let (mut agents, mut from, mut pages) = (0, Some(0), 0);
    while let Some(at) = from {
        let page = scout.get(DIRECTORY, json!({"from": at})).await;
        agents += page.data["agents"].as_array().map_or(0, Vec::len);
        assert!(page.text.chars().count() <= 20_000, "{}", page.text.len());
        from = page.data["next"].as_u64();
        assert_eq!(from.is_some(), page.text.contains("There is more"), "{}", page.text);
        pages += 1;
    }
    assert_eq!(agents, 81);
    assert!(pages > 1, "{pages}");
}

#[tokio::test]
async fn what_is_owed_and_waits_is_told_with_its_ids() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let sent = ask(&scout, "A title", "A question.").await;
    let (topic, request) = (id(&sent, "/topic_id"), id(&sent, "/message_id"));
    let me = builder.get(ME, json!({})).await;
    assert_eq!((&me.data["unread"], &me.data["wakes_waiting"]), (&json!(1), &json!(1)));
    let mine = &me.data["topics"][0];
    assert_eq!(
        (&mine["topic_id"], &mine["owes"], &mine["opened_by_me"]),
        (&json!(topic), &json!([request]), &json!(false))
    );
    assert!(me.text.contains(&format!("you owe an answer to {request}")), "{}", me.text);
    assert!(me.text.contains("A title"), "{}", me.text);
    let me = scout.get(ME, json!({})).await;
    assert_eq!((&me.data["topics"][0]["owed"], &me.data["topics_held"]), (&json!([request]), &json!(1)));
    assert!(me.text.contains("you are owed an answer"), "{}", me.text);
}
