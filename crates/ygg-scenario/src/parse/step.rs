//! One step: what it does, and beside it `as` and `expect`.

use super::draft::{draft, say, turn};
use super::expect::{Shape, expect};
use super::fields::{Fields, ParseError, Result, count, flag, map, only_true, text, texts};
use super::scope::{Bound, Scope};
use super::span::span;
use crate::scenario::{Act, FundTo, Holder, Part, Step};
use crate::yaml::{Key, Node, Value};

const STEPS: [&str; 27] = [
    "send",
    "say",
    "inbox",
    "turn",
    "answer",
    "door",
    "hook",
    "stop",
    "redact",
    "retitle",
    "pause_workspace",
    "resume_workspace",
    "fund",
    "close",
    "pause",
    "resume",
    "remove",
    "add",
    "tasks",
    "advance",
    "restart",
    "topic",
    "balance",
    "questions",
    "needs_you",
    "doors",
    "ledger_ok",
];

pub fn step(node: &Node, scope: &mut Scope) -> Result<Step> {
    let (mut named, mut bind, mut wanted) = (None, None, None);
    for entry in map(node, "a step")? {
        match entry.0.name.as_str() {
            "as" => bind = Some(entry),
            "expect" => wanted = Some(entry),
            name if !STEPS.contains(&name) => {
                let message = format!("there is no step `{name}`; there are {}", STEPS.join(", "));
                return Err(ParseError::new(entry.0.at, message));
            }
            name => {
                if let Some((before, _)) = named.replace(entry) {
                    let before: &Key = before;
                    let message =
                        format!("one step at a time: `{}` and `{name}` stand together", before.name);
                    return Err(ParseError::new(entry.0.at, message));
                }
            }
        }
    }
    let Some((key, value)) = named else {
        let message = format!("a step needs one of {}", STEPS.join(", "));
        return Err(ParseError::new(node.at, message));
    };
    let act = act(&key.name, value, scope)?;
    let bind = bind.map(|(key, name)| bound(key, name, &act, scope)).transpose()?;
    let expect = wanted.map(|(_, wanted)| expect(wanted, &Shape::of(&act), scope)).transpose()?;
    Ok(Step { line: key.at.line, act, bind, expect })
}

/// The name of `as`, which later steps may use from now on.
fn bound(key: &Key, node: &Node, act: &Act, scope: &mut Scope) -> Result<String> {
    let name = text(node, "as")?;
    let what = match act {
        Act::Send(_) | Act::Say(_) | Act::Hook { .. } => Bound::Message,
        Act::Turn(_) => Bound::Turn,
        Act::Inbox { .. }
        | Act::Answer { .. }
        | Act::Door { .. }
        | Act::Stop { .. }
        | Act::Redact { .. }
        | Act::Retitle { .. }
        | Act::PauseWorkspace { .. }
        | Act::ResumeWorkspace { .. }
        | Act::Fund { .. }
        | Act::Close { .. }
        | Act::Pause { .. }
        | Act::Resume { .. }
        | Act::Remove { .. }
        | Act::Add { .. }
        | Act::Tasks { .. }
        | Act::Advance(_)
        | Act::Restart
        | Act::Topic(_)
        | Act::Balance { .. }
        | Act::Questions { .. }
        | Act::NeedsYou { .. }
        | Act::Doors { .. }
        | Act::LedgerOk => {
            let message = format!("`{}` makes nothing to name; only send, say, hook and turn do", act.name());
            return Err(ParseError::new(key.at, message));
        }
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        let message = format!("`as` takes letters, digits, - and _, without the $; this is `{name}`");
        return Err(ParseError::new(node.at, message));
    }
    scope.bind(&name, what);
    Ok(name)
}

fn act(name: &str, node: &Node, scope: &mut Scope) -> Result<Act> {
    let who = |node: &Node, what: &str| scope.participant(node, what);
    let agent = |node: &Node, what: &str| scope.agent(node, what);
    Ok(match name {
        "send" => Act::Send(Box::new(draft(node, name, scope)?)),
        "say" => Act::Say(say(node, scope)?),
        "turn" => Act::Turn(Box::new(turn(node, scope)?)),
        "inbox" => {
            let fields = Fields::of(node, name, &["of", "peek"])?;
            Act::Inbox { of: fields.read("of", who)?, peek: fields.maybe("peek", flag)?.unwrap_or(false) }
        }
        "hook" => {
            let fields = Fields::of(node, name, &["name", "text"])?;
            let name = fields.read("name", |node, what| scope.hook(node, what))?;
            Act::Hook { name, text: fields.read("text", text)? }
        }
        "tasks" => {
            let fields = Fields::of(node, name, &["of", "add"])?;
            Act::Tasks { of: fields.read("of", agent)?, add: fields.read("add", texts)? }
        }
        "advance" => Act::Advance(span(node, name)?),
        "restart" => only_true(node, name).map(|()| Act::Restart)?,
        "ledger_ok" => only_true(node, name).map(|()| Act::LedgerOk)?,
        "topic" => Act::Topic(scope.reference(node, name, Part::Topic)?),
        "balance" => {
            let of = Fields::of(node, name, &["of"])?.need("of")?;
            let pool = of.value == Value::Text("pool".to_owned());
            Act::Balance { of: if pool { Holder::Pool } else { Holder::Agent(agent(of, "of")?) } }
        }
        "questions" => Act::Questions { of: Fields::of(node, name, &["of"])?.read("of", who)? },
        "needs_you" => Act::NeedsYou { of: Fields::of(node, name, &["of"])?.read("of", who)? },
        "doors" => Act::Doors { of: Fields::of(node, name, &["of"])?.read("of", agent)? },
        _ => by_somebody(name, node, scope)?,
    })
}

/// The steps that say `by` whom.
fn by_somebody(name: &str, node: &Node, scope: &mut Scope) -> Result<Act> {
    let also: &[&str] = match name {
        "answer" => &["by", "from", "to", "yes"],
        "door" => &["by", "from", "to", "open"],
        "redact" => &["by", "message"],
        "retitle" => &["by", "topic", "title"],
        "fund" => &["by", "agent", "pool", "topic", "credits"],
        "close" => &["by", "topic"],
        "pause_workspace" | "resume_workspace" => &["by"],
        _ => &["by", "agent"],
    };
    let fields = Fields::of(node, name, also)?;
    let by = fields.read("by", |node, what| scope.participant(node, what))?;
    let agent = |key: &str| fields.read(key, |node, what| scope.agent(node, what));
    let topic = || fields.read("topic", |node, what| scope.reference(node, what, Part::Topic));
    Ok(match name {
        "answer" => {
            Act::Answer { by, from: agent("from")?, to: agent("to")?, yes: fields.read("yes", flag)? }
        }
        "door" => Act::Door { by, from: agent("from")?, to: agent("to")?, open: fields.read("open", flag)? },
        "redact" => {
            let message = fields.read("message", |node, what| scope.reference(node, what, Part::Message))?;
            Act::Redact { by, message }
        }
        "retitle" => Act::Retitle { by, topic: topic()?, title: fields.read("title", text)? },
        "fund" => Act::Fund { by, to: fund_to(&fields, scope)?, credits: fields.read("credits", count)? },
        "close" => Act::Close { by, topic: topic()? },
        "pause_workspace" => Act::PauseWorkspace { by },
        "resume_workspace" => Act::ResumeWorkspace { by },
        "stop" => Act::Stop { by, agent: agent("agent")? },
        "pause" => Act::Pause { by, agent: agent("agent")? },
        "resume" => Act::Resume { by, agent: agent("agent")? },
        "remove" => Act::Remove { by, agent: agent("agent")? },
        _ => {
            let agent = fields.read("agent", text)?;
            if !scope.agents.contains(&agent) {
                scope.agents.push(agent.clone());
            }
            Act::Add { by, agent }
        }
    })
}

/// One of `agent: a`, `pool: true` and `topic: $x.topic`.
fn fund_to(fields: &Fields<'_>, scope: &Scope) -> Result<FundTo> {
    let named: Vec<_> =
        ["agent", "pool", "topic"].into_iter().filter(|key| fields.get(key).is_some()).collect();
    let pool = |node: &Node| node.value == Value::Text("pool".to_owned());
    match named.as_slice() {
        ["agent"] if pool(fields.need("agent")?) => Ok(FundTo::Pool),
        ["agent"] => fields.read("agent", |node, what| scope.agent(node, what)).map(FundTo::Agent),
        ["pool"] if pool(fields.need("pool")?) => Ok(FundTo::Pool),
        ["pool"] => fields.read("pool", only_true).map(|()| FundTo::Pool),
        ["topic"] => {
            let topic = fields.read("topic", |node, what| scope.reference(node, what, Part::Topic));
            topic.map(FundTo::Topic)
        }
        _ => Err(ParseError::new(fields.at(), "fund takes one of agent, pool and topic")),
    }
}
