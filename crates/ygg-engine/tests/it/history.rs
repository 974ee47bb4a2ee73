//! Random histories of what callers do, and doing them. Numbers name what was made before, so that a history can be
//! made smaller and still means something.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use ygg_domain::participant::Role;
use ygg_wire::credits::Grant;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::key::NewKey;
use ygg_wire::participant::{AgentEdit, NewAgent, PersonEdit};
use ygg_wire::task::TaskAction;

use crate::world::{AGENTS, CALLERS, World, told};

#[derive(Debug, Clone)]
pub enum Act {
    Send(Send),
    Inbox { by: usize, peek: bool, again: bool },
    Close { by: usize, topic: usize },
    Retitle { by: usize, topic: usize },
    Grant { by: usize, to: &'static str, credits: i64 },
    Group { by: usize, name: &'static str, members: Vec<&'static str> },
    Hire { by: usize, agent: &'static str },
    Enter { by: usize, handle: &'static str, role: Role },
    Role { by: usize, person: usize, role: Role },
    Remove { by: usize, person: usize },
    Key { by: usize, of: &'static str },
    Revoke { by: usize, key: usize },
    Edit { by: usize, agent: &'static str },
    Task { by: usize, what: usize, task: usize },
    Wait { minutes: u64 },
    Read { by: usize, topic: usize, seq: i64 },
    Upload { by: usize, letter: u8 },
    Redact { by: usize, message: usize },
}

#[derive(Debug, Clone)]
pub struct Send {
    by: usize,
    to: Vec<&'static str>,
    kind: &'static str,
    /// None opens a topic.
    topic: Option<usize>,
    answers: Option<usize>,
    state: Option<&'static str>,
    waiting_for: Vec<&'static str>,
    key: Option<usize>,
    chars: usize,
    file: Option<usize>,
}

const TO: [&str; 16] = [
    "a",
    "b",
    "c",
    "d",
    "@ana",
    "@max",
    "@vic",
    "group:team",
    "group:crew",
    "conversation",
    "system.ygg",
    "@nobody",
    "@a",
    "hired",
    "@kim",
    "@lou",
];
/// Who may be in a group: some of them only once they were hired.
const MEMBERS: [&str; 6] = ["a", "b", "c", "d", "hired", "late"];
const HANDLES: [&str; 3] = ["kim", "lou", "hired"];
const ROLES: [Role; 4] = [Role::Viewer, Role::Member, Role::Admin, Role::Owner];
const STATES: [&str; 5] = ["working", "waiting", "needs_human", "done", "finished"];

fn send() -> impl Strategy<Value = Act> {
    let first = (0..CALLERS, prop::collection::vec(select(&TO[..]), 1..4));
    let kind = select(vec!["request", "request", "response", "response", "inform", "question"]);
    let place = (prop::option::weighted(0.8, 0usize..30), prop::option::weighted(0.6, 0usize..30));
    let state = prop::option::weighted(0.4, select(&STATES[..]));
    let waiting_for = prop::collection::vec(select(&TO[..]), 0..3);
    let file = prop::option::weighted(0.2, 0usize..6);
    let rest = (prop::option::weighted(0.15, 0usize..3), select(vec![1usize, 10, 999, 1_001, 7_000]), file);
    (first, kind, place, state, waiting_for, rest).prop_map(
        |((by, to), kind, (topic, answers), state, waiting_for, (key, chars, file))| {
            let answers = answers.filter(|_| kind == "response");
            Act::Send(Send { by, to, kind, topic, answers, state, waiting_for, key, chars, file })
        },
    )
}

pub fn act() -> impl Strategy<Value = Act> {
    let by = || 0..CALLERS;
    let pots = select(vec!["pool", "a", "b", "wallet:c", "nobody"]);
    prop_oneof![
        12 => send(),
        6 => (by(), any::<bool>(), any::<bool>()).prop_map(|(by, peek, again)| Act::Inbox { by, peek, again }),
        1 => (by(), 0usize..30).prop_map(|(by, topic)| Act::Close { by, topic }),
        1 => (by(), 0usize..30).prop_map(|(by, topic)| Act::Retitle { by, topic }),
        1 => (0usize..2, pots, 0i64..20).prop_map(|(by, to, credits)| Act::Grant { by, to, credits }),
        2 => (0usize..2, select(&["team", "crew"][..]), prop::sample::subsequence(MEMBERS.to_vec(), 0..=4))
            .prop_map(|(by, name, members)| Act::Group { by, name, members }),
        1 => (0usize..2, select(&["hired", "late", "kim", "a"][..]))
            .prop_map(|(by, agent)| Act::Hire { by, agent }),
        1 => (0usize..2, select(&HANDLES[..]), select(&ROLES[..]))
            .prop_map(|(by, handle, role)| Act::Enter { by, handle, role }),
        1 => (0usize..2, 0usize..4, select(&ROLES[..])).prop_map(|(by, person, role)| Act::Role { by, person, role }),
        1 => (0usize..2, 0usize..4).prop_map(|(by, person)| Act::Remove { by, person }),
        1 => (0usize..3, select(&["a", "hired", "@max", "@kim"][..])).prop_map(|(by, of)| Act::Key { by, of }),
        1 => (0usize..3, 0usize..4).prop_map(|(by, key)| Act::Revoke { by, key }),
        1 => (0usize..2, select(&AGENTS[..])).prop_map(|(by, agent)| Act::Edit { by, agent }),
        2 => (by(), 0usize..4, 0usize..6).prop_map(|(by, what, task)| Act::Task { by, what, task }),
        1 => (1u64..2_000).prop_map(|minutes| Act::Wait { minutes }),
        3 => (0..4usize, 0usize..30, select(vec![60i64, 90, 150, 300, 1_000_000]))
            .prop_map(|(by, topic, seq)| Act::Read { by, topic, seq }),
        2 => (by(), b'x'..=b'z').prop_map(|(by, letter)| Act::Upload { by, letter }),
        1 => (0usize..3, 0usize..30).prop_map(|(by, message)| Act::Redact { by, message }),
    ]
}

/// What was made so far: the same on every store.
#[derive(Debug, Clone, Default)]
pub struct Made {
    topics: Vec<String>,
    messages: Vec<String>,
    tasks: Vec<String>,
    people: Vec<String>,
    keys: Vec<String>,
    files: Vec<String>,
}

fn nth(from: &[String], number: usize) -> String {
    // The newest are the likeliest to be talked about, and there may be none yet.
    from.iter().rev().nth(number % from.len().max(1)).cloned().unwrap_or_else(|| "none".to_owned())
}

impl Made {
    pub fn learn(&mut self, answer: &Value) {
        for (name, ids) in [("topic_id", &mut self.topics), ("message_id", &mut self.messages)] {
            if let Some(id) = answer.get(name).and_then(Value::as_str)
                && !ids.iter().any(|known| known == id)
            {
                ids.push(id.to_owned());
            }
        }
        for (start, ids) in
            [("human.", &mut self.people), ("key_", &mut self.keys), ("fil_", &mut self.files)]
        {
            let id = answer.get("id").and_then(Value::as_str).filter(|id| id.starts_with(start));
            ids.extend(id.filter(|id| !ids.iter().any(|known| known == id)).map(str::to_owned));
        }
        let listed = answer.as_array().into_iter().flatten();
        let tasks = listed.filter_map(|task| task.get("id").and_then(Value::as_str)).map(str::to_owned);
        let tasks: Vec<String> = tasks.collect();
        if !tasks.is_empty() {
            self.tasks = tasks;
        }
    }

    pub fn topics(&self) -> &[String] {
        &self.topics
    }

    pub fn files(&self) -> &[String] {
        &self.files
    }
}

impl Send {
    fn draft(&self, made: &Made, number: usize) -> Value {
        let topic = self.topic.map_or_else(|| "new".to_owned(), |topic| nth(&made.topics, topic));
        let mut draft = Map::from_iter([
            ("to".to_owned(), json!(self.to)),
            ("type".to_owned(), json!(self.kind)),
            ("topic_id".to_owned(), json!(topic)),
            ("title".to_owned(), json!(format!("T{number}"))),
            ("text".to_owned(), json!("é".repeat(self.chars))),
        ]);
        let mut set = |name: &str, value: Option<Value>| {
            draft.extend(value.map(|value| (name.to_owned(), value)));
        };
        set("in_reply_to", self.answers.map(|message| json!(nth(&made.messages, message))));
        set("attachments", self.file.map(|file| json!([nth(&made.files, file)])));
        set("state", self.state.map(Value::from));
        set("idempotency_key", self.key.map(|key| json!(format!("key-{key}"))));
        let waits = !self.waiting_for.is_empty() && self.state == Some("waiting");
        set("waiting_for", waits.then(|| json!(self.waiting_for)));
        Value::Object(draft)
    }
}

impl World {
    /// Does it and says what came of it.
    pub async fn act(&self, act: &Act, made: &Made, number: usize) -> Value {
        let (engine, who) = (&self.engine, |by: &usize| &self.callers[*by]);
        match act {
            Act::Send(send) => told(engine.send(who(&send.by), send.draft(made, number)).await),
            Act::Inbox { by, peek, again } => {
                let mut answer = told(engine.inbox(who(by), ReadInbox { peek: *peek, again: *again }).await);
                without_nonces(&mut answer);
                if *peek {
                    answer["turn_id"] = Value::Null;
                }
                answer
            }
            Act::Close { by, topic } => told(engine.close_topic(who(by), &nth(&made.topics, *topic)).await),
            Act::Retitle { by, topic } => {
                let topic = nth(&made.topics, *topic);
                told(engine.retitle_topic(who(by), &topic, &format!("New {number}")).await)
            }
            Act::Grant { by, to, credits } => {
                let grant = Grant { to: (*to).to_owned(), credits: *credits };
                told(engine.grant(who(by), grant).await)
            }
            Act::Group { by, name, members } => {
                let members: Vec<String> = members.iter().map(|id| (*id).to_owned()).collect();
                told(engine.set_group(who(by), name, &members).await)
            }
            Act::Hire { by, agent } => {
                let new = NewAgent { id: (*agent).to_owned(), ..NewAgent::default() };
                told(engine.add_agent(who(by), new).await)
            }
            Act::Enter { by, handle, role } => told(engine.add_person(who(by), handle, *role).await),
            Act::Role { by, person, role } => {
                let edit = PersonEdit { role: Some(role.name().to_owned()), display_name: None };
                told(engine.edit_person(who(by), &nth(&made.people, *person), edit).await)
            }
            Act::Remove { by, person } => {
                told(engine.remove_person(who(by), &nth(&made.people, *person)).await)
            }
            // What it is itself is drawn anew each time.
            Act::Key { by, of } => {
                let new = NewKey { participant: (*of).to_owned(), label: format!("made at {number}") };
                told(engine.make_key(who(by), new).await.map(|made| made.about))
            }
            Act::Revoke { by, key } => told(engine.revoke_key(who(by), &nth(&made.keys, *key)).await),
            Act::Edit { by, agent } => {
                let description = Some(format!("described at {number}"));
                let edit =
                    AgentEdit { display_name: None, description, operators: Some(vec!["@max".into()]) };
                told(engine.edit_agent(who(by), agent, edit).await)
            }
            Act::Task { by, what, task } => {
                let id = nth(&made.tasks, *task);
                let text = format!("task {number}");
                let action = match what {
                    0 => TaskAction::Add { text, status: None, topic_id: None },
                    1 => TaskAction::Update {
                        id,
                        text: Some(text),
                        status: Some("doing".into()),
                        topic_id: None,
                    },
                    2 => TaskAction::Remove { id },
                    _ => TaskAction::Reorder { order: vec![id] },
                };
                told(engine.tasks(who(by), action).await)
            }
            Act::Read { by, topic, seq } => {
                told(engine.read_topic(who(by), &nth(&made.topics, *topic), *seq).await)
            }
            Act::Upload { by, letter } => {
                told(engine.upload(who(by), None, None, vec![*letter; 70_000]).await)
            }
            Act::Redact { by, message } => told(engine.redact(who(by), &nth(&made.messages, *message)).await),
            Act::Wait { minutes } => {
                self.advance(*minutes).await;
                Value::Null
            }
        }
    }
}

/// Each fence has a nonce of its own; the rest of the text is the same everywhere.
fn without_nonces(answer: &mut Value) {
    let Some(text) = answer.get("text").and_then(Value::as_str) else { return };
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<<<data ") {
        let (nonce, inside) = after.split_at(32);
        let (inside, after) = inside.split_once(nonce).expect("every fence is closed");
        left.extend([before, "<<<data", inside]);
        rest = after;
    }
    left.push_str(rest);
    answer["text"] = Value::String(left);
}
