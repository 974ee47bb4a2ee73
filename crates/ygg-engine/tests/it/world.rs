//! One workspace on each kind of store, with the same ids on all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use ygg_domain::participant::Role;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_engine::{Caller, Clock, Engine, Error, ManualClock, RateLimit};
use ygg_store::Store;
use ygg_store::memory::Memory;
use ygg_store::postgres::{Postgres, Scratch};
use ygg_store::sqlite::Sqlite;
use ygg_wire::Problem;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

pub const PEOPLE: [(&str, Role); 3] = [("ana", Role::Owner), ("max", Role::Member), ("vic", Role::Viewer)];
pub const AGENTS: [&str; 4] = ["a", "b", "c", "d"];
/// People come first, then agents.
pub const CALLERS: usize = PEOPLE.len() + AGENTS.len();

const SEED: u64 = 7;
/// 2026-01-01T00:00:00Z in milliseconds.
const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);
const POOL: i64 = 60;

pub struct World {
    pub store: &'static str,
    pub engine: Engine,
    pub callers: Vec<Caller>,
    clock: Arc<ManualClock>,
    /// Dropped last: the engine lets go of it first.
    _place: Place,
}

/// What a store stands on, to be cleaned away after it.
type Place = Option<Box<dyn std::any::Any + Send>>;

impl World {
    pub async fn memory() -> Self {
        Self::on("memory", Arc::new(Memory::new()), None).await
    }

    /// On every store there is a place for.
    pub async fn everywhere() -> Vec<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let sqlite = Sqlite::open(&folder.path().join("ygg.db")).expect("a store");
        let mut worlds =
            vec![Self::memory().await, Self::on("sqlite", Arc::new(sqlite), Some(Box::new(folder))).await];
        if let Some(scratch) = scratch().await {
            let store = node(&scratch).await;
            worlds.push(Self::on("postgres", store, Some(Box::new(scratch))).await);
        }
        worlds
    }

    async fn on(name: &'static str, store: Arc<dyn Store>, place: Place) -> Self {
        let clock = Arc::new(ManualClock::at(BEGINNING));
        let at: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let engine = Engine::new(store, at, RateLimit::Off).with_seeded_ids(SEED);
        let founded =
            engine.found_workspace("acme", "ana", Policy::default(), POOL).await.expect("it is made");
        let owner = engine.authenticate(None, &founded.key.key).await.expect("the owner");
        let mut callers = vec![owner.clone()];
        for (handle, role) in &PEOPLE[1..] {
            engine.add_person(&owner, handle, *role).await.expect("a person");
            let key = engine.key_on_this_machine("acme", handle).await.expect("a key").key;
            callers.push(engine.authenticate(None, &key).await.expect("the person"));
        }
        for id in AGENTS {
            let new = NewAgent { id: id.to_owned(), ..NewAgent::default() };
            engine.add_agent(&owner, new).await.expect("an agent");
            let key = NewKey { participant: id.to_owned(), label: String::new() };
            let key = engine.make_key(&owner, key).await.expect("a key").key;
            callers.push(engine.authenticate(None, &key).await.expect("the agent"));
        }
        Self { store: name, engine, callers, clock, _place: place }
    }

    pub fn advance(&self, minutes: u64) {
        self.clock.advance(Duration::from_secs(60 * minutes));
    }
}

/// A database of its own on the PostgreSQL that `YGG_TEST_POSTGRES` names; None where none is named.
pub async fn scratch() -> Option<Scratch> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let Ok(server) = std::env::var("YGG_TEST_POSTGRES") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI runs these tests on PostgreSQL too");
        return None;
    };
    let name = format!("ygg_engine_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
    let made = tokio::task::spawn_blocking(move || Scratch::create(&server, &name).expect("a database"));
    Some(made.await.expect("no panic"))
}

/// One more node on it.
pub async fn node(scratch: &Scratch) -> Arc<dyn Store> {
    let config = scratch.config().clone();
    let opened = tokio::task::spawn_blocking(move || Postgres::open(&config).expect("it opens"));
    Arc::new(opened.await.expect("no panic"))
}

/// What a call gave, as data. Trouble of the server is never an answer.
pub fn told<T: Serialize>(answer: Result<T, Error>) -> Value {
    match answer {
        Ok(given) => serde_json::to_value(given).expect("it is data"),
        Err(Error::Refused(refusal)) => json!({ "refused": Problem::from(&refusal) }),
        Err(
            trouble @ (Error::Unauthenticated
            | Error::WrongPassword
            | Error::Unavailable(_)
            | Error::Broken(_)),
        ) => panic!("trouble: {trouble}"),
    }
}
