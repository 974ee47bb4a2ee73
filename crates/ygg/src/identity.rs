//! As whom a command calls, and where: a profile, a key in the environment, or the owner of this machine's server.

use ygg_client::{Client, Target};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::profile::{Owner, Profile};

pub const KEY_VARIABLE: &str = "YGG_KEY";
pub const URL_VARIABLE: &str = "YGG_URL";
pub const WORKSPACE_VARIABLE: &str = "YGG_WORKSPACE";
pub const DEFAULT_URL: &str = "http://127.0.0.1:7411";
pub const DEFAULT_WORKSPACE: &str = "main";

/// The identity that was named, or else the one that is there. `--url` and `--workspace` change where it is used;
/// what the environment says of them goes with the key of the environment only, so that no key of a profile is
/// sent to a server by accident.
pub fn find(global: &Global) -> Outcome<Target> {
    if let Some(target) = named(global)? {
        return Ok(target);
    }
    match Owner::load(&global.places)? {
        Some(owner) => Ok(directed(owner.target(), global)),
        None => Err(nobody(global)),
    }
}

/// A profile or a key in the environment, not the owner of this machine.
pub fn named(global: &Global) -> Outcome<Option<Target>> {
    if let Some(name) = &global.profile {
        let profile = Profile::load(&global.places, name)?.ok_or_else(|| no_profile(global, name))?;
        return Ok(Some(directed(profile.target(), global)));
    }
    let Some(key) = variable(KEY_VARIABLE) else { return Ok(None) };
    let target = Target {
        url: variable(URL_VARIABLE).unwrap_or_else(|| DEFAULT_URL.to_owned()),
        workspace: variable(WORKSPACE_VARIABLE).unwrap_or_else(|| DEFAULT_WORKSPACE.to_owned()),
        key,
    };
    Ok(Some(directed(target, global)))
}

pub fn client(global: &Global) -> Outcome<Client> {
    Ok(Client::new(&find(global)?)?)
}

fn directed(target: Target, global: &Global) -> Target {
    Target {
        url: global.url.clone().unwrap_or(target.url),
        workspace: global.workspace.clone().unwrap_or(target.workspace),
        key: target.key,
    }
}

/// A variable that says something.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn no_profile(global: &Global, name: &str) -> Failure {
    match global.places.profile(name) {
        Ok(path) => Failure::usage(format!(
            "There is no profile {name} ({} is missing). `ygg agents add {name}` makes an agent with one, and `ygg \
             keys create {name} --save-profile {name}` a key for an agent that is there.",
            path.display()
        )),
        Err(failure) => failure,
    }
}

fn nobody(global: &Global) -> Failure {
    let owner = global.places.owner().map(|path| path.display().to_string()).unwrap_or_default();
    Failure::usage(format!(
        "As whom? Name a profile with --profile, put a key into {KEY_VARIABLE}, or run `ygg up` on this machine, \
         which keeps its owner's key in {owner}."
    ))
}
