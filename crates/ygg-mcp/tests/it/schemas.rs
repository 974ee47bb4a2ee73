//! What `tools/list` declares is accepted by the strictest clients and costs a model little.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use ygg_wire::tool;

use crate::world::World;

/// Keys that Gemini and OpenAI both take in a function's parameters.
const KEYS: [&str; 6] = ["type", "properties", "required", "items", "enum", "description"];
const TYPES: [&str; 5] = ["object", "array", "string", "integer", "boolean"];

#[tokio::test]
async fn what_is_sent_is_what_is_declared() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    let sent = scout.client().list_all_tools().await.expect("tools");
    let declared = tool::all();
    assert_eq!(sent.len(), 6);
    for (sent, declared) in sent.iter().zip(&declared) {
        assert_eq!(sent.name, declared.name);
        assert_eq!(*sent.input_schema, declared.input_schema);
        assert_eq!(sent.output_schema.as_deref(), Some(&declared.output_schema));
        let hints = sent.annotations.as_ref().expect("annotations");
        let reads = [tool::CONVERSATION, tool::ME, tool::DIRECTORY].contains(&declared.name);
        assert_eq!(hints.read_only_hint, Some(reads), "{}", declared.name);
        assert_eq!(hints.idempotent_hint, Some(reads), "{}", declared.name);
        assert_eq!(hints.destructive_hint, Some(declared.name == tool::TASKS), "{}", declared.name);
        assert_eq!(hints.open_world_hint, Some(false), "{}", declared.name);
    }
    let info = scout.client().peer_info().expect("the server's information");
    let server = info.server_info.as_ref().expect("the server's name");
    assert_eq!((server.name.as_str(), server.version.as_str()), ("ygg", env!("CARGO_PKG_VERSION")));
    let words = info.instructions.clone().expect("instructions");
    assert!((3..=5).contains(&words.matches(". ").count().saturating_add(1)), "{words}");
    assert!(words.contains("ygg_inbox") && words.contains("ygg_send"), "{words}");
}

#[tokio::test]
async fn the_list_is_short() {
    let world = World::start().await;
    let scout = world.agent("scout").await;
    let tools = scout.client().list_all_tools().await.expect("tools");
    let whole = serde_json::to_string(&tools).expect("JSON").len();
    let mut bare = tools;
    bare.iter_mut().for_each(|tool| tool.output_schema = None);
    let shown = serde_json::to_string(&bare).expect("JSON").len();
    println!("tools/list: {shown} bytes without output schemas, {whole} with them");
    assert!(shown < 11_500, "a model reads {shown} bytes, about {} tokens", shown / 4);
    assert!(whole < 18_000, "{whole} bytes in all");
}

#[test]
fn every_schema_is_plain() {
    for tool in tool::all() {
        let lower = |c: char| c.is_ascii_lowercase() || c == '_';
        // `mcp__ygg__` and longer prefixes have to fit into 64 characters as well.
        assert!(tool.name.chars().all(lower) && tool.name.len() <= 24, "{}", tool.name);
        check(tool.name, &Value::Object(tool.input_schema.clone()), true);
        check(tool.name, &Value::Object(tool.output_schema.clone()), false);
        assert!(jsonschema::meta::is_valid(&Value::Object(tool.input_schema)));
        assert_eq!(tool.output_schema["required"], json!(["text"]), "refusals meet it too");
    }
}

/// Panics on anything that one of the strict clients refuses.
fn check(place: &str, schema: &Value, input: bool) {
    let schema = schema.as_object().unwrap_or_else(|| panic!("{place} is no schema"));
    for key in schema.keys() {
        assert!(KEYS.contains(&key.as_str()), "{place} uses {key}");
    }
    let kind = schema["type"].as_str().unwrap_or_else(|| panic!("{place}: one type, not a union"));
    assert!(TYPES.contains(&kind), "{place}: {kind}");
    assert_eq!(kind == "array", schema.contains_key("items"), "{place}: arrays have items");
    if let Some(choices) = schema.get("enum") {
        let choices = choices.as_array().expect("a list");
        assert!(
            kind == "string"
                && choices.iter().all(|choice| choice.as_str().is_some_and(|text| !text.is_empty())),
            "{place}"
        );
    }
    if let Some(items) = schema.get("items") {
        check(&format!("{place}[]"), items, input);
    }
    let none = Map::new();
    let properties = schema.get("properties").map_or(&none, |all| all.as_object().expect("properties"));
    assert!(kind == "object" || properties.is_empty(), "{place}: only objects have properties");
    // Gemini refuses every declaration when one object names no property.
    assert!(!input || kind != "object" || !properties.is_empty(), "{place}: an object without properties");
    let names: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
    for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        assert!(
            required.as_str().is_some_and(|name| names.contains(name)),
            "{place}: {required} is not there"
        );
    }
    for (name, property) in properties {
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{place}.{name}");
        check(&format!("{place}.{name}"), property, input);
    }
}

#[test]
fn the_descriptions_say_what_wakes_whom() {
    let of = |name: &str| {
        let tool = tool::all().into_iter().find(|tool| tool.name == name).expect("a tool");
        tool.description.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for said in [
        "Only this reaches others",
        "A request wakes",
        "An inform never wakes",
        "without a type is an inform",
        "it comes to you as a wake",
        "state: done finishes",
    ] {
        assert!(of(tool::SEND).contains(said), "{said}");
    }
    for said in ["context is read, not answered", "never orders", "repeat the last batch"] {
        assert!(of(tool::INBOX).contains(said), "{said}");
    }
}
