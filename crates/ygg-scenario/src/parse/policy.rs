//! A scenario's policy: a preset and what differs from it, by the names of docs/rules/plane.md.

use std::time::Duration;

use ygg_domain::policy::Policy;
use ygg_wire::policy::PolicyBody;

use super::fields::{Fields, ParseError, Result, count, text};
use super::span::span;
use crate::yaml::{Node, Value};

/// Every key there is.
const NAMES: [&str; 21] = [
    "preset",
    "doors",
    "topic_limit",
    "nudge_after",
    "nudge_every",
    "nudge_max",
    "poll_after",
    "poll_answer",
    "poll_silence",
    "idle_after",
    "turn_messages",
    "hops",
    "chain_wakes",
    "day_turns",
    "loop_texts",
    "loop_window",
    "loop_rounds",
    "attention",
    "held_expiry",
    "idempotency",
    "attachment_unit",
];

/// The policy, and which keys the scenario sets itself, with their lines.
pub fn policy(node: &Node) -> Result<(Policy, Vec<(&'static str, usize)>)> {
    let fields = Fields::of(node, "policy", &NAMES)?;
    let body = PolicyBody {
        preset: fields.maybe("preset", text)?,
        doors: fields.maybe("doors", text)?,
        topic_limit: fields.maybe("topic_limit", count)?,
        nudge_after: fields.maybe("nudge_after", seconds)?,
        nudge_every: fields.maybe("nudge_every", seconds)?,
        nudge_max: fields.maybe("nudge_max", count)?,
        poll_after: fields.maybe("poll_after", seconds)?,
        poll_answer: fields.maybe("poll_answer", seconds)?,
        poll_silence: fields.maybe("poll_silence", seconds)?,
        idle_after: fields.maybe("idle_after", seconds)?,
        unhanded: None,
        turn_messages: fields.maybe("turn_messages", count)?,
        hops: fields.maybe("hops", count)?,
        chain_wakes: fields.maybe("chain_wakes", count)?,
        day_turns: fields.maybe("day_turns", count)?,
        loop_texts: fields.maybe("loop_texts", count)?,
        loop_window: fields.maybe("loop_window", seconds)?,
        loop_rounds: fields.maybe("loop_rounds", count)?,
        attention: fields.maybe("attention", seconds)?,
        held_expiry: fields.maybe("held_expiry", seconds)?,
        idempotency: fields.maybe("idempotency", seconds)?,
        attachment_unit: fields.maybe("attachment_unit", count)?,
    };
    let set: Vec<_> =
        NAMES.into_iter().filter_map(|name| fields.get(name).map(|node| (name, node.at.line))).collect();
    let policy = body.read().map_err(|problem| {
        // The names that can hold a wrong word begin the sentence that says so.
        let named = NAMES.into_iter().find(|name| problem.starts_with(name));
        let at = named.and_then(|name| fields.get(name)).map_or(node.at, |node| node.at);
        ParseError::new(at, problem)
    })?;
    Ok((policy, set))
}

/// A span, or a whole number of seconds.
fn seconds(node: &Node, what: &str) -> Result<u64> {
    match node.value {
        Value::Whole(_) => count(node, what),
        Value::Nothing
        | Value::Flag(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Map(_) => span(node, what).map(|span: Duration| span.as_secs()),
    }
}
