//! One step taken: the call that it is, and what the caller is shown.

use serde_json::Value;
use ygg_wire::Problem;
use ygg_wire::credits::Grant;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::participant::NewAgent;

use super::body::{of_draft, of_say};
use super::seen;
use super::turn::turn;
use super::world::{World, agent_key};
use crate::compare::Seen;
use crate::drive::{Driver, No};
use crate::scenario::{Act, Draft, ExpectKey, FundTo, Holder, Ref, Step};

/// Why a step shows nothing to compare.
pub enum Stop {
    /// A rule said no, in place of an answer.
    Refused(Box<Problem>),
    Broken(String),
    Differs {
        expected: String,
        seen: String,
    },
}

impl From<No> for Stop {
    fn from(no: No) -> Self {
        match no {
            No::Refused(problem) => Self::Refused(problem),
            No::Broken(problem) => Self::Broken(problem),
        }
    }
}

impl From<String> for Stop {
    fn from(problem: String) -> Self {
        Self::Broken(problem)
    }
}

pub type Taken = Result<Seen, Stop>;

pub async fn take<D: Driver>(world: &mut World<D>, step: &Step) -> Taken {
    match &step.act {
        Act::Send(draft) => {
            let mut body = of_draft(draft, &world.bound)?;
            attach(world, draft, &mut body).await?;
            send(world, step, &draft.from, body).await
        }
        Act::Say(say) => {
            let body = of_say(say, &world.bound)?;
            send(world, step, &say.from, body).await
        }
        Act::Inbox { of, peek } => {
            let read = ReadInbox { peek: *peek, again: false };
            let found = world.driver()?.inbox(world.cast.key(of)?, read).await?;
            Ok(seen::inbox(found, &world.cast, &world.bound))
        }
        Act::Topic(topic) => {
            let found = world.driver()?.topic(reader(world, topic)?, world.bound.id(topic)?).await?;
            Ok(seen::topic(&found, &world.cast))
        }
        Act::Balance { of } => balance(world, of).await,
        Act::LedgerOk => match world.driver()?.check_ledger(world.cast.owner()).await? {
            None => Ok(Seen::default()),
            Some(seen) => Err(Stop::Differs { expected: "books that add up".to_owned(), seen }),
        },
        Act::Fund { by, to, credits } => fund(world, by, to, *credits).await,
        Act::Close { by, topic } => {
            world.driver()?.close(world.cast.key(by)?, world.bound.id(topic)?).await?;
            Ok(seen::done())
        }
        Act::Retitle { by, topic, title } => {
            world.driver()?.retitle(world.cast.key(by)?, world.bound.id(topic)?, title).await?;
            Ok(seen::done())
        }
        Act::Redact { by, message } => redact(world, by, message).await,
        Act::Add { by, agent } => add(world, by, agent).await,
        Act::Tasks { of, add } => {
            for task in add {
                world.driver()?.add_task(world.cast.key(of)?, task).await?;
            }
            Ok(seen::done())
        }
        Act::Advance(span) => {
            world.advance(*span).await?;
            Ok(Seen::default())
        }
        Act::Restart => {
            world.restart().await?;
            Ok(Seen::default())
        }
        Act::Pause { by, agent } => pause(world, by, agent, true).await,
        Act::Resume { by, agent } => pause(world, by, agent, false).await,
        Act::PauseWorkspace { by } => pause_all(world, by, true).await,
        Act::ResumeWorkspace { by } => pause_all(world, by, false).await,
        Act::Remove { by, agent } => {
            world.driver()?.remove_agent(world.cast.key(by)?, agent).await?;
            Ok(seen::done())
        }
        Act::NeedsYou { of } => needs_you(world, of).await,
        Act::Turn(taken) => turn(world, step, taken).await,
        Act::Answer { .. }
        | Act::Door { .. }
        | Act::Hook { .. }
        | Act::Stop { .. }
        | Act::Questions { .. }
        | Act::Doors { .. } => Err(no_call(step)),
    }
}

/// `built` lets a step through that nobody wrote the call of.
fn no_call(step: &Step) -> Stop {
    let name = step.act.name();
    Stop::Broken(format!("the runner has no call for `{name}`: write it here when its line leaves built.rs"))
}

async fn send<D: Driver>(world: &mut World<D>, step: &Step, from: &str, body: Value) -> Taken {
    let key = world.cast.key(from)?;
    let receipt = world.driver()?.send(key, body).await?;
    let mut shown = seen::receipt(&receipt, &world.cast);
    let asks_hop = step.expect.as_ref().is_some_and(|expect| expect.get(ExpectKey::Hop).is_some());
    if let (true, Some(id)) = (asks_hop, &receipt.message_id) {
        shown = shown.with(ExpectKey::Hop, world.driver()?.message(key, id).await?.hop);
    }
    if let Some(name) = &step.bind {
        world.bound.bind(name, from, &receipt);
    }
    Ok(shown)
}

/// Brings the files of a draft, as its sender would, and names them in it.
async fn attach<D: Driver>(world: &World<D>, draft: &Draft, body: &mut Value) -> Result<(), Stop> {
    if draft.attachments.is_empty() {
        return Ok(());
    }
    let mut ids = Vec::new();
    for bytes in &draft.attachments {
        ids.push(world.driver()?.upload(world.cast.key(&draft.from)?, *bytes).await?.id);
    }
    body["attachments"] = Value::from(ids);
    Ok(())
}

/// Owners read everything but what two people say to each other, which those two read [W4].
fn reader<'a, D>(world: &'a World<D>, topic: &Ref) -> Result<&'a str, String> {
    match world.bound.sender(topic).filter(|sender| sender.starts_with('@')) {
        Some(person) => world.cast.key(person),
        None => Ok(world.cast.owner()),
    }
}

async fn pause<D: Driver>(world: &World<D>, by: &str, agent: &str, paused: bool) -> Taken {
    world.driver()?.pause_agent(world.cast.key(by)?, agent, paused).await?;
    Ok(seen::done())
}

async fn pause_all<D: Driver>(world: &World<D>, by: &str, paused: bool) -> Taken {
    world.driver()?.pause_workspace(world.cast.key(by)?, paused).await?;
    Ok(seen::done())
}

async fn redact<D: Driver>(world: &World<D>, by: &str, message: &Ref) -> Taken {
    world.driver()?.redact(world.cast.key(by)?, world.bound.id(message)?).await?;
    Ok(seen::done())
}

async fn needs_you<D: Driver>(world: &World<D>, of: &str) -> Taken {
    let found = world.driver()?.needs_you(world.cast.key(of)?).await?;
    let kinds: Vec<String> = found.into_iter().map(|one| one.kind).collect();
    Ok(Seen::default().with(ExpectKey::Whole, kinds))
}

async fn add<D: Driver>(world: &mut World<D>, by: &str, agent: &str) -> Taken {
    let key = world.cast.key(by)?.to_owned();
    let new = NewAgent { id: agent.to_owned(), ..NewAgent::default() };
    world.driver()?.add_agent(&key, new).await?;
    let made = world.driver()?.make_key(&key, agent_key(agent)).await?;
    world.cast.enter(agent, agent.to_owned(), made.key);
    Ok(seen::done())
}

async fn balance<D: Driver>(world: &World<D>, of: &Holder) -> Taken {
    let held = match of {
        Holder::Pool => Some(world.driver()?.credits(world.cast.owner()).await?.pool),
        // What it pays from: its wallet where it has one, else the pool [C2].
        Holder::Agent(agent) => world.driver()?.me(world.cast.key(agent)?).await?.balance,
    };
    Ok(Seen::default().with(ExpectKey::Balance, held.map_or(Value::Null, Value::from)))
}

async fn fund<D: Driver>(world: &World<D>, by: &str, to: &FundTo, credits: i64) -> Taken {
    let to = match to {
        FundTo::Pool => "pool".to_owned(),
        FundTo::Agent(agent) => agent.clone(),
        FundTo::Topic(topic) => world.bound.id(topic)?.to_owned(),
    };
    let entry = world.driver()?.grant(world.cast.key(by)?, Grant { to, credits }).await?;
    Ok(seen::done().with(ExpectKey::Balance, entry.balance))
}
