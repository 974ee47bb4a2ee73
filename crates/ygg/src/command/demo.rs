//! `ygg demo`: two agents at work on a server of their own, live, with every result checked.

use clap::Args;

use crate::cli::Global;
use crate::demo;
use crate::failure::Outcome;

#[derive(Args)]
pub struct Demo {
    /// Leave the server running afterwards, and keep its data
    #[arg(long)]
    keep: bool,
    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

impl Demo {
    pub async fn run(self, global: &Global) -> Outcome {
        demo::play(global.output, self.keep, self.port).await
    }
}
