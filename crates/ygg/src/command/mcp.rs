//! `ygg mcp`: what an MCP client starts to speak as an agent. Standard output carries frames and nothing else.

use clap::Args;
use ygg_client::stdio;

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::identity::{self, KEY_VARIABLE};
use crate::output::note;

#[derive(Args)]
pub struct Mcp {}

impl Mcp {
    pub async fn run(self, global: &Global) -> Outcome {
        // The owner of this machine's server is a person, and these tools are for agents.
        let target = identity::named(global)?.ok_or_else(|| {
            Failure::usage(format!(
                "As which agent? Name its profile with --profile, or put its key into {KEY_VARIABLE}."
            ))
        })?;
        stdio::run(&target, tokio::io::stdin(), tokio::io::stdout(), note).await?;
        Ok(())
    }
}
