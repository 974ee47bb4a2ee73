//! Random histories of what callers do, and doing them. Numbers name what was made before, so that a history can be
//! made smaller and still means something.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use ygg_domain::participant::Role;
use ygg_wire::conversation::NewRoom;
use ygg_wire::credits::Grant;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::invite::NewInvite;
use ygg_wire::key::NewKey;
use ygg_wire::participant::{AgentEdit, NewAgent, PersonEdit};
use ygg_wire::task::TaskAction;

use crate::runs::{Run, Runs, run};
use crate::said::{Said, Send, TO, send};
use crate::world::{AGENTS, CALLERS, PEOPLE, World, told};

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
    Edit { by: usize, agent: &'static str, operators: Vec<&'static str> },
    Task { by: usize, what: usize, task: usize },
    Wait { minutes: u64 },
    Pause { by: usize, agent: &'static str, paused: bool },
    PauseAll { by: usize, paused: bool },
    Fire { by: usize, agent: &'static str },
    Budget { by: usize, topic: usize, credits: i64 },
    Room { by: usize, members: Vec<&'static str>, private: bool },
    Invite { by: usize, role: Role },
    Uninvite { by: usize, invite: usize },
    Read { by: usize, topic: usize, seq: i64 },
    Upload { by: usize, letter: u8 },
    Redact { by: usize, message: usize },
    Run(Run),
}

/// Who may be in a group: some of them only once they were hired.
const MEMBERS: [&str; 6] = ["a", "b", "c", "d", "hired", "late"];
const HANDLES: [&str; 3] = ["kim", "lou", "hired"];
const ROLES: [Role; 4] = [Role::Viewer, Role::Member, Role::Admin, Role::Owner];

/// The owner most of the time, else one who is a member to begin with.
fn admin() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(0), 1 => Just(1)]
}

pub fn act() -> impl Strategy<Value = Act> {
    let by = || 0..CALLERS;
    let pots = select(vec!["pool", "a", "b", "wallet:c", "nobody"]);
    prop_oneof![
        16 => send().prop_map(Act::Send),
        5 => (PEOPLE.len()..CALLERS).prop_map(|by| Act::Inbox { by, peek: false, again: false }),
        1 => (by(), any::<bool>(), any::<bool>()).prop_map(|(by, peek, again)| Act::Inbox { by, peek, again }),
        1 => (by(), 0usize..30).prop_map(|(by, topic)| Act::Close { by, topic }),
        1 => (by(), 0usize..30).prop_map(|(by, topic)| Act::Retitle { by, topic }),
        1 => (admin(), pots, 0i64..60).prop_map(|(by, to, credits)| Act::Grant { by, to, credits }),
        2 => (admin(), select(&["team", "crew"][..]), prop::sample::subsequence(MEMBERS.to_vec(), 0..=4))
            .prop_map(|(by, name, members)| Act::Group { by, name, members }),
        1 => (admin(), select(&["hired", "late", "kim", "a"][..]))
            .prop_map(|(by, agent)| Act::Hire { by, agent }),
        1 => (admin(), select(&HANDLES[..]), select(&ROLES[..]))
            .prop_map(|(by, handle, role)| Act::Enter { by, handle, role }),
        1 => (admin(), 0usize..6, select(&ROLES[..])).prop_map(|(by, person, role)| Act::Role { by, person, role }),
        1 => (admin(), 0usize..6).prop_map(|(by, person)| Act::Remove { by, person }),
        1 => (0usize..3, select(&["a", "hired", "@max", "@kim"][..])).prop_map(|(by, of)| Act::Key { by, of }),
        1 => (0usize..3, 0usize..4).prop_map(|(by, key)| Act::Revoke { by, key }),
        1 => (admin(), select(&AGENTS[..]), prop::sample::subsequence(vec!["@ana", "@max"], 0..=2))
            .prop_map(|(by, agent, operators)| Act::Edit { by, agent, operators }),
        2 => (by(), 0usize..4, 0usize..6).prop_map(|(by, what, task)| Act::Task { by, what, task }),
        1 => (1u64..2_000).prop_map(|minutes| Act::Wait { minutes }),
        2 => (1u64..75).prop_map(|minutes| Act::Wait { minutes }),
        4 => deed(),
        9 => run().prop_map(Act::Run),
        3 => (0..4usize, 0usize..30, select(vec![60i64, 90, 150, 300, 1_000_000]))
            .prop_map(|(by, topic, seq)| Act::Read { by, topic, seq }),
        2 => (by(), b'x'..=b'z').prop_map(|(by, letter)| Act::Upload { by, letter }),
        1 => (0usize..3, 0usize..30).prop_map(|(by, message)| Act::Redact { by, message }),
    ]
}

/// What people do about others, beside writing to them.
fn deed() -> impl Strategy<Value = Act> {
    let agents = || select(&["a", "b", "c", "d", "hired"][..]);
    prop_oneof![
        4 => (admin(), agents(), prop::bool::weighted(0.35))
            .prop_map(|(by, agent, paused)| Act::Pause { by, agent, paused }),
        3 => (admin(), prop::bool::weighted(0.2)).prop_map(|(by, paused)| Act::PauseAll { by, paused }),
        2 => (admin(), agents()).prop_map(|(by, agent)| Act::Fire { by, agent }),
        2 => (admin(), 0usize..30, 1i64..9).prop_map(|(by, topic, credits)| Act::Budget { by, topic, credits }),
        2 => (0usize..3, prop::sample::subsequence(TO.to_vec(), 1..=3), any::<bool>())
            .prop_map(|(by, members, private)| Act::Room { by, members, private }),
        1 => (admin(), select(&ROLES[..])).prop_map(|(by, role)| Act::Invite { by, role }),
        1 => (admin(), 0usize..4).prop_map(|(by, invite)| Act::Uninvite { by, invite }),
    ]
}

/// What was made so far: the same on every store.
#[derive(Debug, Clone, Default)]
pub struct Made {
    pub said: Said,
    runs: Runs,
    tasks: Vec<String>,
    people: Vec<String>,
    keys: Vec<String>,
    pub conversations: Vec<String>,
    invites: Vec<String>,
    /// With who uploaded each.
    files: Vec<(String, String)>,
}

pub fn nth(from: &[String], number: usize) -> String {
    // The newest are the likeliest to be talked about, and there may be none yet.
    from.iter().rev().nth(number % from.len().max(1)).cloned().unwrap_or_else(|| "none".to_owned())
}

impl Made {
    /// `by`: who did it.
    pub fn learn(&mut self, by: &str, answer: &Value) {
        self.said.learn(by, answer);
        self.runs.learn(answer);
        if let Some(id) = answer.get("conversation_id").and_then(Value::as_str)
            && !self.conversations.iter().any(|known| known == id)
        {
            self.conversations.push(id.to_owned());
        }
        for (start, ids) in [
            ("human.", &mut self.people),
            ("key_", &mut self.keys),
            ("cnv_", &mut self.conversations),
            ("inv_", &mut self.invites),
        ] {
            let id = answer.get("id").and_then(Value::as_str).filter(|id| id.starts_with(start));
            ids.extend(id.filter(|id| !ids.iter().any(|known| known == id)).map(str::to_owned));
        }
        if let Some(id) = answer.get("id").and_then(Value::as_str).filter(|id| id.starts_with("fil_"))
            && self.files().all(|known| known != id)
        {
            self.files.push((by.to_owned(), id.to_owned()));
        }
        let listed = answer.as_array().into_iter().flatten();
        let tasks = listed.filter_map(|task| task.get("id").and_then(Value::as_str)).map(str::to_owned);
        let tasks: Vec<String> = tasks.collect();
        if !tasks.is_empty() {
            self.tasks = tasks;
        }
    }

    pub fn topics(&self) -> &[String] {
        self.said.topics()
    }

    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(_, id)| id.as_str())
    }

    /// One that somebody may be going to send: of their own, or at 0 of anybody's.
    pub fn file(&self, by: &str, number: usize) -> Option<&str> {
        let mut may = self.files.iter().rev().filter(|(owner, _)| number == 0 || owner == by);
        may.next().map(|(_, id)| id.as_str())
    }
}

impl Act {
    /// Who does it.
    pub fn by(&self, made: &Made, world: &World) -> usize {
        match self {
            Self::Send(send) => send.by(&made.said, world),
            Self::Inbox { by, .. }
            | Self::Close { by, .. }
            | Self::Retitle { by, .. }
            | Self::Grant { by, .. }
            | Self::Group { by, .. }
            | Self::Hire { by, .. }
            | Self::Enter { by, .. }
            | Self::Role { by, .. }
            | Self::Remove { by, .. }
            | Self::Key { by, .. }
            | Self::Revoke { by, .. }
            | Self::Edit { by, .. }
            | Self::Task { by, .. }
            | Self::Pause { by, .. }
            | Self::PauseAll { by, .. }
            | Self::Fire { by, .. }
            | Self::Budget { by, .. }
            | Self::Room { by, .. }
            | Self::Invite { by, .. }
            | Self::Uninvite { by, .. }
            | Self::Read { by, .. }
            | Self::Upload { by, .. }
            | Self::Redact { by, .. } => *by,
            Self::Run(run) => run.by(&made.runs, world),
            Self::Wait { .. } => 0,
        }
    }
}

impl World {
    /// One who came in the history, or one of the first but for the owner, who stays.
    fn person(&self, made: &Made, number: usize) -> String {
        let first = self.callers[1..PEOPLE.len()].iter().map(|caller| caller.participant().id.to_string());
        nth(&first.chain(made.people.iter().cloned()).collect::<Vec<_>>(), number)
    }

    /// Does it and says what came of it.
    pub async fn act(&self, act: &Act, made: &Made, number: usize) -> Value {
        let engine = &self.engine;
        if let Act::Wait { minutes } = act {
            self.advance(*minutes).await;
            return Value::Null;
        }
        let caller = self.caller(act.by(made, self)).await;
        let who = |_: &usize| &caller;
        match act {
            Act::Send(send) => {
                let by = caller.participant().id.as_str();
                let draft = send.draft(made, by, number);
                told(engine.send(&caller, draft).await)
            }
            Act::Inbox { by, peek, again } => {
                let mut answer = told(engine.inbox(who(by), ReadInbox { peek: *peek, again: *again }).await);
                without_nonces(&mut answer, "text");
                if *peek {
                    answer["turn_id"] = Value::Null;
                }
                answer
            }
            Act::Close { by, topic } => told(engine.close_topic(who(by), &nth(made.topics(), *topic)).await),
            Act::Retitle { by, topic } => {
                let topic = nth(made.topics(), *topic);
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
                told(engine.edit_person(who(by), &self.person(made, *person), edit).await)
            }
            Act::Remove { by, person } => {
                told(engine.remove_person(who(by), &self.person(made, *person)).await)
            }
            // What it is itself is drawn anew each time.
            Act::Key { by, of } => {
                let new = NewKey { participant: (*of).to_owned(), label: format!("made at {number}") };
                told(engine.make_key(who(by), new).await.map(|made| made.about))
            }
            Act::Revoke { by, key } => told(engine.revoke_key(who(by), &nth(&made.keys, *key)).await),
            Act::Edit { by, agent, operators } => {
                let description = Some(format!("described at {number}"));
                let operators = Some(operators.iter().map(|one| (*one).to_owned()).collect());
                let edit = AgentEdit { display_name: None, description, operators };
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
            Act::Wait { .. } => Value::Null,
            Act::Pause { by, agent, paused } => told(engine.pause_agent(who(by), agent, *paused).await),
            Act::PauseAll { by, paused } => told(engine.pause_workspace(who(by), *paused).await),
            Act::Fire { by, agent } => told(engine.remove_agent(who(by), agent).await),
            Act::Budget { by, topic, credits } => {
                let grant = Grant { to: nth(made.topics(), *topic), credits: *credits };
                told(engine.grant(who(by), grant).await)
            }
            Act::Room { by, members, private } => {
                let members = members.iter().map(|member| (*member).to_owned()).collect();
                told(engine.make_room(who(by), NewRoom { members, private: *private }).await)
            }
            // The code is drawn anew each time.
            Act::Invite { by, role } => {
                let new = NewInvite { role: role.name().to_owned() };
                told(engine.make_invite(who(by), new).await.map(|made| made.about))
            }
            Act::Uninvite { by, invite } => {
                told(engine.revoke_invite(who(by), &nth(&made.invites, *invite)).await)
            }
            Act::Run(run) => self.run(run, &caller, &made.runs, number).await,
            Act::Read { by, topic, seq } => {
                told(engine.read_topic(who(by), &nth(made.topics(), *topic), *seq).await)
            }
            Act::Upload { by, letter } => {
                told(engine.upload(who(by), None, None, vec![*letter; 70_000]).await)
            }
            Act::Redact { by, message } => told(engine.redact(who(by), made.said.message(*message)).await),
        }
    }
}

/// Each fence has a nonce of its own; the rest of the text is the same everywhere.
pub fn without_nonces(answer: &mut Value, field: &str) {
    let Some(text) = answer.get(field).and_then(Value::as_str) else { return };
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<<<data ") {
        let (nonce, inside) = after.split_at(32);
        let (inside, after) = inside.split_once(nonce).expect("every fence is closed");
        left.extend([before, "<<<data", inside]);
        rest = after;
    }
    left.push_str(rest);
    answer[field] = Value::String(left);
}
