//! `ygg up`: a server on this machine, with a workspace, its owner and agents ready to use.

use std::net::{Ipv4Addr, SocketAddr};

use clap::Args;
use serde_json::json;
use ygg_wire::claim::ClaimMade;

use crate::claim_link;
use crate::cli::Global;
use crate::failure::Outcome;
use crate::output::{BOLD, DIM};
use crate::server::courier::Outside;
use crate::server::first_run::{self, Founding, Ready};
use crate::server::signals::Signals;
use crate::server::{Plan, Server, agent, log, store};

#[derive(Args)]
pub struct Up {
    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7411)]
    port: u16,
    /// An agent to have, its key kept as a profile of that name; again for each
    #[arg(long, value_name = "ID")]
    agent: Vec<String>,
    #[command(flatten)]
    founding: Founding,
    #[command(flatten)]
    outside: Outside,
    /// What to log, such as info or ygg_http=debug [env: YGG_LOG, default: warn]
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
}

impl Up {
    pub async fn run(self, global: &Global) -> Outcome {
        log::start(self.log.as_deref(), "warn", log::Format::Text)?;
        let signals = Signals::listen()?;
        let bind = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let plan = Plan::new(store::Place::of(&global.places)?, &global.places, bind);
        let server = Server::open(Plan { outside: self.outside.clone(), ..plan }).await?;
        let workspace = global.workspace.as_deref();
        let ready = first_run::prepare(&server, &global.places, workspace, &self.founding).await?;
        for id in &self.agent {
            agent::ensure(&server, &global.places, &ready, id, "").await?;
        }
        let url = server.url.clone();
        let claim = server.engine.claim_if_unclaimed(&ready.owner).await?;
        let running = server.start();
        let told = self.announce(global, &url, &ready, claim.as_ref());
        if told.is_ok() {
            running.until(signals).await;
        } else {
            running.stop().await;
        }
        told
    }

    fn announce(&self, global: &Global, url: &str, ready: &Ready, claim: Option<&ClaimMade>) -> Outcome {
        let data = global.places.data()?;
        let owner = &ready.owner.participant().display_name;
        let facts = json!({
            "url": url, "workspace": ready.workspace, "owner": owner, "data": data, "profiles": self.agent,
            "claim": claim.map(|claim| claim_link::data(&claim_link::of(url, claim), claim)),
        });
        global.output.confirm(&facts, || {
            let front = global.places.in_front();
            let agent = self.agent.first().map_or("codex", String::as_str);
            let add = match self.agent.first() {
                Some(_) => format!("{front}ygg directory"),
                None => format!("{front}ygg agents add {agent}"),
            };
            format!(
                "{BOLD}Ygg is up at {url}{BOLD:#}, workspace {}, owner @{owner}.\n{DIM}Data in {}. Ctrl-C stops it.{DIM:#}\n\n\
                 Next, in another terminal:\n  {add}\n  {front}ygg mcp --profile {agent}    {DIM}what its MCP client \
                 starts{DIM:#}\n  {front}ygg send --to {agent} --type request --topic new --title Hello --text \"Are you there?\"\n{}",
                ready.workspace,
                data.display(),
                claim.map(|claim| unclaimed(url, claim)).unwrap_or_default(),
            )
        })
    }
}

fn unclaimed(url: &str, claim: &ClaimMade) -> String {
    let link = claim_link::of(url, claim);
    format!("\n@{} has no password yet. To set one:\n{}", claim.handle, claim_link::words(&link))
}
