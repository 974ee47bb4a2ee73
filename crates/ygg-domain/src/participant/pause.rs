//! Stop everything: people pause an agent or the whole workspace; resuming loses nothing [K5c].

use crate::change::Change;
use crate::participant::{Nature, Participant, Right};
use crate::refusal::Refusal;

/// Pauses an agent or sets it going: its operators may, and admins. Nothing when it is so already.
pub fn agent(by: &Participant, agent: &Participant, paused: bool) -> Result<Option<Change>, Refusal> {
    let may = by.may(Right::Operate) || by.may(Right::Write) && by.operates(agent);
    if !may {
        return Err(Refusal::Forbidden {
            needs: "pausing an agent needs a person who operates it, or an admin",
        });
    }
    let mut agent = agent.clone();
    match &mut agent.nature {
        Nature::Agent(about) if about.paused != paused => about.paused = paused,
        Nature::Agent(_) => return Ok(None),
        Nature::Person(_) | Nature::Hook | Nature::System => {
            return Err(Refusal::NotFound { what: "agent" });
        }
    }
    Ok(Some(Change::ParticipantChanged(agent)))
}

pub fn workspace(by: &Participant, was: bool, paused: bool) -> Result<Option<Change>, Refusal> {
    if !by.may(Right::Administer) {
        return Err(Refusal::Forbidden { needs: "pausing the workspace needs the role of admin or owner" });
    }
    Ok((was != paused).then_some(Change::WorkspacePaused(paused)))
}
