//! A scenario's world while it runs: its store, its clock, its process, and who is in it.

use std::sync::{Arc, Weak};
use std::time::Duration;

use ygg_domain::participant::Role;
use ygg_domain::time::Timestamp;
use ygg_engine::{Clock, Engine, Error, ManualClock, RateLimit};
use ygg_store::Store;
use ygg_wire::credits::Grant;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use super::bound::Bound;
use super::cast::Cast;
use super::shelf::Shelf;
use crate::drive::{Driver, SLUG};
use crate::scenario::World as Given;

/// 2026-01-01T00:00:00Z in milliseconds.
const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);

const NEXT_DOOR: &str = "next-door";

pub struct World<D> {
    shelf: Shelf,
    clock: Arc<ManualClock>,
    process: Option<Process<D>>,
    pub cast: Cast,
    pub bound: Bound,
}

/// An engine on the store, with whatever stands before it.
struct Process<D> {
    driver: D,
    engine: Engine,
    open: Weak<dyn Store>,
}

impl<D: Driver> World<D> {
    /// `runs`: agents that turns are taken for.
    pub async fn set_up(given: &Given, runs: &[&str], shelf: Shelf) -> Result<Self, String> {
        let clock = Arc::new(ManualClock::at(BEGINNING));
        let mut world = Self { shelf, clock, process: None, cast: Cast::default(), bound: Bound::default() };
        let engine = world.start().await?;
        // Everybody stands in a second workspace too, by the same names: what crosses the wall shows [W1].
        people_it(given, runs, &engine, NEXT_DOOR).await?;
        world.cast = people_it(given, runs, &engine, SLUG).await?;
        Ok(world)
    }

    pub fn driver(&self) -> Result<&D, String> {
        let running = self.process.as_ref().map(|process| &process.driver);
        running.ok_or_else(|| "no process runs: the last restart failed".to_owned())
    }

    /// Time passes, and everything that falls due on the way happens in order of time.
    pub async fn advance(&self, span: Duration) -> Result<(), String> {
        let running = self.process.as_ref().map(|process| &process.engine);
        let engine = running.ok_or("no process runs: the last restart failed")?;
        let end = self.clock.now().after(span);
        let broken = |error: Error| format!("the timers break: {error}");
        while let Some(due) = engine.next_timer().await.map_err(broken)?.filter(|due| *due <= end) {
            self.clock.advance(due.since(self.clock.now()));
            engine.fire_timers().await.map_err(broken)?;
        }
        self.clock.advance(end.since(self.clock.now()));
        Ok(())
    }

    /// The same up to an instant, as the wire writes it.
    pub async fn advance_to(&self, at: &str) -> Result<(), String> {
        let instant = ygg_wire::time::read(at).ok_or_else(|| format!("{at} is no instant"))?;
        self.advance(instant.since(self.clock.now())).await
    }

    /// The process ends, and another one starts on the same store.
    pub async fn restart(&mut self) -> Result<(), String> {
        self.end().await;
        self.start().await.map(drop)
    }

    pub async fn end(&mut self) {
        if let Some(Process { driver, engine, open }) = self.process.take() {
            drop((driver, engine));
            self.shelf.close(&open).await;
        }
    }

    async fn start(&mut self) -> Result<Engine, String> {
        let store = self.shelf.open().await?;
        let open = Arc::downgrade(&store);
        let clock: Arc<dyn Clock> = Arc::clone(&self.clock) as _;
        let engine = Engine::new(store, clock, RateLimit::Off);
        self.process = Some(Process { driver: D::over(engine.clone()), engine: engine.clone(), open });
        Ok(engine)
    }
}

/// Makes the workspace and everybody in it, as the server's operator and the first owner would.
async fn people_it(given: &Given, runs: &[&str], engine: &Engine, slug: &str) -> Result<Cast, String> {
    let first = given.people.iter().find(|person| person.role == Role::Owner);
    let owner = first.map_or_else(|| hidden_owner(given), |person| person.handle.clone());
    let founded = engine.found_workspace(slug, &owner, given.policy.clone(), given.pool).await;
    let founded = founded.map_err(|error| told("the workspace", &error))?;
    let key = founded.key.key;
    let caller =
        engine.authenticate(Some(slug), &key).await.map_err(|error| told("the first owner", &error))?;
    let mut cast = Cast::of_owner(key.clone());
    for person in &given.people {
        let handle = &person.handle;
        if *handle == owner {
            cast.enter(&format!("@{handle}"), founded.owner.to_string(), key.clone());
            continue;
        }
        let entered = async {
            let added = engine.add_person(&caller, handle, person.role).await?;
            Ok((added.id, engine.key_on_this_machine(slug, handle).await?.key))
        };
        let (id, key) = entered.await.map_err(|error| told(handle, &error))?;
        cast.enter(&format!("@{handle}"), id, key);
    }
    for agent in &given.agents {
        let new = NewAgent {
            id: agent.id.clone(),
            description: agent.description.clone(),
            operators: agent.operators.clone(),
            wake: runs.contains(&agent.id.as_str()).then(|| "builtin".to_owned()),
            ..NewAgent::default()
        };
        let entered = async {
            engine.add_agent(&caller, new).await?;
            engine.make_key(&caller, agent_key(&agent.id)).await
        };
        let made = entered.await.map_err(|error| told(&agent.id, &error))?;
        cast.enter(&agent.id, agent.id.clone(), made.key);
    }
    for (name, members) in &given.groups {
        engine.set_group(&caller, name, members).await.map_err(|error| told(name, &error))?;
    }
    for (agent, credits) in &given.wallets {
        // Nothing granted opens the wallet empty [C2].
        let grant = Grant { to: agent.clone(), credits: *credits };
        engine.grant(&caller, grant).await.map_err(|error| told(agent, &error))?;
    }
    Ok(cast)
}

pub fn agent_key(agent: &str) -> NewKey {
    NewKey { participant: agent.to_owned(), label: "scenario".to_owned() }
}

/// A handle that nobody in the scenario has. Its owner is seen in General alone, which no scenario can name.
fn hidden_owner(given: &Given) -> String {
    let taken = |name: &str| {
        given.people.iter().any(|person| person.handle == name)
            || given.agents.iter().any(|agent| agent.id == name)
    };
    let mut name = "scenario-owner".to_owned();
    while taken(&name) {
        name.push('x');
    }
    name
}

fn told(what: &str, error: &Error) -> String {
    match error {
        Error::Refused(refusal) => format!("{what}: refused: {}: {}", refusal.code(), refusal.help()),
        Error::Unauthenticated | Error::WrongPassword | Error::Unavailable(_) | Error::Broken(_) => {
            format!("{what}: {error}")
        }
    }
}
