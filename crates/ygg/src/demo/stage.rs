//! What the demonstration plays on: a folder, a server, a person and two agents; and how all of it goes again.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use tempfile::TempDir;
use ygg_client::Client;
use ygg_domain::policy::Preset;

use crate::demo::cast::Agent;
use crate::failure::{Failure, Outcome};
use crate::places::Places;
use crate::profile::Owner;
use crate::server::first_run::{self, Founding};
use crate::server::{Plan, Running, Server, agent, store};

pub const WORKSPACE: &str = "demo";
pub const POOL: i64 = 100;

pub struct Stage {
    folder: TempDir,
    pub places: Places,
    pub url: String,
    server: Running,
}

/// Who plays.
pub struct Cast {
    pub ana: Client,
    pub codex: Agent,
    pub reviewer: Agent,
}

impl Stage {
    pub async fn set(port: u16) -> Outcome<Self> {
        let folder = tempfile::Builder::new().prefix("ygg-demo-").tempdir();
        let folder =
            folder.map_err(|error| Failure::usage(format!("no folder for temporary files: {error}.")))?;
        let places =
            Places { data: Some(folder.path().join("data")), config: Some(folder.path().join("config")) };
        let bind = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let server = Server::open(Plan::new(store::Place::of(&places)?, &places, bind)).await?;
        let founding = Founding { owner: "ana".to_owned(), credits: POOL, preset: Preset::Workspace };
        let ready = first_run::prepare(&server, &places, Some(WORKSPACE), &founding).await?;
        for (id, about) in
            [("codex", "Writes code."), ("reviewer", "Reads what others wrote and finds what is missing.")]
        {
            agent::ensure(&server, &places, &ready, id, about).await?;
        }
        let url = server.url.clone();
        Ok(Self { folder, places, url, server: server.start() })
    }

    pub async fn cast(&self) -> Outcome<Cast> {
        let owner = Owner::load(&self.places)?;
        let owner = owner.ok_or_else(|| Failure::Failed("ana's key was not kept.".to_owned()))?;
        let (codex, reviewer) =
            tokio::try_join!(Agent::start("codex", &self.places), Agent::start("reviewer", &self.places))?;
        Ok(Cast { ana: Client::new(&owner.target())?, codex, reviewer })
    }

    /// Nothing is left of it.
    pub async fn clear(self) {
        self.server.stop().await;
        if let Err(error) = self.folder.close() {
            crate::output::note(&format!("the demonstration's folder stays: {error}"));
        }
    }

    /// The server goes on by itself, and its folder stays.
    pub fn keep(self) -> (Running, PathBuf) {
        (self.server, self.folder.keep())
    }
}

impl Cast {
    pub async fn end(self) {
        tokio::join!(self.codex.end(), self.reviewer.end());
    }
}
