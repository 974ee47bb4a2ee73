//! `ygg keys`: listing, making and revoking keys. A new one is printed this once, or kept as a profile instead.

use clap::{Args, Subcommand};
use serde_json::json;
use ygg_client::Client;
use ygg_wire::key::{KeyView, NewKey};

use crate::cli::Global;
use crate::failure::Outcome;
use crate::identity;
use crate::output::{BOLD, DIM, one_line, table};
use crate::profile::Profile;
use crate::words;

#[derive(Args)]
pub struct Keys {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// List the keys that you may revoke
    List,
    /// Make a key for an agent, or one more for yourself, and print it this once
    Create(Create),
    /// Revoke a key; its open streams end
    Revoke {
        /// Its id, as `ygg keys list` shows it
        id: String,
    },
}

#[derive(Args)]
struct Create {
    /// An agent's id, or your own
    participant: String,
    /// What the key is for
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Keep it as a profile of this machine instead of printing it
    #[arg(long, value_name = "NAME")]
    save_profile: Option<String>,
}

impl Keys {
    pub async fn run(self, global: &Global) -> Outcome {
        match self.what.unwrap_or(What::List) {
            What::List => {
                let keys = identity::client(global)?.keys().await?;
                global.output.give(&keys, || table(&keys.iter().map(row).collect::<Vec<_>>()))
            }
            What::Create(create) => create.run(global).await,
            What::Revoke { id } => {
                let key = identity::client(global)?.revoke_key(&id).await?;
                global
                    .output
                    .confirm(&key, || format!("The key {} of {} is revoked.", key.id, key.participant))
            }
        }
    }
}

impl Create {
    async fn run(self, global: &Global) -> Outcome {
        let target = identity::find(global)?;
        if let Some(name) = &self.save_profile {
            let bare = self.participant.trim_start_matches('@');
            Profile::check_free(&global.places, name, &target.url, &target.workspace, bare)?;
        }
        let client = Client::new(&target)?;
        let label = self.label.unwrap_or_else(|| {
            self.save_profile.as_ref().map_or_else(String::new, |name| format!("profile {name}"))
        });
        let made = client.make_key(&NewKey { participant: self.participant, label }).await?;
        let Some(name) = self.save_profile else {
            return global.output.give(&made, || {
                format!(
                    "{BOLD}{}{BOLD:#}\n{DIM}The key {} of {}. It is shown this once; keep it where nobody else reads.{DIM:#}\n",
                    made.key, made.about.id, made.about.participant
                )
            });
        };
        let agent = made.about.participant.clone();
        let profile = Profile { url: target.url, workspace: target.workspace, agent, key: made.key };
        profile.overwrite(&global.places, &name)?;
        let path = global.places.profile(&name)?;
        let data = json!({"key": made.about, "profile": name, "profile_file": path});
        global.output.confirm(&data, || {
            format!(
                "The key {} of {} is kept as the profile {name}, in {}.",
                made.about.id,
                made.about.participant,
                path.display()
            )
        })
    }
}

fn row(key: &KeyView) -> Vec<String> {
    let state = match (&key.revoked_at, &key.used_at) {
        (Some(at), _) => format!("revoked {}", words::local(at)),
        (None, Some(at)) => format!("used {}", words::local(at)),
        (None, None) => "never used".to_owned(),
    };
    vec![key.id.clone(), key.participant.clone(), state, one_line(&key.label)]
}
