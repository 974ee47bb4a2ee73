//! `ygg demo-agent`: one agent of the demonstration, in a process of its own. Hidden: the demonstration starts it.

use clap::Args;

use crate::cli::Global;
use crate::demo::agent;
use crate::failure::{Failure, Outcome};

#[derive(Args)]
pub struct DemoAgent {}

impl DemoAgent {
    pub async fn run(self, global: &Global) -> Outcome {
        let profile = global.profile.as_deref().ok_or_else(|| Failure::usage("--profile is missing."))?;
        agent::run(profile).await
    }
}
