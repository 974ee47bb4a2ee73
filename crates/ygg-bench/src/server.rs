//! `ygg serve` as a process of its own, and a workspace on it with the agents of the traffic.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use hyper::Method;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::traffic::{HUB, names};
use crate::wire::Connection;
use crate::world::WORKSPACE;

/// How long a server may take to listen or to stop.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Server {
    process: Child,
    /// `127.0.0.1:7411`
    pub address: String,
    /// From the start of the process to its first answer.
    pub answered_after: Duration,
    owner: String,
}

/// What a server is started with.
pub struct Plan<'a> {
    /// The binary.
    pub ygg: &'a Path,
    /// A folder of its own.
    pub folder: PathBuf,
    /// A PostgreSQL URL instead of a file in the folder.
    pub database: Option<String>,
}

impl Server {
    pub async fn start(plan: &Plan<'_>) -> Result<Self> {
        fs::create_dir_all(&plan.folder)?;
        let database = match &plan.database {
            Some(url) => url.into(),
            None => plan.folder.join("ygg.db").into_os_string(),
        };
        let args: [OsString; 16] = [
            "serve".into(),
            "--data".into(),
            plan.folder.clone().into(),
            "--workspace".into(),
            WORKSPACE.into(),
            "--bind".into(),
            "127.0.0.1:0".into(),
            "--database".into(),
            database,
            "--credits".into(),
            "1000000000".into(),
            "--rate-per-second".into(),
            "0".into(),
            "--streams-per-key".into(),
            "20000".into(),
            "--json".into(),
        ];
        // It logs as much as any deployment does, and to a file as most do.
        let log = File::create(plan.folder.join("server.log"))?;
        let begun = Instant::now();
        let mut process = Command::new(plan.ygg)
            .args(args)
            .env_remove("YGG_LOG")
            .stderr(log)
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{} could not be started", plan.ygg.display()))?;
        let address = tokio::time::timeout(PATIENCE, listening(&mut process)).await?;
        let address = address.with_context(|| logged(&plan.folder))?;
        Connection::open(&address).await?.call(Method::GET, "/healthz", "", Vec::new()).await?;
        let answered_after = begun.elapsed();
        let owner = owner_key(&plan.folder)?;
        Ok(Self { process, address, answered_after, owner })
    }

    /// Adds the agents of so many lanes; a second time is an error.
    pub async fn cast(&self, lanes: usize) -> Result<()> {
        let mut connection = self.connect().await?;
        for agent in (0..lanes).flat_map(|lane| <[String; 2]>::from(names(lane))).chain([HUB.to_owned()]) {
            let body = json!({ "id": agent });
            let _: Value = connection.json(Method::POST, "agents", &self.owner, &body).await?;
        }
        Ok(())
    }

    /// A new key of an agent.
    pub async fn key(&self, agent: &str) -> Result<String> {
        let body = json!({ "participant": agent });
        let made: ygg_wire::key::KeyMade =
            self.connect().await?.json(Method::POST, "keys", &self.owner, &body).await?;
        Ok(made.key)
    }

    pub async fn connect(&self) -> Result<Connection> {
        Connection::open(&self.address).await
    }

    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Megabytes of memory that the process holds.
    pub fn resident_mb(&self) -> Result<f64> {
        let pid = self.process.id().context("the server has ended")?;
        let status = fs::read_to_string(format!("/proc/{pid}/status"))
            .context("memory is read from /proc, which only Linux has")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")).context("no VmRSS in /proc")?;
        Ok(kib.trim().parse::<f64>()? * 1024.0 / 1_000_000.0)
    }

    pub async fn stop(mut self) -> Result<()> {
        let pid = self.process.id().context("the server has ended by itself")?;
        let told = Command::new("kill").arg(pid.to_string()).status().await?;
        ensure!(told.success(), "the server could not be told to stop");
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await??;
        ensure!(ended.success(), "the server ended with {ended}");
        Ok(())
    }
}

impl Connection {
    /// A call in the workspace.
    pub async fn json<T: DeserializeOwned>(
        &mut self,
        method: Method,
        route: &str,
        key: &str,
        body: &Value,
    ) -> Result<T> {
        let path = format!("/v1/w/{WORKSPACE}/{route}");
        let answer = self.call(method, &path, key, serde_json::to_vec(body)?).await?;
        Ok(serde_json::from_slice(&answer)?)
    }
}

/// What a server said that did not start.
fn logged(folder: &Path) -> String {
    let log = fs::read_to_string(folder.join("server.log")).unwrap_or_default();
    format!("the server did not start: {}", log.lines().last().unwrap_or("it said nothing"))
}

/// The address that the server says it listens at.
async fn listening(process: &mut Child) -> Result<String> {
    let stdout = process.stdout.take().context("the server has no output")?;
    let mut lines = BufReader::new(stdout).lines();
    let line = lines.next_line().await?.context("the server ended before it listened")?;
    // The rest of what it says goes nowhere, but may be said.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    let told: Value = serde_json::from_str(&line)?;
    let url = told["url"].as_str().context("the server did not say where it is")?;
    Ok(url.trim_start_matches("http://").to_owned())
}

/// The owner's key, as the server keeps it beside its data.
fn owner_key(folder: &Path) -> Result<String> {
    let kept: Value = serde_json::from_slice(&fs::read(folder.join("owner.json"))?)?;
    kept["key"].as_str().map(str::to_owned).context("the server kept no key of the workspace's owner")
}
