//! Results of tools: one text that is complete by itself, and the same with ids as data [P5]. A refusal is a
//! result too, marked as an error, so that the model gets to read it.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Map, Value};
use ygg_domain::Refusal;
use ygg_engine::Error;
use ygg_wire::Problem;

use crate::render::facts;

pub type Answer = Result<CallToolResult, Error>;

/// `data` is what the tool's output schema says, without the text.
pub fn done(text: String, data: &impl Serialize) -> CallToolResult {
    result(text, object(data), false)
}

/// An answer that says no, with all it holds as data.
pub fn denied(text: String, data: &impl Serialize) -> CallToolResult {
    result(text, object(data), true)
}

pub fn refused(refusal: &Refusal) -> CallToolResult {
    problem(&Problem::from(refusal))
}

pub fn error(error: Error) -> CallToolResult {
    let (status, reason, help) = match error {
        Error::Refused(refusal) => return refused(&refusal),
        Error::Unauthenticated | Error::WrongPassword => {
            (401, "unauthenticated", "Your key does not stand any more; a person has to give you another.")
        }
        Error::Unavailable(error) => {
            tracing::warn!(%error, "a tool could not reach the store");
            (503, "unavailable", error.advice())
        }
        Error::Broken(what) => {
            tracing::error!(what, "a tool broke");
            (
                500,
                "internal",
                "Something went wrong in the server. It was done wholly or not at all: look with ygg_me or \
                 ygg_conversation before you try once more.",
            )
        }
    };
    let mut problem = Problem::new(status, reason, help);
    problem.retry_after = (status == 503).then_some(1);
    self::problem(&problem)
}

fn problem(problem: &Problem) -> CallToolResult {
    let mut text = format!("{} (reason: {})", problem.help, problem.reason);
    facts(&mut text, &problem.facts, problem.who_can_lift.as_deref(), problem.retry_after);
    let whole = object(problem);
    let named = ["reason", "help", "facts", "who_can_lift", "retry_after"];
    let data = whole.into_iter().filter(|(name, _)| named.contains(&name.as_str())).collect();
    result(text, data, true)
}

fn result(text: String, mut data: Map<String, Value>, is_error: bool) -> CallToolResult {
    data.insert("text".to_owned(), Value::String(text.clone()));
    let content = vec![ContentBlock::text(text)];
    let mut result = if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(Value::Object(data));
    result
}

fn object(data: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(data) {
        Ok(Value::Object(data)) => data,
        Ok(_) | Err(_) => {
            tracing::error!("a tool's answer is no object");
            Map::new()
        }
    }
}
