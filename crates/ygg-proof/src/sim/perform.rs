//! A step, done: by a client that calls the engine as a server's surface would. What it was told comes back as data, the
//! same on every store.

use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::{Value, json};
use ygg_engine::{Caller, Error};
use ygg_wire::credits::Grant;
use ygg_wire::inbox::{Inbox, ReadInbox};
use ygg_wire::task::TaskAction;
use ygg_wire::turn::{BeginTurn, EndTurn, RenewTurn};
use ygg_wire::{Problem, Receipt};

use super::draft;
use super::step::{Act, Line, Place, Pot, Says, Step, Trouble, Who};
use super::world::{Message, World};

/// What came of a step.
pub struct Came {
    /// What the client was told.
    pub told: Value,
    /// What it was told when it asked again, after nobody had heard the answer.
    pub again: Option<Value>,
    /// The server died in it.
    pub died: Option<Trouble>,
}

type Told = std::result::Result<Value, Error>;

impl World {
    pub async fn perform(&mut self, step: &Step) -> Result<Came> {
        self.acts += 1;
        self.crash = step.crash;
        let told = told(self.act(step).await)?;
        self.crash = None;
        self.faulty.arm(None);
        if !self.faulty.is_dead() {
            return Ok(Came { told, again: None, died: None });
        }
        self.start_again()?;
        let again = match &step.act {
            Act::Send { line, .. } if line.keyed => Some(self.act(step).await),
            Act::Read { by } => Some(self.read(*by, ReadInbox { again: true, peek: false }).await),
            Act::End { .. }
            | Act::Close { .. }
            | Act::Pause { .. }
            | Act::PauseAll { .. }
            | Act::Stop { .. } => Some(self.act(step).await),
            Act::Wait { .. } => Some(self.engine.fire_timers().await.map(|()| Value::Null)),
            Act::Send { .. }
            | Act::Tell { .. }
            | Act::Peek { .. }
            | Act::Begin { .. }
            | Act::Renew { .. }
            | Act::Task { .. }
            | Act::SetBack { .. }
            | Act::Grant { .. }
            | Act::Retitle { .. }
            | Act::Cursor { .. }
            | Act::Remove { .. }
            | Act::Hire { .. }
            | Act::Redact { .. } => None,
        };
        let again = again.map(self::told).transpose()?;
        Ok(Came { told, again, died: step.crash.map(|crash| crash.how) })
    }

    async fn act(&mut self, step: &Step) -> Told {
        match &step.act {
            Act::Send { by, line } => self.send(step.n, *by, line).await,
            Act::Tell { by, topic, says } => self.tell(*by, *topic, *says).await,
            Act::Read { by } => self.read(*by, ReadInbox::default()).await,
            Act::Peek { by } => self.read(*by, ReadInbox { peek: true, again: false }).await,
            Act::Begin { by, lease_seconds } => self.begin(*by, *lease_seconds).await,
            Act::Renew { by, lease_seconds } => self.renew(*by, *lease_seconds).await,
            Act::End { by, well } => self.end(*by, *well).await,
            Act::Task { by, done } => self.task(step.n, *by, *done).await,
            Act::Wait { seconds } => {
                self.wait(Duration::from_secs(u64::from(*seconds)));
                self.faulty.arm(self.crash.take());
                self.engine.fire_timers().await.map(|()| Value::Null)
            }
            Act::SetBack { seconds } => {
                self.clock.set_back(Duration::from_secs(u64::from(*seconds)));
                Ok(Value::Null)
            }
            Act::Grant { by, .. }
            | Act::Close { by, .. }
            | Act::Retitle { by, .. }
            | Act::Cursor { by, .. }
            | Act::Pause { by, .. }
            | Act::PauseAll { by, .. }
            | Act::Stop { by, .. }
            | Act::Remove { by, .. }
            | Act::Hire { by, .. }
            | Act::Redact { by, .. } => self.by_person(step.n, *by, &step.act).await,
        }
    }

    async fn by_person(&mut self, n: u32, by: u16, act: &Act) -> Told {
        let Some(key) = self.people.get(usize::from(by)).and_then(|person| person.key.clone()) else {
            return Ok(Value::Null);
        };
        let caller = self.caller(&key).await?;
        let agent = |number: &u16| Who::Agent(*number).to_string();
        let topic = |number: &u32| self.said.topics.get(number).cloned();
        let engine = self.engine.clone();
        match act {
            Act::Grant { to, credits, .. } => {
                let to = match to {
                    Pot::Pool => "pool".to_owned(),
                    Pot::Wallet(number) => agent(number),
                    Pot::Budget(number) => match topic(number) {
                        Some(topic) => topic,
                        None => return Ok(Value::Null),
                    },
                };
                data(engine.grant(&caller, Grant { to, credits: i64::from(*credits) }).await)
            }
            Act::Close { topic: number, .. } => match topic(number) {
                Some(topic) => data(engine.close_topic(&caller, &topic).await),
                None => Ok(Value::Null),
            },
            Act::Retitle { topic: number, .. } => match topic(number) {
                Some(topic) => data(engine.retitle_topic(&caller, &topic, &format!("R{n}")).await),
                None => Ok(Value::Null),
            },
            Act::Cursor { topic: number, .. } => match topic(number) {
                Some(topic) => data(engine.read_topic(&caller, &topic, i64::MAX).await),
                None => Ok(Value::Null),
            },
            Act::Pause { agent: number, paused, .. } => {
                self.paused.retain(|known| known != number);
                self.paused.extend(Some(*number).filter(|_| *paused));
                data(engine.pause_agent(&caller, &agent(number), *paused).await)
            }
            Act::PauseAll { paused, .. } => data(engine.pause_workspace(&caller, *paused).await),
            Act::Stop { agent: number, .. } => {
                let client = self.agents.get(usize::from(*number));
                match client.and_then(|client| client.turn.clone()) {
                    Some((turn, _)) => data(engine.stop_turn(&caller, &turn).await),
                    None => Ok(Value::Null),
                }
            }
            Act::Remove { agent: number, .. } => {
                let removed = engine.remove_agent(&caller, &agent(number)).await;
                self.removed.extend(removed.is_ok().then_some(*number));
                data(removed)
            }
            Act::Hire { agent: number, .. } => self.hire(&caller, *number).await.map(|()| Value::Null),
            Act::Redact { message, .. } => match self.said.messages.get(message) {
                Some(message) => data(engine.redact(&caller, &message.id).await),
                None => Ok(Value::Null),
            },
            Act::Send { .. }
            | Act::Tell { .. }
            | Act::Read { .. }
            | Act::Peek { .. }
            | Act::Begin { .. }
            | Act::Renew { .. }
            | Act::End { .. }
            | Act::Task { .. }
            | Act::Wait { .. }
            | Act::SetBack { .. } => Ok(Value::Null),
        }
    }

    /// By the key of the turn that it runs, where one does.
    async fn calls(&mut self, who: Who) -> std::result::Result<Option<Caller>, Error> {
        let Some(client) = self.client(who) else { return Ok(None) };
        let Some(own) = client.key.clone() else { return Ok(None) };
        let key = client.turn.as_ref().map_or(own, |(_, key)| key.clone());
        let caller = self.caller(&key).await;
        if matches!(caller, Err(Error::Unauthenticated))
            && let Some(client) = self.client_mut(who)
        {
            // Its turn is over: whoever ran it has gone.
            client.turn = None;
        }
        caller.map(Some)
    }

    async fn send(&mut self, n: u32, by: Who, line: &Line) -> Told {
        let Some(draft) = draft::draft(self, n, by, line) else { return Ok(Value::Null) };
        let Some(caller) = self.calls(by).await? else { return Ok(Value::Null) };
        let receipt = self.engine.send(&caller, draft).await?;
        self.keep(n, by, line, &receipt);
        data(Ok(receipt))
    }

    /// What a client keeps of its receipt.
    fn keep(&mut self, n: u32, by: Who, line: &Line, receipt: &Receipt) {
        let Some(topic) = &receipt.topic_id else { return };
        let opened = match line.place {
            Place::In(opened) => opened,
            Place::Nowhere | Place::New | Place::NewIn(_) | Place::Nonsense => n,
        };
        let topic = self.said.learn_topic(topic, opened);
        if let Some(client) = self.client_mut(by) {
            client.meet(topic);
        }
        let Some(id) = receipt.message_id.clone().filter(|_| self.said.number_is_free(n)) else { return };
        let text = draft::words(&self.said, n, by, line);
        self.said.learn_message(n, Message { id, by, topic, text, line: line.clone() });
    }

    async fn tell(&mut self, by: u16, topic: u32, says: Says) -> Told {
        let Some(topic) = self.said.topics.get(&topic).cloned() else { return Ok(Value::Null) };
        let Some(caller) = self.calls(Who::Agent(by)).await? else { return Ok(Value::Null) };
        let draft = json!({
            "to": "system.ygg", "type": "inform", "topic_id": topic, "text": "about me", "state": draft::state(says),
        });
        data(self.engine.send(&caller, draft).await)
    }

    /// A session's inbox, by the agent's own key.
    pub async fn read(&mut self, by: u16, how: ReadInbox) -> Told {
        let Some(client) = self.agents.get(usize::from(by)) else { return Ok(Value::Null) };
        let Some(key) = client.key.clone() else { return Ok(Value::Null) };
        let caller = self.caller(&key).await?;
        let read = self.engine.inbox(&caller, how).await?;
        if let Some(client) = self.agents.get_mut(usize::from(by)) {
            client.show(read.wakes.iter().chain(&read.context), &self.said);
        }
        // The text has fences that are new each time, and a peek names a turn that never is.
        let turn_id = read.turn_id.filter(|_| !how.peek);
        data(Ok(Inbox { text: String::new(), turn_id, ..read }))
    }

    pub async fn begin(&mut self, by: u16, lease_seconds: u16) -> Told {
        let Some(client) = self.agents.get(usize::from(by)) else { return Ok(Value::Null) };
        let Some(key) = client.key.clone() else { return Ok(Value::Null) };
        let caller = self.caller(&key).await?;
        let lease_seconds = Some(u64::from(lease_seconds));
        let asked = BeginTurn { taker: "relay".to_owned(), topic_id: None, lease_seconds };
        let mut begun = self.engine.begin_turn(&caller, asked).await?;
        if let (Some(turn), Some(client)) = (&mut begun.turn, self.agents.get_mut(usize::from(by))) {
            let key = std::mem::take(&mut turn.key);
            client.turn = Some((turn.id.clone(), key));
            client.show(turn.wakes.iter().chain(&turn.context), &self.said);
            turn.prompt.clear();
        }
        begun.help = None;
        data(Ok(begun))
    }

    async fn renew(&mut self, by: u16, lease_seconds: u16) -> Told {
        let Some((turn, key)) = self.turn_of(by) else { return Ok(Value::Null) };
        let caller = self.caller(&key).await?;
        let renew = RenewTurn { lease_seconds: Some(u64::from(lease_seconds)) };
        data(self.engine.renew_turn(&caller, &turn, renew).await)
    }

    pub async fn end(&mut self, by: u16, well: bool) -> Told {
        let Some((turn, key)) = self.turn_of(by) else { return Ok(Value::Null) };
        let caller = self.caller(&key).await?;
        let outcome = if well { "ended" } else { "failed" };
        let end = EndTurn { outcome: outcome.to_owned(), ..EndTurn::default() };
        let ended = self.engine.end_turn(&caller, &turn, end).await?;
        if let Some(client) = self.agents.get_mut(usize::from(by)) {
            client.turn = None;
        }
        data(Ok(ended))
    }

    /// The turn that it runs, ended and renewed by the agent's own key: that of the turn may be over.
    fn turn_of(&self, by: u16) -> Option<(String, String)> {
        let client = self.agents.get(usize::from(by))?;
        Some((client.turn.as_ref()?.0.clone(), client.key.clone()?))
    }

    async fn task(&mut self, n: u32, by: u16, done: bool) -> Told {
        let Some(caller) = self.calls(Who::Agent(by)).await? else { return Ok(Value::Null) };
        let task = self.agents.get(usize::from(by)).and_then(|client| client.task.clone());
        let action = match task {
            Some(id) if done => TaskAction::Remove { id },
            Some(_) | None => TaskAction::Add { text: format!("task {n}"), status: None, topic_id: None },
        };
        let tasks = self.engine.tasks(&caller, action).await?;
        if let Some(client) = self.agents.get_mut(usize::from(by)) {
            client.task = tasks.first().map(|task| task.id.clone());
        }
        data(Ok(tasks))
    }
}

fn data<T: Serialize>(answer: std::result::Result<T, Error>) -> Told {
    let answer = answer?;
    Ok(serde_json::to_value(answer).unwrap_or(Value::Null))
}

/// A no is an answer too; the server's own trouble is none, but that it died.
pub fn told(answer: Told) -> Result<Value> {
    Ok(match answer {
        Ok(told) => told,
        Err(Error::Refused(refusal)) => json!({ "refused": Problem::from(&refusal) }),
        Err(Error::Unauthenticated) => json!("not signed in"),
        Err(Error::Unavailable(ygg_store::Error::Unsure(_))) => json!("nobody knows"),
        Err(trouble @ (Error::WrongPassword | Error::Unavailable(_) | Error::Broken(_))) => {
            bail!("the server is in trouble: {trouble}")
        }
    })
}
