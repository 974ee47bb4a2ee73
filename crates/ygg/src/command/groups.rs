//! `ygg groups`: names for several agents.

use clap::{Args, Subcommand};
use ygg_wire::group::GroupView;

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::output::table;

#[derive(Args)]
pub struct Groups {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// List the groups
    List,
    /// Make a group of these agents, or have it consist of them
    Set { name: String, members: Vec<String> },
}

impl Groups {
    pub async fn run(self, global: &Global) -> Outcome {
        let client = identity::client(global)?;
        match self.what.unwrap_or(What::List) {
            What::List => {
                let groups = client.groups().await?;
                global.output.give(&groups, || {
                    if groups.is_empty() {
                        return "There are no groups; `ygg groups set NAME AGENT…` makes one.".to_owned();
                    }
                    table(&groups.iter().map(row).collect::<Vec<_>>())
                })
            }
            What::Set { name, members } => {
                let bare = name.strip_prefix("group:").unwrap_or(&name);
                let group = client.set_group(bare, members).await?;
                global.output.confirm(&group, || table(&[row(&group)]))
            }
        }
    }
}

fn row(group: &GroupView) -> Vec<String> {
    vec![format!("group:{}", group.name), group.members.join(", ")]
}
