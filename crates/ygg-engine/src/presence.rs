//! Who is online: an agent that was seen to take a wake by the way that it is woken now, not one with an open socket
//! [K5a].

use std::collections::HashMap;
use std::time::Duration;

use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Participant;
use ygg_domain::time::Timestamp;
use ygg_domain::turn::{Told, TurnStatus};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_wire::participant::Presence;
use ygg_wire::time;

/// Of all agents of a workspace, asked at once.
pub struct Seen {
    attention: Duration,
    sessions: HashMap<ParticipantId, Timestamp>,
    turns: HashMap<ParticipantId, Told>,
}

impl Seen {
    pub fn load(rows: &dyn Rows, workspace: WorkspaceKey) -> ygg_store::Result<Self> {
        let policy = rows.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
        let turns = rows.newest_turns(workspace)?.into_iter();
        Ok(Self {
            attention: policy.attention,
            sessions: rows.attentions(workspace)?.into_iter().collect(),
            turns: turns.map(|told| (told.turn.agent.clone(), told)).collect(),
        })
    }

    pub fn of(&self, agent: &Participant, now: Timestamp) -> Presence {
        let session = self.sessions.get(&agent.id).copied();
        let attends = session.is_some_and(|at| at.after(self.attention) > now);
        let wake_by = agent.as_agent().map(|agent| agent.wake_by);
        let path = self.turns.get(&agent.id).filter(|told| Some(told.turn.taker.wakes()) == wake_by);
        let took = path.filter(|told| matches!(told.status, TurnStatus::Running | TurnStatus::Ended));
        let took = took.filter(|told| told.turn.taker.is_supervised());
        let seen = [session, path.map(|told| told.turn.began_at)];
        let seen_at = seen.into_iter().flatten().max().map(time::text);
        Presence { online: attends || took.is_some(), seen_at }
    }
}
