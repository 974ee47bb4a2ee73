//! Drafts, lines at a prompt, and supervised turns.

use super::fields::{Fields, ParseError, Result, count, flag, list, number, one_of, text, texts};
use super::made::made_text;
use super::scope::Scope;
use super::span::span;
use crate::scenario::draft::{NoteTo, WakeMe};
use crate::scenario::{Draft, Names, Part, Ref, Say, Turn, Word};
use crate::yaml::{Node, Value};

const DRAFT: [&str; 12] = [
    "from",
    "to",
    "type",
    "topic",
    "title",
    "text",
    "state",
    "waiting_for",
    "in_reply_to",
    "conversation",
    "key",
    "attachments",
];
const TURN: [&str; 10] =
    ["of", "topic", "send_to", "outbox_raw", "send", "wake_me", "final", "fails", "usd", "answer_with"];
const ANSWER_WITH: [&str; 3] = ["tools", "final_text", "either"];

pub fn draft(node: &Node, what: &str, scope: &Scope) -> Result<Draft> {
    let fields = Fields::of(node, what, &DRAFT)?;
    let from = fields.read("from", |node, what| scope.participant(node, what))?;
    rest_of_draft(&fields, from, scope)
}

/// A draft inside a turn is its agent's.
fn draft_of(agent: &str, node: &Node, scope: &Scope) -> Result<Draft> {
    let fields = Fields::of(node, "send", &DRAFT)?;
    if let Some(from) = fields.get("from").filter(|from| from.value != Value::Text(agent.to_owned())) {
        return Err(ParseError::new(from.at, format!("this turn is {agent}'s; leave `from` out")));
    }
    rest_of_draft(&fields, agent.to_owned(), scope)
}

fn rest_of_draft(fields: &Fields<'_>, from: String, scope: &Scope) -> Result<Draft> {
    let word = |name: &str, part: Part| fields.maybe(name, |node, what| scope.word(node, what, part));
    let bytes = |node: &Node, what: &str| {
        list(node, what)?.iter().map(|size| count(size, what)).collect::<Result<_>>()
    };
    Ok(Draft {
        from,
        to: fields.maybe("to", names)?,
        kind: fields.maybe("type", text)?,
        topic: word("topic", Part::Topic)?,
        title: fields.maybe("title", text)?,
        text: fields.maybe("text", made_text)?,
        state: fields.maybe("state", text)?,
        waiting_for: fields.maybe("waiting_for", names)?,
        in_reply_to: word("in_reply_to", Part::Message)?,
        conversation: word("conversation", Part::Conversation)?,
        key: fields.maybe("key", text)?,
        attachments: fields.maybe("attachments", bytes)?.unwrap_or_default(),
    })
}

fn names(node: &Node, what: &str) -> Result<Names> {
    match node.value {
        Value::List(_) => texts(node, what).map(Names::Several),
        Value::Nothing
        | Value::Flag(_)
        | Value::Whole(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::Map(_) => text(node, what).map(Names::One),
    }
}

pub fn say(node: &Node, scope: &Scope) -> Result<Say> {
    let fields = Fields::of(node, "say", &["from", "to", "text", "topic"])?;
    Ok(Say {
        from: fields.read("from", |node, what| scope.person(node, what))?,
        to: fields.read("to", |node, what| scope.agent(node, what))?,
        text: fields.read("text", made_text)?,
        topic: fields.maybe("topic", |node, what| new_or_known(node, what, scope))?.flatten(),
    })
}

/// `new` is what leaving it out means.
fn new_or_known(node: &Node, what: &str, scope: &Scope) -> Result<Option<Ref>> {
    match scope.word(node, what, Part::Topic)? {
        Word::Plain(word) if word == "new" => Ok(None),
        Word::Plain(_) | Word::Ref(_) => scope.reference(node, what, Part::Topic).map(Some),
    }
}

pub fn turn(node: &Node, scope: &Scope) -> Result<Turn> {
    let fields = Fields::of(node, "turn", &TURN)?;
    let of = fields.read("of", |node, what| scope.agent(node, what))?;
    let notes = |node: &Node, what: &str| list(node, what)?.iter().map(note).collect::<Result<_>>();
    let drafts = |node: &Node, what: &str| {
        list(node, what)?.iter().map(|draft| draft_of(&of, draft, scope)).collect::<Result<_>>()
    };
    let answers_with = |node: &Node, what: &str| {
        one_of(node, what, &ANSWER_WITH, |word| ANSWER_WITH.contains(&word).then(|| word.to_owned()))
    };
    if let (Some(_), Some(raw)) = (fields.get("send_to"), fields.get("outbox_raw")) {
        let message = "a turn ends with notes or with the raw outbox file: leave out send_to or outbox_raw";
        return Err(ParseError::new(raw.at, message));
    }
    Ok(Turn {
        topic: fields.maybe("topic", |node, what| scope.reference(node, what, Part::Topic))?,
        send_to: fields.maybe("send_to", notes)?.unwrap_or_default(),
        outbox_raw: fields.maybe("outbox_raw", made_text)?,
        send: fields.maybe("send", drafts)?.unwrap_or_default(),
        wake_me: fields.maybe("wake_me", wake_me)?,
        final_text: fields.maybe("final", made_text)?,
        fails: fields.maybe("fails", flag)?.unwrap_or(false),
        usd: fields.maybe("usd", number)?,
        answer_with: fields.maybe("answer_with", answers_with)?,
        of,
    })
}

fn note(node: &Node) -> Result<NoteTo> {
    let fields = Fields::of(node, "send_to", &["to", "note"])?;
    Ok(NoteTo { to: fields.read("to", text)?, note: fields.read("note", made_text)? })
}

fn wake_me(node: &Node, what: &str) -> Result<WakeMe> {
    let fields = Fields::of(node, what, &["after", "note"])?;
    Ok(WakeMe { after: fields.read("after", span)?, note: fields.read("note", text)? })
}
