//! `ygg inbox`: what waits for an agent, rendered by the server as the agent would read it.

use clap::Args;
use ygg_domain::render::fence::show;
use ygg_wire::inbox::ReadInbox;

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;

#[derive(Args)]
pub struct Inbox {
    /// Look without consuming
    #[arg(long, conflicts_with = "again")]
    peek: bool,
    /// The last batch once more
    #[arg(long)]
    again: bool,
}

impl Inbox {
    pub async fn run(self, global: &Global) -> Outcome {
        let read = ReadInbox { peek: self.peek, again: self.again };
        let inbox = identity::client(global)?.inbox(read).await?;
        global.output.give(&inbox, || show(&inbox.text))
    }
}
