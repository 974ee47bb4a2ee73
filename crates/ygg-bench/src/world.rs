//! A workspace with the agents of the traffic in it, on an engine in this process.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use ygg_domain::policy::Policy;
use ygg_engine::{Caller, Engine, RateLimit, SystemClock};
use ygg_store::Store;
use ygg_store::postgres::{Config, Postgres};
use ygg_store::sqlite::Sqlite;
use ygg_wire::inbox::ReadInbox;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::load::Lane;
use crate::traffic::{HUB, Met, Script, Side, Told, names};

pub const WORKSPACE: &str = "bench";
/// More than any run can spend.
const CREDITS: i64 = 1_000_000_000;

/// Where the messages are kept.
#[derive(Clone)]
pub enum Place<'a> {
    File(&'a Path),
    Postgres(Box<Config>),
}

pub struct World {
    pub engine: Engine,
    pub owner: Caller,
}

impl World {
    /// Opens a new place and puts the agents of so many lanes in it.
    pub async fn found(place: Place<'_>, lanes: usize) -> Result<Self> {
        let store: Arc<dyn Store> = match place {
            Place::File(file) => Arc::new(Sqlite::open(file)?),
            Place::Postgres(config) => {
                Arc::new(tokio::task::spawn_blocking(move || Postgres::open(&config)).await??)
            }
        };
        let engine = Engine::new(store, Arc::new(SystemClock), RateLimit::Off);
        let founded = engine.found_workspace(WORKSPACE, "owner", Policy::default(), CREDITS).await?;
        let owner = engine.authenticate(None, &founded.key.key).await?;
        let world = Self { engine, owner };
        world.add(HUB).await?;
        for (asker, answerer) in (0..lanes).map(names) {
            world.add(&asker).await?;
            world.add(&answerer).await?;
        }
        Ok(world)
    }

    async fn add(&self, agent: &str) -> Result<()> {
        let new = NewAgent { id: agent.to_owned(), ..NewAgent::default() };
        self.engine.add_agent(&self.owner, new).await?;
        Ok(())
    }

    async fn sign_in(&self, agent: &str) -> Result<Caller> {
        let new = NewKey { participant: agent.to_owned(), label: String::new() };
        let made = self.engine.make_key(&self.owner, new).await?;
        Ok(self.engine.authenticate(None, &made.key).await?)
    }

    pub async fn lane(&self, script: Script) -> Result<EngineLane> {
        let asker = self.sign_in(&script.asker).await?;
        // Nobody needs a key who never writes, and no agent may have as many as there are lanes.
        let answerer =
            if script.is_answered() { self.sign_in(&script.answerer).await? } else { asker.clone() };
        Ok(EngineLane { engine: self.engine.clone(), asker, answerer, script })
    }

    pub async fn lanes(&self, lanes: usize, script: fn(usize) -> Script) -> Result<Vec<EngineLane>> {
        let mut made = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            made.push(self.lane(script(lane)).await.context("a lane could not be made")?);
        }
        Ok(made)
    }
}

/// A sender that calls the engine itself.
pub struct EngineLane {
    engine: Engine,
    asker: Caller,
    answerer: Caller,
    script: Script,
}

impl EngineLane {
    /// The one who answers reads its inbox.
    pub async fn read_answerer(&self) -> Result<()> {
        read(&self.engine, &self.answerer).await
    }

    /// The one who asks reads its inbox.
    pub async fn read_asker(&self) -> Result<()> {
        read(&self.engine, &self.asker).await
    }
}

async fn read(engine: &Engine, caller: &Caller) -> Result<()> {
    let inbox = engine.inbox(caller, ReadInbox::default()).await?;
    ensure!(inbox.wakes.len() == 1, "one wake waited, and {} were handed over", inbox.wakes.len());
    Ok(())
}

impl Lane for EngineLane {
    async fn send(&mut self) -> Result<()> {
        let (side, draft) = self.script.next();
        let caller = match side {
            Side::Asker => &self.asker,
            Side::Answerer => &self.answerer,
        };
        let receipt = self.engine.send(caller, draft).await?;
        self.script.told(Told {
            outcome: receipt.outcome,
            message_id: receipt.message_id,
            topic_id: receipt.topic_id,
            reason: receipt.reason,
            recipients: receipt.recipients.into_iter().map(|met| Met { effect: met.effect }).collect(),
        })
    }
}
