//! `ygg agents`: the workspace's agents; a new one gets a key, which is kept as a profile of this machine.

use clap::{Args, Subcommand};
use serde_json::json;
use ygg_client::Client;
use ygg_wire::key::NewKey;
use ygg_wire::participant::{AgentEdit, NewAgent};

use crate::cli::Global;
use crate::command::directory::row;
use crate::failure::Outcome;
use crate::identity;
use crate::output::{BOLD, table};
use crate::profile::Profile;

#[derive(Args)]
pub struct Agents {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// List the agents
    List,
    /// Add an agent and keep its key as a profile
    Add(Add),
    /// Change what is said about an agent
    Edit(Edit),
    /// Hand an agent nothing and let it send nothing until `resume`; nothing is lost
    Pause { id: String },
    /// Set a paused agent going again; what failed too often is tried again too
    Resume { id: String },
    /// Remove an agent: its wakes, tasks and keys end, its wallet goes back to the pool
    Remove { id: String },
}

#[derive(Args)]
struct Add {
    /// Small letters, digits, '-' and '_', a letter first; never renamed
    id: String,
    /// What it is for, on one line; others read it
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
    /// How it is shown [default: its id]
    #[arg(long, value_name = "NAME")]
    display_name: Option<String>,
    /// Who operates it; again for each
    #[arg(long, value_name = "@HANDLE")]
    operator: Vec<String>,
    /// How it is woken [default: none]
    #[arg(long, value_name = "HOW", value_parser = ["none", "relay", "builtin", "webhook"])]
    wake: Option<String>,
    /// Name of the profile [default: the agent's id]
    #[arg(long, value_name = "NAME")]
    profile_name: Option<String>,
    /// Print the key as well
    #[arg(long)]
    show_key: bool,
}

#[derive(Args)]
struct Edit {
    id: String,
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[arg(long, value_name = "NAME")]
    display_name: Option<String>,
    /// Who operates it from now on; again for each
    #[arg(long, value_name = "@HANDLE", conflicts_with = "usual_operators")]
    operator: Vec<String>,
    /// Let those operate it who do so unless somebody is named
    #[arg(long)]
    usual_operators: bool,
}

impl Agents {
    pub async fn run(self, global: &Global) -> Outcome {
        match self.what.unwrap_or(What::List) {
            What::List => list(global).await,
            What::Add(add) => add.run(global).await,
            What::Edit(edit) => edit.run(global).await,
            What::Pause { id } => {
                let agent = identity::client(global)?.pause_agent(&id).await?;
                let told = format!("{id} is paused: it is handed nothing until `ygg agents resume {id}`.");
                global.output.confirm(&agent, || told)
            }
            What::Resume { id } => {
                let agent = identity::client(global)?.resume_agent(&id).await?;
                global.output.confirm(&agent, || format!("{id} goes on; what waited for it is kept."))
            }
            What::Remove { id } => {
                let agent = identity::client(global)?.remove_agent(&id).await?;
                global.output.confirm(&agent, || format!("{id} is removed; its keys are of no use any more."))
            }
        }
    }
}

async fn list(global: &Global) -> Outcome {
    let agents = identity::client(global)?.agents().await?;
    global.output.give(&agents, || {
        if agents.is_empty() {
            return "There are no agents yet; `ygg agents add ID` makes one.".to_owned();
        }
        table(&agents.iter().map(row).collect::<Vec<_>>())
    })
}

impl Add {
    async fn run(self, global: &Global) -> Outcome {
        let target = identity::find(global)?;
        let name = self.profile_name.unwrap_or_else(|| self.id.clone());
        // Before anything is made: what is kept under that name may be another agent's only key.
        Profile::check_free(&global.places, &name, &target.url, &target.workspace, &self.id)?;
        let client = Client::new(&target)?;
        let new = NewAgent {
            id: self.id.clone(),
            display_name: self.display_name,
            description: self.description,
            operators: self.operator,
            wake: self.wake,
        };
        let agent = client.add_agent(&new).await?;
        let made = client
            .make_key(&NewKey { participant: self.id.clone(), label: format!("profile {name}") })
            .await?;
        let profile = Profile {
            url: target.url,
            workspace: target.workspace,
            agent: self.id.clone(),
            key: made.key.clone(),
        };
        profile.overwrite(&global.places, &name)?;
        let path = global.places.profile(&name)?;
        let mut data =
            json!({"agent": agent, "profile": name, "profile_file": path, "key_id": made.about.id});
        if self.show_key {
            data["key"] = json!(made.key);
        }
        global.output.confirm(&data, || {
            let mut out = format!(
                "Agent {BOLD}{}{BOLD:#} is added; its key is kept as the profile {name}, in {}.\n",
                self.id,
                path.display()
            );
            if self.show_key {
                out.push_str(&format!("Its key, shown this once: {}\n", made.key));
            }
            out.push_str(&format!(
                "An MCP client starts: {}ygg mcp --profile {name}\n",
                global.places.in_front()
            ));
            out
        })
    }
}

impl Edit {
    async fn run(self, global: &Global) -> Outcome {
        let operators = if self.usual_operators {
            Some(Vec::new())
        } else {
            Some(self.operator).filter(|named| !named.is_empty())
        };
        let edit = AgentEdit { display_name: self.display_name, description: self.description, operators };
        let agent = identity::client(global)?.edit_agent(&self.id, &edit).await?;
        global.output.confirm(&agent, || table(&[row(&agent)]))
    }
}
