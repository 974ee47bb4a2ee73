//! A server's first start: a workspace with an owner, whose key is kept on this machine. Later starts find it there.

use clap::Args;
use ygg_domain::Refusal;
use ygg_domain::policy::{Policy, Preset};
use ygg_engine::{Caller, Engine};

use crate::failure::{Failure, Outcome};
use crate::identity::DEFAULT_WORKSPACE;
use crate::places::Places;
use crate::profile::Owner;
use crate::server::Server;

/// What a first workspace is made of.
#[derive(Debug, Clone, Args)]
pub struct Founding {
    /// Handle of the workspace's owner
    #[arg(long, value_name = "HANDLE", default_value = "owner")]
    pub owner: String,
    /// Credits that the pool of a new workspace opens with
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub credits: i64,
    /// Policy of a new workspace: workspace (plane follows)
    #[arg(long, value_name = "PRESET", default_value = "workspace", value_parser = Preset::choose)]
    pub preset: Preset,
}

/// A workspace that is ready, and its owner signed in.
pub struct Ready {
    pub workspace: String,
    pub owner: Caller,
}

/// Makes sure that there is a workspace, and that its owner's key is kept and stands.
pub async fn prepare(
    server: &Server,
    places: &Places,
    workspace: Option<&str>,
    founding: &Founding,
) -> Outcome<Ready> {
    let kept = Owner::load(places)?;
    if let Some(ready) = still_good(server, places, workspace, kept.as_ref()).await? {
        return Ok(ready);
    }
    let there = server.engine.workspaces().await?;
    let key = if there.is_empty() {
        let name = workspace.unwrap_or(DEFAULT_WORKSPACE);
        let policy = Policy::preset(founding.preset);
        let founded = server.engine.found_workspace(name, &founding.owner, policy, founding.credits).await?;
        (name.to_owned(), founded.key)
    } else {
        let names: Vec<&str> = there.iter().map(|workspace| workspace.slug.as_str()).collect();
        let name = choose(&names, workspace, kept.as_ref())?;
        (name.clone(), lost_key(&server.engine, &name, &founding.owner).await?)
    };
    let (workspace, made) = key;
    let owner = server.engine.authenticate(Some(&workspace), &made.key).await?;
    Owner { url: server.url.clone(), workspace: workspace.clone(), key: made.key }.save(places)?;
    Ok(Ready { workspace, owner })
}

/// The key that is kept, if it opens the workspace that is meant.
async fn still_good(
    server: &Server,
    places: &Places,
    workspace: Option<&str>,
    kept: Option<&Owner>,
) -> Outcome<Option<Ready>> {
    let Some(kept) = kept.filter(|kept| workspace.is_none_or(|meant| meant == kept.workspace)) else {
        return Ok(None);
    };
    let owner = match server.engine.authenticate(Some(&kept.workspace), &kept.key).await {
        Ok(owner) => owner,
        // Of another store, or revoked.
        Err(ygg_engine::Error::Unauthenticated | ygg_engine::Error::Refused(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if kept.url != server.url {
        Owner { url: server.url.clone(), ..kept.clone() }.save(places)?;
    }
    Ok(Some(Ready { workspace: kept.workspace.clone(), owner }))
}

/// Which of the workspaces that are there is meant.
fn choose(there: &[&str], named: Option<&str>, kept: Option<&Owner>) -> Outcome<String> {
    let wished = [named, kept.map(|kept| kept.workspace.as_str()), Some(DEFAULT_WORKSPACE)];
    let meant = match (named, there) {
        (None, [only]) => Some(*only),
        _ => wished.into_iter().flatten().next(),
    };
    meant.filter(|name| there.contains(name)).map(str::to_owned).ok_or_else(|| {
        Failure::usage(format!(
            "This server has the workspaces {}. Name one of them with --workspace, or make another with `ygg \
             workspaces create NAME` while it runs.",
            there.join(", ")
        ))
    })
}

/// The key's file is gone; whoever can read the database on this machine may have another.
async fn lost_key(engine: &Engine, workspace: &str, handle: &str) -> Outcome<ygg_wire::key::KeyMade> {
    match engine.key_on_this_machine(workspace, handle).await {
        Err(ygg_engine::Error::Refused(Refusal::NotFound { .. })) => Err(Failure::usage(format!(
            "The owner's key of workspace {workspace} is not kept here, and there is no @{} in it to make another \
             for. Name its owner with --owner.",
            handle.trim_start_matches('@')
        ))),
        made => Ok(made?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_workspace_of_several_has_to_be_meant() {
        let kept =
            |workspace: &str| Owner { url: String::new(), workspace: workspace.into(), key: String::new() };
        let check = |there: &[&str], named: Option<&str>, kept: Option<Owner>, expected: Option<&str>| {
            assert_eq!(choose(there, named, kept.as_ref()).ok().as_deref(), expected, "{there:?} {named:?}");
        };
        check(&["main"], None, None, Some("main"));
        check(&["lab"], None, None, Some("lab"));
        check(&["lab"], Some("main"), None, None);
        check(&["lab", "main"], None, None, Some("main"));
        check(&["lab", "main"], None, Some(kept("lab")), Some("lab"));
        check(&["lab", "main"], Some("main"), Some(kept("lab")), Some("main"));
        check(&["a", "b"], None, None, None);
    }
}
