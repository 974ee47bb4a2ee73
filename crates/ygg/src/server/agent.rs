//! Agents that a server is started with: added if they are new, each with its key kept as a profile.

use ygg_domain::Refusal;
use ygg_engine::Engine;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::failure::{Failure, Outcome};
use crate::places::Places;
use crate::profile::Profile;
use crate::server::Server;
use crate::server::first_run::Ready;

pub async fn ensure(server: &Server, places: &Places, ready: &Ready, id: &str, description: &str) -> Outcome {
    let (engine, workspace) = (&server.engine, &ready.workspace);
    if let Some(kept) = Profile::load(places, id)?
        && stands(engine, workspace, id, &kept).await
    {
        return Profile { url: server.url.clone(), ..kept }.overwrite(places, id);
    }
    Profile::check_free(places, id, &server.url, workspace, id)?;
    let directory = engine.directory(&ready.owner).await?;
    if directory.agents.iter().all(|agent| agent.id != id) {
        let description = description.to_owned();
        let new = NewAgent { id: id.to_owned(), description, ..NewAgent::default() };
        engine.add_agent(&ready.owner, new).await?;
    }
    let label = format!("profile {id}");
    revoke_unused(engine, ready, id, &label).await?;
    let new = NewKey { participant: id.to_owned(), label };
    let made = engine.make_key(&ready.owner, new).await.map_err(|error| too_many(id, error))?;
    let profile = Profile {
        url: server.url.clone(),
        workspace: workspace.clone(),
        agent: id.to_owned(),
        key: made.key,
    };
    profile.overwrite(places, id)
}

/// A profile that was lost before anybody used its key leaves that key behind: it goes, so that none pile up. One that
/// was used may have been copied elsewhere.
async fn revoke_unused(engine: &Engine, ready: &Ready, id: &str, label: &str) -> Outcome {
    for key in engine.keys(&ready.owner).await? {
        let lost = key.participant == id && key.label == label;
        if lost && key.used_at.is_none() && key.revoked_at.is_none() {
            engine.revoke_key(&ready.owner, &key.id).await?;
        }
    }
    Ok(())
}

fn too_many(id: &str, error: ygg_engine::Error) -> Failure {
    match error {
        ygg_engine::Error::Refused(Refusal::TooLarge { limit, .. }) => Failure::usage(format!(
            "The agent {id} holds {limit} keys, which is the most, and none of them is kept here as the profile {id}. \
             Start without --agent {id}, then see them with `ygg keys` and revoke some with `ygg keys revoke KEY`."
        )),
        other => other.into(),
    }
}

/// Whether a kept key opens this very workspace as this very agent, wherever the server was when it was kept.
async fn stands(engine: &Engine, workspace: &str, id: &str, kept: &Profile) -> bool {
    let caller = engine.authenticate(Some(workspace), &kept.key).await;
    caller.is_ok_and(|caller| caller.participant().id.as_str() == id)
}
