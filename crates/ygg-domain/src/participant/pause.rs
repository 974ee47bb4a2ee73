//! Stop everything: people pause an agent or the whole workspace; resuming loses nothing [K5c].

use crate::change::Change;
use crate::participant::{Nature, Participant, Right};
use crate::refusal::Refusal;
use crate::turn::retry;
use crate::wake::Wake;

/// Pauses an agent or sets it going: its operators may, and admins. Nothing when it is so already; but setting it going
/// also has tried again what failed too often: a person has looked. `failed`: pending wakes that failed before [K6].
pub fn agent(
    by: &Participant,
    agent: &Participant,
    paused: bool,
    failed: &[Wake],
) -> Result<Vec<Change>, Refusal> {
    let may = by.may(Right::Operate) || by.may(Right::Write) && by.operates(agent);
    if !may {
        return Err(Refusal::Forbidden {
            needs: "pausing an agent needs a person who operates it, or an admin",
        });
    }
    let mut agent = agent.clone();
    let mut changes = Vec::new();
    if !paused {
        changes.extend(failed.iter().map(retry::forgiven).map(Change::WakeMerged));
    }
    match &mut agent.nature {
        Nature::Agent(about) if about.paused != paused => about.paused = paused,
        Nature::Agent(_) => return Ok(changes),
        Nature::Person(_) | Nature::Hook | Nature::System => {
            return Err(Refusal::NotFound { what: "agent" });
        }
    }
    changes.push(Change::ParticipantChanged(agent));
    Ok(changes)
}

pub fn workspace(by: &Participant, was: bool, paused: bool) -> Result<Option<Change>, Refusal> {
    if !by.may(Right::Administer) {
        return Err(Refusal::Forbidden { needs: "pausing the workspace needs the role of admin or owner" });
    }
    Ok((was != paused).then_some(Change::WorkspacePaused(paused)))
}
