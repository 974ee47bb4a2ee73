//! `ygg keys`: listing, making and revoking keys. A new one is printed this once, or kept as a profile instead.

use clap::{Args, Subcommand};
use serde_json::json;
use ygg_client::{Client, Error};
use ygg_wire::key::{KeyView, NewKey};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::identity;
use crate::names::Names;
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
    /// An agent's id, or your own @handle
    participant: String,
    /// What the key is for
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// Keep it as a profile of this machine instead of printing it
    #[arg(long, value_name = "NAME")]
    save_profile: Option<String>,
    /// Put it in place of a profile's key that still stands; that key stays good until it is revoked
    #[arg(long, requires = "save_profile")]
    replace: bool,
}

impl Keys {
    pub async fn run(self, global: &Global) -> Outcome {
        match self.what.unwrap_or(What::List) {
            What::List => {
                let client = identity::client(global)?;
                let keys = client.keys().await?;
                let names = Names::known(&client, global.output).await;
                global
                    .output
                    .give(&keys, || table(&keys.iter().map(|key| row(key, &names)).collect::<Vec<_>>()))
            }
            What::Create(create) => create.run(global).await,
            What::Revoke { id } => {
                let client = identity::client(global)?;
                let key = client.revoke_key(&id).await?;
                let names = Names::known(&client, global.output).await;
                global.output.confirm(&key, || {
                    format!("The key {} of {} is revoked.", key.id, names.show(&key.participant))
                })
            }
        }
    }
}

impl Create {
    async fn run(self, global: &Global) -> Outcome {
        let target = identity::find(global)?;
        let client = Client::new(&target)?;
        if let Some(name) = &self.save_profile {
            let id = id_of(&client, &self.participant).await?;
            Profile::check_free(&global.places, name, &target.url, &target.workspace, &id)?;
            if !self.replace {
                check_not_in_use(global, name).await?;
            }
        }
        let label = self.label.unwrap_or_else(|| {
            self.save_profile.as_ref().map_or_else(String::new, |name| format!("profile {name}"))
        });
        let made = client.make_key(&NewKey { participant: self.participant, label }).await?;
        let names = Names::known(&client, global.output).await;
        let whose = names.show(&made.about.participant);
        let Some(name) = self.save_profile else {
            return global.output.give(&made, || {
                format!(
                    "{BOLD}{}{BOLD:#}\n{DIM}The key {} of {}. It is shown this once; keep it where nobody else reads.{DIM:#}\n",
                    made.key, made.about.id, whose
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
                whose,
                path.display()
            )
        })
    }
}

/// A key that still stands would be lost from this machine, and go on being good.
async fn check_not_in_use(global: &Global, name: &str) -> Outcome {
    let Some(there) = Profile::load(&global.places, name)? else { return Ok(()) };
    match Client::new(&there.target())?.me().await {
        Err(Error::Problem(problem)) if problem.status == 401 => Ok(()),
        Ok(_) => Err(Failure::usage(format!(
            "The profile {name} holds a key that is good. Save the new one under another name, or put it in its place \
             with --replace; `ygg keys list` and `ygg keys revoke` end the one before."
        ))),
        Err(trouble) => Err(trouble.into()),
    }
}

/// The id behind a handle; any other name is one.
async fn id_of(client: &Client, name: &str) -> Outcome<String> {
    let bare = name.strip_prefix('@').unwrap_or(name);
    let people = client.directory().await?.people;
    let person = people.into_iter().find(|person| person.handle == bare);
    Ok(person.map_or_else(|| bare.to_owned(), |person| person.id))
}

fn row(key: &KeyView, names: &Names) -> Vec<String> {
    let state = match (&key.revoked_at, &key.used_at) {
        (Some(at), _) => format!("revoked {}", words::local(at)),
        (None, Some(at)) => format!("used {}", words::local(at)),
        (None, None) => "never used".to_owned(),
    };
    vec![key.id.clone(), names.show(&key.participant).to_owned(), state, one_line(&key.label)]
}
