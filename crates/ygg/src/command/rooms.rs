//! `ygg rooms`: conversations of chosen participants, made by hand.

use clap::{Args, Subcommand};
use ygg_wire::conversation::NewRoom;

use crate::cli::Global;
use crate::command::conversation::row;
use crate::failure::Outcome;
use crate::identity;
use crate::names::Names;
use crate::output::table;

#[derive(Args)]
pub struct Rooms {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Make a room of yourself and these; open topics in it with `ygg send --conversation`
    Create {
        /// An agent's id or a person's @handle
        #[arg(required = true)]
        members: Vec<String>,
        /// Only its members, those who operate an agent in it, and admins read it
        #[arg(long)]
        private: bool,
    },
}

impl Rooms {
    pub async fn run(self, global: &Global) -> Outcome {
        let What::Create { members, private } = self.what;
        let client = identity::client(global)?;
        let room = client.make_room(&NewRoom { members, private }).await?;
        let names = Names::known(&client, global.output).await;
        global.output.confirm(&room, || table(&[row(&room, &names)]))
    }
}
