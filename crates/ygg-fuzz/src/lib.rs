//! What is fuzzed: each function takes whatever bytes there are and panics if anything but an answer comes of them. The
//! fuzzers in `bin` call them with what covers new code; the tests call them with `seeds` and spoiled copies of those.

mod world;

use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;
use ygg_wire::Receipt;

use world::World;

/// A draft as an agent sends it: a message or a refusal comes of it, and what is kept is kept byte for byte [M2, M5].
pub fn drafts(bytes: &[u8]) {
    let Ok(draft) = serde_json::from_slice::<Value>(bytes) else { return };
    world::inside(async |world| {
        let receipt = world.engine.send(&world.agent, draft.clone()).await;
        let receipt = receipt.unwrap_or_else(|error| panic!("trouble, no answer: {error}"));
        let Receipt { outcome, message_id, reason, help, .. } = &receipt;
        match outcome.as_str() {
            "refused" => assert!(message_id.is_none() && reason.is_some() && help.is_some(), "{receipt:?}"),
            "absorbed" => assert!(message_id.is_none(), "{receipt:?}"),
            "delivered" => {
                let id = message_id.as_deref().unwrap_or_else(|| panic!("no id: {receipt:?}"));
                let kept = world.engine.message(&world.agent, id).await;
                let kept = kept.unwrap_or_else(|error| panic!("{id} is lost: {error}"));
                assert_eq!(Some(kept.text.as_str()), draft["text"].as_str());
            }
            other => panic!("an outcome that nothing tells of: {other}"),
        }
    });
}

/// A body posted to the MCP endpoint: no trouble of the server, and JSON-RPC where the body was.
pub fn frames(bytes: &[u8]) {
    let asked: Option<Value> = serde_json::from_slice(bytes).ok();
    let (status, answer) = world::inside(async |world| post(world, bytes.to_vec()).await);
    assert!(!status.is_server_error(), "{status}: {}", String::from_utf8_lossy(&answer));
    match status {
        StatusCode::ACCEPTED => assert!(answer.is_empty(), "a notification has no answer"),
        StatusCode::OK => check_answer(asked.as_ref(), &answer),
        _ => assert!(!answer.is_empty(), "{status} says why"),
    }
}

fn check_answer(asked: Option<&Value>, answer: &[u8]) {
    let told: Value = serde_json::from_slice(answer).unwrap_or_else(|error| panic!("no JSON: {error}"));
    assert_eq!(told["jsonrpc"], "2.0", "{told}");
    assert!(told.get("result").is_some() != told.get("error").is_some(), "{told}");
    let id = asked.and_then(|asked| asked.get("id"));
    assert!(told["id"].is_null() || Some(&told["id"]) == id, "{told} answers {asked:?}");
}

async fn post(world: &World, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
    let request = Request::post("/mcp")
        .header(AUTHORIZATION, format!("Bearer {}", world.key))
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .unwrap_or_else(|error| panic!("no request: {error}"));
    let Ok(response) = world.mcp.clone().oneshot(request).await;
    let status = response.status();
    let answer = response.into_body().collect().await;
    let answer = answer.unwrap_or_else(|error| panic!("half an answer: {error}"));
    (status, answer.to_bytes().to_vec())
}

/// A scenario file: it reads, or the error says where it does not, in letters that a terminal can be given.
pub fn scenarios(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Err(error) = ygg_scenario::parse(text) {
        assert!(error.line >= 1 && error.column >= 1, "{error:?}");
        let told = ygg_scenario::Report::new().unread("fuzzed", error).to_string();
        assert!(!told.contains(char::is_control), "{told:?}");
    }
}
