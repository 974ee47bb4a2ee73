//! The server and its clients: who calls by which key, what each of them was shown, and how the server stands up again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_engine::{Caller, Clock, Engine, Error, ManualClock, RateLimit};
use ygg_store::{Store, Within};
use ygg_wire::inbox::InboxItem;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use super::faulty::Faulty;
use super::log::{self, Entry};
use super::place::{Ground, Place};
use super::scene::{PEOPLE, Scene, Taker};
use super::step::{Crash, Line, Who};

/// 2026-01-01T00:00:00Z in milliseconds.
const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);
const SLUG: &str = "sim";

pub struct World {
    pub scene: Scene,
    pub engine: Engine,
    pub faulty: Arc<Faulty>,
    pub clock: Arc<ManualClock>,
    pub workspace: WorkspaceKey,
    pub agents: Vec<Client>,
    pub people: Vec<Client>,
    pub said: Said,
    /// Conversations of the groups.
    pub groups: Vec<String>,
    /// Agents that were removed.
    pub removed: Vec<u16>,
    /// Agents that somebody paused.
    pub paused: Vec<u16>,
    /// What is to go wrong in the step that is under way.
    pub crash: Option<Crash>,
    /// Steps that were performed, those of the end among them.
    pub acts: usize,
    /// How often the server started.
    starts: u64,
    /// Where the log was read to.
    seen: i64,
    /// Dropped last: the engine lets go of it first.
    place: Place,
}

/// One who calls.
pub struct Client {
    pub who: Who,
    /// None for agents that are not there.
    pub key: Option<String>,
    /// The supervised turn that it runs: id and key.
    pub turn: Option<(String, String)>,
    /// Messages that it was shown, by the steps that sent them.
    pub shown: Vec<Shown>,
    /// Topics that it knows of.
    pub topics: Vec<u32>,
    /// A task of its own.
    pub task: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    pub message: u32,
    pub topic: u32,
    pub request: bool,
}

/// What was said so far, by the steps that said it.
#[derive(Default)]
pub struct Said {
    pub messages: BTreeMap<u32, Message>,
    /// By the steps that opened them.
    pub topics: BTreeMap<u32, String>,
    numbers: BTreeMap<String, u32>,
}

pub struct Message {
    pub id: String,
    pub by: Who,
    pub topic: u32,
    pub text: String,
    pub line: Line,
}

impl Said {
    /// The step that made it.
    pub fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// Whether that step has said nothing yet.
    pub fn number_is_free(&self, n: u32) -> bool {
        !self.messages.contains_key(&n)
    }

    pub fn learn_topic(&mut self, id: &str, n: u32) -> u32 {
        let number = *self.numbers.entry(id.to_owned()).or_insert(n);
        self.topics.entry(number).or_insert_with(|| id.to_owned());
        number
    }

    pub fn learn_message(&mut self, n: u32, message: Message) {
        self.numbers.insert(message.id.clone(), n);
        self.messages.insert(n, message);
    }
}

impl Client {
    fn new(who: Who, key: Option<String>) -> Self {
        Self { who, key, turn: None, shown: Vec::new(), topics: Vec::new(), task: None }
    }

    /// Keeps what it was shown.
    pub fn show<'a>(&mut self, items: impl Iterator<Item = &'a InboxItem>, said: &Said) {
        for item in items {
            let number = |id: &Option<String>| id.as_deref().and_then(|id| said.number(id));
            let (Some(message), Some(topic)) = (number(&item.message_id), number(&item.topic_id)) else {
                continue;
            };
            let request = item.message_type.as_deref() == Some("request");
            self.shown.push(Shown { message, topic, request });
            self.meet(topic);
        }
    }

    pub fn meet(&mut self, topic: u32) {
        if !self.topics.contains(&topic) {
            self.topics.push(topic);
        }
    }
}

impl World {
    pub async fn found(scene: &Scene, ground: Ground) -> Result<Self> {
        let place = Place::on(ground)?;
        let clock = Arc::new(ManualClock::at(BEGINNING));
        let faulty = Arc::new(Faulty::over(place.open()?));
        let engine = engine(&faulty, &clock, scene.seed, 0);
        let founded = engine.found_workspace(SLUG, PEOPLE[0].0, Policy::default(), scene.pool).await?;
        let workspace = only_workspace(faulty.as_ref())?;
        let owner = engine.authenticate(None, &founded.key.key).await?;
        let mut people = vec![Client::new(Who::Person(0), Some(founded.key.key))];
        for (number, (handle, role)) in (1..).zip(&PEOPLE[1..]) {
            engine.add_person(&owner, handle, *role).await?;
            let key = engine.key_on_this_machine(SLUG, handle).await?.key;
            people.push(Client::new(Who::Person(number), Some(key)));
        }
        let agents = (0..).zip(&scene.agents).map(|(number, _)| Client::new(Who::Agent(number), None));
        let mut world = Self {
            engine,
            faulty,
            clock,
            workspace,
            agents: agents.collect(),
            people,
            said: Said::default(),
            groups: Vec::new(),
            removed: Vec::new(),
            paused: Vec::new(),
            crash: None,
            acts: 0,
            starts: 1,
            seen: 0,
            place,
            scene: scene.clone(),
        };
        for number in (0..).take(scene.agents.len()).filter(|number| scene.actor(*number).is_some()) {
            world.hire(&owner, number).await?;
        }
        for (number, members) in scene.groups.iter().enumerate() {
            let members: Vec<String> = members
                .iter()
                .filter(|member| scene.actor(**member).is_some())
                .map(|member| Who::Agent(*member).to_string())
                .collect();
            world.engine.set_group(&owner, &format!("g{number}"), &members).await?;
        }
        let all = world.engine.conversations(&owner, None, 200).await?.items;
        for number in 0..scene.groups.len() {
            let group = format!("g{number}");
            let found = all.iter().find(|one| one.group.as_ref() == Some(&group));
            world.groups.push(found.context("a group has a conversation")?.id.clone());
        }
        Ok(world)
    }

    /// An agent comes, or comes again, with a key of its own.
    pub async fn hire(&mut self, by: &Caller, number: u16) -> std::result::Result<(), Error> {
        let Some(actor) = self.scene.actor(number) else { return Ok(()) };
        let id = Who::Agent(number).to_string();
        let wake = (actor.taker != Taker::Live).then(|| "relay".to_owned());
        let new = NewAgent { id: id.clone(), wake, ..NewAgent::default() };
        let added = self.engine.add_agent(by, new).await.map(drop);
        let made = self.engine.make_key(by, NewKey { participant: id, label: String::new() }).await;
        if let (Ok(made), Some(client)) = (&made, self.agents.get_mut(usize::from(number))) {
            *client = Client::new(Who::Agent(number), Some(made.key.clone()));
            self.removed.retain(|gone| *gone != number);
        }
        added.and(made.map(drop))
    }

    pub fn client(&self, who: Who) -> Option<&Client> {
        match who {
            Who::Agent(number) => self.agents.get(usize::from(number)),
            Who::Person(number) => self.people.get(usize::from(number)),
        }
    }

    pub fn client_mut(&mut self, who: Who) -> Option<&mut Client> {
        match who {
            Who::Agent(number) => self.agents.get_mut(usize::from(number)),
            Who::Person(number) => self.people.get_mut(usize::from(number)),
        }
    }

    /// One who calls by this key; from here on the server may die.
    pub async fn caller(&mut self, key: &str) -> std::result::Result<Caller, Error> {
        let caller = self.engine.authenticate(None, key).await;
        // The last use of a key is noted beside the answer: that is written before anything else is.
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
        self.faulty.arm(self.crash.take());
        caller
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What was committed since the last time.
    pub fn news(&mut self) -> Result<Vec<Entry>> {
        let news = log::read(self.faulty.as_ref(), self.workspace, self.seen)?;
        self.seen = news.last().map_or(self.seen, |entry| entry.seq);
        Ok(news)
    }

    /// Another server, on what the dead one left behind.
    pub fn start_again(&mut self) -> Result<()> {
        self.place.die()?;
        self.faulty = Arc::new(Faulty::over(self.place.open()?));
        self.engine = engine(&self.faulty, &self.clock, self.scene.seed, self.starts);
        self.starts += 1;
        self.place.bury();
        Ok(())
    }

    pub fn wait(&self, span: Duration) {
        self.clock.advance(span);
    }
}

fn engine(faulty: &Arc<Faulty>, clock: &Arc<ManualClock>, seed: u64, starts: u64) -> Engine {
    let store: Arc<dyn Store> = Arc::clone(faulty) as _;
    let clock: Arc<dyn Clock> = Arc::clone(clock) as _;
    Engine::new(store, clock, RateLimit::Off).with_seeded_ids(seed ^ (starts << 40))
}

fn only_workspace(store: &dyn Store) -> Result<WorkspaceKey> {
    let mut found = None;
    store.read(Within::Server, &mut |rows| {
        found = rows.workspaces()?.first().map(|workspace| workspace.key);
        Ok(())
    })?;
    found.ok_or_else(|| anyhow!("a workspace was made")).context("the world has no workspace")
}
