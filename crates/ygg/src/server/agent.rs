//! Agents that a server is started with: added if they are new, each with its key kept as a profile.

use ygg_engine::Engine;
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use crate::failure::Outcome;
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
    let new = NewKey { participant: id.to_owned(), label: format!("profile {id}") };
    let made = engine.make_key(&ready.owner, new).await?;
    let profile = Profile {
        url: server.url.clone(),
        workspace: workspace.clone(),
        agent: id.to_owned(),
        key: made.key,
    };
    profile.overwrite(places, id)
}

/// Whether a kept key opens this very workspace as this very agent, wherever the server was when it was kept.
async fn stands(engine: &Engine, workspace: &str, id: &str, kept: &Profile) -> bool {
    let caller = engine.authenticate(Some(workspace), &kept.key).await;
    caller.is_ok_and(|caller| caller.participant().id.as_str() == id)
}
