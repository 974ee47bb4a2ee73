//! Refusals are results that say what to do, with the same as data; only what no model can mend is a protocol error.

use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, ErrorCode};
use serde_json::{Value, json};
use ygg_domain::policy::Policy;
use ygg_engine::RateLimit;
use ygg_wire::tool::{CONVERSATION, INBOX, ME, SEND, TASKS};

use crate::world::{Agent, Told, World, id};

fn request(to: &str, title: &str, text: &str) -> Value {
    json!({"to": [to], "type": "request", "topic_id": "new", "title": title, "text": text})
}

#[tokio::test]
async fn every_refusal_of_a_send_is_a_result_with_its_receipt() {
    let world = World::start().await;
    let (scout, builder) = (world.agent("scout").await, world.agent("builder").await);
    let told = scout
        .refused(SEND, json!({"to": ["builder"], "type": "inform", "text": "x"}), "topic_required")
        .await;
    assert_eq!((&told.data["outcome"], &told.data["charged"]), (&json!("refused"), &json!(1)));
    assert!(told.text.contains("1 credit was taken"), "{}", told.text);
    let untitled = json!({"to": ["builder"], "type": "inform", "topic_id": "new", "text": "x"});
    scout.refused(SEND, untitled, "title_required").await;
    scout.refused(SEND, json!({"to": ["builder"]}), "invalid_message").await;
    scout.refused(SEND, json!({}), "invalid_message").await;
    let told = scout.refused(SEND, request("builder", "T", &"x".repeat(300_000)), "too_large").await;
    assert_eq!(told.data["facts"]["limit"], 262_144);
    let unknown = json!({"to": ["builder"], "type": "inform", "topic_id": "top_00000000000000000000000000", "text": "x"});
    scout.refused(SEND, unknown, "unknown_topic").await;

    let topic = id(&scout.get(SEND, request("builder", "T", "Done soon?")).await, "/topic_id");
    for agent in [&scout, &builder] {
        let done = json!({"to": ["conversation"], "type": "inform", "topic_id": topic, "text": "bye", "state": "done"});
        agent.get(SEND, done).await;
    }
    let late = json!({"to": ["builder"], "type": "inform", "topic_id": topic, "text": "one more"});
    let told = scout.refused(SEND, late, "topic_closed").await;
    assert!(told.text.contains("This is final."), "{}", told.text);
}

/// A misspelt name, a removed one and another workspace's answer alike, and none of them is a success.
#[tokio::test]
async fn a_name_that_is_not_here_is_refused_whoever_has_it() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    world.engine.found_workspace("other", "olga", Policy::default(), 10).await.expect("another workspace");
    for name in ["reviewr", "@olga", "olga", "group:nobody"] {
        let told = scout.refused(SEND, request(name, "T", "x"), "unknown_recipient").await;
        let help = format!("No such recipient here: {name};");
        assert!(told.text.starts_with(&help), "{}", told.text);
        assert_eq!(told.data["who_can_lift"], "sender");
    }
}

#[tokio::test]
async fn the_topics_that_fill_the_limit_are_named_by_id_alone() {
    let world = World::start().await;
    let (scout, _builder) = (world.agent("scout").await, world.agent("builder").await);
    let mut held = Vec::new();
    for number in 0..3 {
        let sent =
            scout.get(SEND, request("builder", &format!("Title {number}"), &format!("text {number}"))).await;
        held.push(id(&sent, "/topic_id"));
    }
    let told = scout.refused(SEND, request("builder", "Title 3", "text 3"), "topic_limit").await;
    for topic in &held {
        assert!(told.text.contains(topic), "{}", told.text);
    }
    assert!(!told.data.to_string().contains("Title 1"), "{}", told.data);
}

#[tokio::test]
async fn being_short_of_credits_says_who_can_help() {
    let world = World::with(Policy::default(), 1, RateLimit::Off).await;
    let (scout, _builder) = (world.agent("scout").await, world.agent("builder").await);
    let told = scout.refused(SEND, request("builder", "T", &"x".repeat(1_001)), "credits_exhausted").await;
    assert!(told.text.contains("admin or owner"), "{}", told.text);
}

#[tokio::test]
async fn wrong_arguments_are_refused_with_what_to_do() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    let cases = [
        (INBOX, json!({"peek": "yes"})),
        (INBOX, json!({"again": 1})),
        (CONVERSATION, json!({})),
        (CONVERSATION, json!({"topic_id": "top_x", "message_id": "msg_x"})),
        (CONVERSATION, json!({"topic_id": ["top_x"]})),
        (CONVERSATION, json!({"topic_id": "top_x", "before": "newest"})),
        (CONVERSATION, json!({"message_id": "msg_x", "from": -5})),
        (ME, json!({"from": {}})),
        (TASKS, json!({})),
        (TASKS, json!({"action": "dance"})),
        (TASKS, json!({"action": 1})),
        (TASKS, json!({"action": "add"})),
        (TASKS, json!({"action": "add", "text": ""})),
        (TASKS, json!({"action": "add", "text": ["x"]})),
        (TASKS, json!({"action": "add", "text": "x", "status": "later"})),
        (TASKS, json!({"action": "add", "text": "x", "wake_at": "2030-01-01T00:00:00Z"})),
        (TASKS, json!({"action": "reorder", "order": "x"})),
    ];
    for (tool, arguments) in cases {
        scout.refused(tool, arguments, "invalid_message").await;
    }
    scout.refused(CONVERSATION, json!({"topic_id": "top_x"}), "unknown_topic").await;
    scout.refused(CONVERSATION, json!({"message_id": "msg_x"}), "not_found").await;
    scout.refused(TASKS, json!({"action": "remove", "id": "tsk_x"}), "not_found").await;
    let topic = json!({"action": "add", "text": "x", "topic_id": "top_x"});
    scout.refused(TASKS, topic, "unknown_topic").await;
    // What a client adds of itself does no harm where nothing is promised by it.
    scout.get(ME, json!({"random_string": "x"})).await;
    scout.get(INBOX, json!({"limit": 2, "peek": null})).await;
}

#[tokio::test]
async fn somebody_elses_topic_answers_like_none() {
    let world = World::start().await;
    let (scout, _builder, outsider) =
        (world.agent("scout").await, world.agent("builder").await, world.agent("outsider").await);
    let sent = scout.get(SEND, request("builder", "T", "between us")).await;
    let (topic, message) = (id(&sent, "/topic_id"), id(&sent, "/message_id"));
    let told = outsider.refused(CONVERSATION, json!({"topic_id": topic}), "unknown_topic").await;
    assert!(!told.text.contains("between us"), "{}", told.text);
    outsider.refused(CONVERSATION, json!({"message_id": message}), "not_found").await;
}

#[tokio::test]
async fn too_many_calls_are_refused_with_when_to_come_back() {
    let world = World::limited(4).await;
    let scout = world.agent("scout").await;
    let told = until_limited(&scout, ME, json!({})).await;
    assert!(told.data["retry_after"].as_u64().is_some_and(|seconds| seconds > 0), "{told:?}");
    assert!(told.text.contains("Try again after"), "{}", told.text);
    let told = until_limited(&scout, SEND, request("nobody", "T", "x")).await;
    assert_eq!((&told.data["outcome"], &told.data["charged"]), (&json!("refused"), &json!(0)));
}

/// On a slow machine the second that gives a call back may pass in between.
async fn until_limited(agent: &Agent, tool: &'static str, arguments: Value) -> Told {
    for _ in 0..100 {
        let told = agent.call(tool, arguments.clone()).await;
        if told.data.get("reason").is_some_and(|reason| reason == "rate_limited") {
            assert!(told.is_error, "{told:?}");
            return told;
        }
    }
    panic!("a hundred calls of {tool} went through a limit of four");
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_a_protocol_error() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    for name in ["send_message", "ygg_pay", ""] {
        let failed = scout.client().call_tool(CallToolRequestParams::new(name)).await;
        let Err(ServiceError::McpError(error)) = failed else { panic!("{name}: {failed:?}") };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS, "{name}");
    }
}
