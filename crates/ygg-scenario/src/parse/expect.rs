//! `expect`: which keys a step has something to show for, and what each may say.

use serde_json::{Map, Value as Json, json};
use ygg_domain::participant::Trust;
use ygg_domain::wake::WakeKind;

use super::fields::{Fields, ParseError, Result, count, flag, list, map, one_of, text, texts};
use super::scope::Scope;
use crate::scenario::expect::{Expect, ExpectKey, Want};
use crate::scenario::{Act, Part};
use crate::yaml::{Node, Value};

const OUTCOMES: [&str; 4] = ["delivered", "held", "refused", "absorbed"];
const STATES: [&str; 5] = ["informed", "working", "waiting", "needs_human", "done"];
const NEEDS: [&str; 6] = ["needs_human", "held", "credits", "closing", "stalled", "failing"];

/// What can be expected of a step.
pub enum Shape {
    Keys(&'static str, &'static [ExpectKey]),
    Questions,
    NeedsYou,
    Doors,
}

impl Shape {
    pub fn of(act: &Act) -> Self {
        use ExpectKey as K;
        const SENT: &[K] =
            &[K::Outcome, K::Reason, K::Charged, K::Balance, K::Effects, K::NotesAbout, K::Duplicate, K::Hop];
        const SERVED: &[K] = &[
            K::Outcome,
            K::Reason,
            K::Wakes,
            K::Context,
            K::PromptHas,
            K::PromptLacks,
            K::InstructionsLack,
            K::Notes,
            K::Answer,
            K::Told,
        ];
        const TOPIC: &[K] = &[K::Status, K::PausedFor, K::States, K::ClosedAt, K::Stalled, K::Looped];
        const DONE: &[K] = &[K::Outcome, K::Reason];
        match act {
            Act::Send(_) | Act::Say(_) | Act::Hook { .. } => Self::Keys(act.name(), SENT),
            Act::Inbox { .. } | Act::Turn(_) => Self::Keys(act.name(), SERVED),
            Act::Topic(_) => Self::Keys(act.name(), TOPIC),
            Act::Balance { .. } => Self::Keys(act.name(), &[K::Balance]),
            Act::Fund { .. } => Self::Keys(act.name(), &[K::Outcome, K::Reason, K::Balance]),
            Act::Questions { .. } => Self::Questions,
            Act::NeedsYou { .. } => Self::NeedsYou,
            Act::Doors { .. } => Self::Doors,
            Act::Answer { .. }
            | Act::Door { .. }
            | Act::Stop { .. }
            | Act::Redact { .. }
            | Act::Retitle { .. }
            | Act::PauseWorkspace { .. }
            | Act::ResumeWorkspace { .. }
            | Act::Close { .. }
            | Act::Pause { .. }
            | Act::Resume { .. }
            | Act::Remove { .. }
            | Act::Add { .. }
            | Act::Tasks { .. } => Self::Keys(act.name(), DONE),
            Act::Advance(_) | Act::Restart | Act::LedgerOk => Self::Keys(act.name(), &[]),
        }
    }
}

pub fn expect(node: &Node, shape: &Shape, scope: &Scope) -> Result<Expect> {
    let whole = |value| vec![Want { key: ExpectKey::Whole, value }];
    let wants = match shape {
        Shape::Keys(step, keys) => keyed(node, step, keys, scope)?,
        Shape::Questions => whole(each(node, "expect", |entry| {
            let fields = Fields::of(entry, "a question", &["from", "to", "notes"])?;
            object([
                ("from", fields.maybe("from", as_text)?),
                ("to", fields.maybe("to", as_text)?),
                ("notes", fields.maybe("notes", as_count)?),
            ])
        })?),
        Shape::NeedsYou => whole(each(node, "expect", |entry| word(entry, "expect", &NEEDS))?),
        Shape::Doors => whole(by_name(node, "expect", |entry, what| word(entry, what, &["open", "shut"]))?),
    };
    Ok(Expect { line: node.at.line, wants })
}

fn keyed(node: &Node, step: &str, keys: &[ExpectKey], scope: &Scope) -> Result<Vec<Want>> {
    let mut wants = Vec::new();
    for (key, value) in map(node, "expect")? {
        let found = ExpectKey::read(&key.name).filter(|found| keys.contains(found));
        let Some(found) = found else {
            let names: Vec<_> = keys.iter().map(|key| key.name()).collect();
            let has = if names.is_empty() {
                "it has nothing to show, leave `expect` out".to_owned()
            } else {
                format!("it has {}", names.join(", "))
            };
            let message = format!("{step} shows no `{}`; {has}", key.name);
            return Err(ParseError::new(key.at, message));
        };
        wants.push(Want { key: found, value: wanted(found, value, scope)? });
    }
    Ok(wants)
}

fn wanted(key: ExpectKey, node: &Node, scope: &Scope) -> Result<Json> {
    use ExpectKey as K;
    let what = key.name();
    match key {
        K::Outcome => word(node, what, &OUTCOMES),
        K::Reason | K::ClosedAt => as_text(node, what),
        K::Charged | K::Balance | K::Hop => as_count(node, what),
        K::Duplicate | K::Stalled | K::Looped => Ok(Json::Bool(flag(node, what)?)),
        K::Effects => by_name(node, what, effect),
        K::NotesAbout | K::PromptHas | K::PromptLacks | K::InstructionsLack => {
            Ok(Json::from(texts(node, what)?))
        }
        K::Wakes => each(node, what, |entry| wake(entry, scope)),
        K::Context => each(node, what, |entry| context(entry, scope)),
        K::Notes => each(node, what, note),
        K::Answer => answer(node),
        K::Told => each(node, what, |entry| {
            let fields = Fields::of(entry, what, &["about", "reason"])?;
            object([("about", fields.maybe("about", as_text)?), ("reason", fields.maybe("reason", as_text)?)])
        }),
        K::Status => word(node, what, &["open", "paused", "closed"]),
        K::PausedFor => word(node, what, &["needs_human", "credits"]),
        K::States => by_name(node, what, |entry, what| word(entry, what, &STATES)),
        K::Whole => Err(ParseError::new(node.at, "this step is expected as a whole")),
    }
}

fn wake(entry: &Node, scope: &Scope) -> Result<Json> {
    let fields = Fields::of(entry, "a wake", &["kind", "from", "message", "trust"])?;
    let kinds = WakeKind::ALL.map(WakeKind::name);
    let trusts = [Trust::Operator, Trust::Participant, Trust::Public].map(Trust::name);
    object([
        ("kind", fields.maybe("kind", |node, what| word(node, what, &kinds))?),
        ("from", fields.maybe("from", as_text)?),
        ("message", fields.maybe("message", |node, what| message(node, what, scope))?),
        ("trust", fields.maybe("trust", |node, what| word(node, what, &trusts))?),
    ])
}

fn context(entry: &Node, scope: &Scope) -> Result<Json> {
    let fields = Fields::of(entry, "context", &["from", "reason", "message"])?;
    object([
        ("from", fields.maybe("from", as_text)?),
        ("reason", fields.maybe("reason", as_text)?),
        ("message", fields.maybe("message", |node, what| message(node, what, scope))?),
    ])
}

fn note(entry: &Node) -> Result<Json> {
    let fields = Fields::of(entry, "a note", &["to", "outcome", "reason", "hop"])?;
    object([
        ("to", fields.maybe("to", as_text)?),
        ("outcome", fields.maybe("outcome", |node, what| word(node, what, &OUTCOMES))?),
        ("reason", fields.maybe("reason", as_text)?),
        ("hop", fields.maybe("hop", as_count)?),
    ])
}

/// `none`, or what the answer was.
fn answer(node: &Node) -> Result<Json> {
    if node.value == Value::Text("none".to_owned()) {
        return Ok(json!("none"));
    }
    let fields = Fields::of(node, "answer", &["to", "effect", "hop", "state"])?;
    object([
        ("to", fields.maybe("to", as_text)?),
        ("effect", fields.maybe("effect", effect)?),
        ("hop", fields.maybe("hop", as_count)?),
        ("state", fields.maybe("state", |node, what| word(node, what, &STATES))?),
    ])
}

/// `wake`, `notify`, `held`, or `context:` with its reason.
fn effect(node: &Node, what: &str) -> Result<Json> {
    let written = text(node, what)?;
    let reason = written.strip_prefix("context:");
    if ["wake", "notify", "held"].contains(&written.as_str())
        || reason.is_some_and(|reason| !reason.is_empty())
    {
        return Ok(Json::from(written));
    }
    let message = format!("`{what}` is wake, notify, held or context:<reason>, not `{written}`");
    Err(ParseError::new(node.at, message))
}

fn message(node: &Node, what: &str, scope: &Scope) -> Result<Json> {
    scope.reference(node, what, Part::Message).map(|found| Json::from(found.to_string()))
}

fn as_text(node: &Node, what: &str) -> Result<Json> {
    text(node, what).map(Json::from)
}

fn as_count(node: &Node, what: &str) -> Result<Json> {
    count::<u64>(node, what).map(Json::from)
}

fn word(node: &Node, what: &str, words: &[&str]) -> Result<Json> {
    one_of(node, what, words, |found| words.contains(&found).then(|| Json::from(found)))
}

fn each(node: &Node, what: &str, read: impl Fn(&Node) -> Result<Json>) -> Result<Json> {
    list(node, what)?.iter().map(read).collect::<Result<Vec<_>>>().map(Json::Array)
}

fn by_name(node: &Node, what: &str, read: impl Fn(&Node, &str) -> Result<Json>) -> Result<Json> {
    let entries = map(node, what)?.iter();
    let read = entries.map(|(key, entry)| Ok((key.name.clone(), read(entry, &key.name)?)));
    read.collect::<Result<Map<_, _>>>().map(Json::Object)
}

/// The keys that are there.
fn object<const N: usize>(entries: [(&str, Option<Json>); N]) -> Result<Json> {
    let named = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Ok(Json::Object(named.collect()))
}
