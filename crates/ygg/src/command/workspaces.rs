//! `ygg workspaces`: what the server's operator may do with them, on the server's machine.

use std::io::Write;

use clap::{Args, Subcommand};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use ygg_wire::workspace::{NewWorkspace, WorkspaceView};

use crate::claim_link;
use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::operator::Operator;
use crate::output::{BOLD, table};
use crate::profile::Profile;
use crate::server::first_run::Founding;

#[derive(Args)]
pub struct Workspaces {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// List the workspaces of the server
    List,
    /// Make a workspace, and keep its owner's key as a profile
    Create(Create),
    /// Delete a workspace with everything in it, for good
    Delete(Delete),
}

#[derive(Args)]
struct Create {
    /// Small letters, digits, '-' and '_', a letter first; never renamed
    name: String,
    #[command(flatten)]
    founding: Founding,
    /// Name of the profile [default: the workspace's name]
    #[arg(long, value_name = "NAME")]
    profile_name: Option<String>,
}

#[derive(Args)]
struct Delete {
    name: String,
    /// The workspace's name once more, instead of being asked for it
    #[arg(long, value_name = "NAME")]
    yes: Option<String>,
}

impl Workspaces {
    pub async fn run(self, global: &Global) -> Outcome {
        let operator = Operator::find(global)?;
        match self.what.unwrap_or(What::List) {
            What::List => list(global, &operator).await,
            What::Create(create) => create.run(global, &operator).await,
            What::Delete(delete) => delete.run(global, &operator).await,
        }
    }
}

async fn list(global: &Global, operator: &Operator) -> Outcome {
    let there = operator.server.workspaces().await.map_err(|error| operator.explain(error))?;
    global.output.give(&there, || {
        if there.is_empty() {
            return "There are no workspaces yet; `ygg workspaces create NAME` makes one.".to_owned();
        }
        table(&there.iter().map(row).collect::<Vec<_>>())
    })
}

fn row(workspace: &WorkspaceView) -> Vec<String> {
    let paused = if workspace.paused { "paused" } else { "" };
    vec![workspace.slug.clone(), paused.to_owned()]
}

impl Create {
    async fn run(self, global: &Global, operator: &Operator) -> Outcome {
        let profile = self.profile_name.unwrap_or_else(|| self.name.clone());
        // Before anything is made: what is kept under that name may be an agent's only key.
        Profile::check_absent(&global.places, &profile)?;
        let new = NewWorkspace {
            slug: self.name,
            owner: self.founding.owner,
            credits: self.founding.credits,
            preset: Some(self.founding.preset.name().to_owned()),
        };
        let made = operator.server.make_workspace(&new).await.map_err(|error| operator.explain(error))?;
        let about = &made.owner_key.about;
        let kept = Profile {
            url: operator.url.clone(),
            workspace: made.workspace.slug.clone(),
            agent: about.participant.clone(),
            key: made.owner_key.key.clone(),
        };
        kept.overwrite(&global.places, &profile)?;
        let path = global.places.profile(&profile)?;
        let link = made.claim.as_ref().map(|claim| claim_link::of(&operator.public_url, claim));
        let data = json!({
            "workspace": made.workspace, "owner": made.owner, "profile": profile, "profile_file": path,
            "key_id": about.id, "claim": link.as_ref().zip(made.claim.as_ref()).map(|(link, made)| claim_link::data(link, made)),
        });
        global.output.confirm(&data, || {
            let claim = link.as_deref().map(|link| {
                format!("For @{}, to set a password:\n{}", made.owner, claim_link::words(link))
            });
            format!(
                "Workspace {BOLD}{}{BOLD:#} is made. The key of its owner @{} is kept as the profile {profile}, in {}.\n\
                 Next: {}ygg agents add codex --profile {profile} --profile-name {profile}-codex\n{}",
                made.workspace.slug,
                made.owner,
                path.display(),
                global.places.in_front(),
                claim.unwrap_or_default(),
            )
        })
    }
}

impl Delete {
    async fn run(self, global: &Global, operator: &Operator) -> Outcome {
        let typed = match self.yes {
            Some(typed) => typed,
            None => {
                let there = operator.server.workspaces().await.map_err(|error| operator.explain(error))?;
                if !there.iter().any(|workspace| workspace.slug == self.name) {
                    return Err(Failure::usage(format!(
                        "There is no workspace {} on this server.",
                        self.name
                    )));
                }
                ask(&self.name).await?
            }
        };
        if typed.trim() != self.name {
            return Err(Failure::usage(format!("Nothing was deleted: {} was not typed again.", self.name)));
        }
        let gone =
            operator.server.delete_workspace(&self.name).await.map_err(|error| operator.explain(error))?;
        global.output.confirm(&gone, || format!("The workspace {} is deleted.", gone.slug))
    }
}

/// Standard output stays clean for what the command prints.
async fn ask(name: &str) -> Outcome<String> {
    let _ = write!(
        anstream::stderr(),
        "Everything in the workspace {name} is deleted for good: people, agents, keys, conversations, credits.\n\
         Type its name to go on: "
    );
    let mut line = String::new();
    let read = BufReader::new(tokio::io::stdin()).read_line(&mut line).await;
    read.map_err(|error| Failure::usage(format!("standard input cannot be read: {error}.")))?;
    Ok(line)
}
