//! Where bytes are tried: a workspace in memory with an agent that has something to do, made anew now and then so that
//! it does not grow.

use std::cell::RefCell;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Router;
use serde_json::json;
use tokio::runtime::Runtime;
use ygg_domain::policy::Policy;
use ygg_engine::{Caller, Engine, RateLimit, SystemClock};
use ygg_store::memory::Memory;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

/// Inputs tried in one workspace.
const INPUTS: NonZeroU32 = NonZeroU32::new(2_000).expect("not 0");
const CREDITS: i64 = 1_000_000;

pub struct World {
    pub engine: Engine,
    pub agent: Caller,
    pub key: String,
    pub mcp: Router,
}

struct Place {
    world: World,
    runtime: Runtime,
    left: u32,
}

thread_local! {
    static PLACE: RefCell<Option<Place>> = const { RefCell::new(None) };
}

/// Runs `action` in this thread's workspace.
pub fn inside<T>(action: impl AsyncFnOnce(&World) -> T) -> T {
    PLACE.with_borrow_mut(|place| {
        if place.as_ref().is_none_or(|place| place.left == 0) {
            *place = Some(Place::new());
        }
        let place = place.as_mut().unwrap_or_else(|| unreachable!("it was just made"));
        place.left -= 1;
        let Place { world, runtime, .. } = place;
        runtime.block_on(action(world))
    })
}

impl Place {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("no runtime: {error}"));
        let world = runtime.block_on(World::new());
        Self { world, runtime, left: INPUTS.get() }
    }
}

impl World {
    async fn new() -> Self {
        let engine = Engine::new(Arc::new(Memory::new()), Arc::new(SystemClock), RateLimit::Off);
        let founded = engine.found_workspace("acme", "ana", Policy::default(), CREDITS).await;
        let founded = founded.unwrap_or_else(|error| panic!("no workspace: {error}"));
        let owner = known(&engine, &founded.key.key).await;
        let key = hire(&engine, &owner, "scout").await;
        let other = hire(&engine, &owner, "ledger").await;
        let agent = known(&engine, &key).await;
        let other = known(&engine, &other).await;
        for number in 1..=3 {
            let title = format!("Question {number}");
            let draft = json!({"to": "scout", "type": "request", "topic_id": "new", "title": title, "text": "How many?"});
            engine.send(&other, draft).await.unwrap_or_else(|error| panic!("no message: {error}"));
        }
        let mcp = ygg_mcp::router(engine.clone(), ygg_mcp::Config::default());
        Self { engine, agent, key, mcp }
    }
}

async fn known(engine: &Engine, key: &str) -> Caller {
    engine.authenticate(None, key).await.unwrap_or_else(|error| panic!("a key that nobody has: {error}"))
}

async fn hire(engine: &Engine, owner: &Caller, id: &str) -> String {
    let new = NewAgent { id: id.to_owned(), ..NewAgent::default() };
    engine.add_agent(owner, new).await.unwrap_or_else(|error| panic!("no agent: {error}"));
    let key = NewKey { participant: id.to_owned(), label: String::new() };
    engine.make_key(owner, key).await.unwrap_or_else(|error| panic!("no key: {error}")).key
}
