//! One workspace on each kind of store, with the same ids on all of them.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use ygg_domain::participant::Role;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Clock, Engine, Error, ManualClock, RateLimit};
use ygg_wire::Problem;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::place::Place;

pub const PEOPLE: [(&str, Role); 3] = [("ana", Role::Owner), ("max", Role::Member), ("vic", Role::Viewer)];
pub const AGENTS: [&str; 4] = ["a", "b", "c", "d"];
/// People come first, then agents.
pub const CALLERS: usize = PEOPLE.len() + AGENTS.len();

const SEED: u64 = 7;
/// 2026-01-01T00:00:00Z in milliseconds.
const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);
const POOL: i64 = 60;
/// A group that nobody is in.
pub const END: &str = "end";

pub struct World {
    pub store: &'static str,
    pub engine: Engine,
    pub callers: Vec<Caller>,
    keys: Vec<String>,
    clock: Arc<ManualClock>,
    /// Dropped last: the engine lets go of it first.
    _place: Place,
}

impl World {
    pub async fn memory() -> Self {
        Self::on(Place::memory()).await
    }

    /// On every store there is a place for.
    pub async fn everywhere() -> Vec<Self> {
        let mut worlds = Vec::new();
        for place in Place::everywhere().await {
            worlds.push(Self::on(place).await);
        }
        worlds
    }

    async fn on(place: Place) -> Self {
        let clock = Arc::new(ManualClock::at(BEGINNING));
        let at: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let engine = Engine::new(Arc::clone(&place.nodes[0]), at, RateLimit::Off).with_seeded_ids(SEED);
        let founded =
            engine.found_workspace("acme", "ana", Policy::default(), POOL).await.expect("it is made");
        let owner = engine.authenticate(None, &founded.key.key).await.expect("the owner");
        let mut callers = vec![owner.clone()];
        let mut keys = vec![founded.key.key];
        for (handle, role) in &PEOPLE[1..] {
            engine.add_person(&owner, handle, *role).await.expect("a person");
            let key = engine.key_on_this_machine("acme", handle).await.expect("a key").key;
            callers.push(engine.authenticate(None, &key).await.expect("the person"));
            keys.push(key);
        }
        for id in AGENTS {
            let new = NewAgent { id: id.to_owned(), ..NewAgent::default() };
            engine.add_agent(&owner, new).await.expect("an agent");
            let key = NewKey { participant: id.to_owned(), label: String::new() };
            let key = engine.make_key(&owner, key).await.expect("a key").key;
            callers.push(engine.authenticate(None, &key).await.expect("the agent"));
            keys.push(key);
        }
        // Set again it is a mark in the log that everybody sees.
        engine.set_group(&owner, END, &[]).await.expect("a group");
        Self { store: place.name, engine, callers, keys, clock, _place: place }
    }

    /// Somebody as the rows have them now; whoever was shut out, as they were.
    pub async fn caller(&self, who: usize) -> Caller {
        self.engine.authenticate(None, &self.keys[who]).await.unwrap_or_else(|_| self.callers[who].clone())
    }

    pub fn index(&self, id: &str) -> Option<usize> {
        self.callers.iter().position(|caller| caller.participant().id.as_str() == id)
    }

    /// Its id.
    pub fn name(&self, who: usize) -> &str {
        self.callers[who].participant().id.as_str()
    }

    /// As views write it.
    pub fn now(&self) -> String {
        ygg_wire::time::text(self.clock.now())
    }

    /// Minutes pass, and what falls due in them is looked at once, late.
    pub async fn advance(&self, minutes: u64) {
        self.wait(Duration::from_secs(60 * minutes)).await;
    }

    /// The clock was ahead and is put right.
    pub fn set_back(&self, minutes: u64) {
        self.clock.set_back(Duration::from_secs(60 * minutes));
    }

    pub async fn wait(&self, span: Duration) {
        self.clock.advance(span);
        self.engine.fire_timers().await.expect("timers");
    }
}

/// What a call gave, as data. Trouble of the server is never an answer.
pub fn told<T: Serialize>(answer: Result<T, Error>) -> Value {
    match answer {
        Ok(given) => serde_json::to_value(given).expect("it is data"),
        Err(Error::Refused(refusal)) => json!({ "refused": Problem::from(&refusal) }),
        // Somebody who was shut out meanwhile.
        Err(Error::Unauthenticated) => json!({ "refused": "unauthenticated" }),
        Err(trouble @ (Error::WrongPassword | Error::Unavailable(_) | Error::Broken(_))) => {
            panic!("trouble: {trouble}")
        }
    }
}
