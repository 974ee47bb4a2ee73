//! The attention of live sessions: a sign of one is written down, but not each of many that come close together [V2].

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;

use crate::Caller;
use crate::commit::Work;

/// Agents remembered at once; with one more all are forgotten, and write a sign more than they need.
const AGENTS: usize = 10_000;
/// A sign is written again after this part of the attention that it holds: so much earlier may it be seen to end.
const PART: u32 = 10;

/// Until when the last sign that was written is good enough.
#[derive(Default)]
pub struct Attention(Mutex<HashMap<(WorkspaceKey, ParticipantId), Timestamp>>);

impl Attention {
    /// Whether a sign of the caller is to be written now.
    pub fn lacks(&self, caller: &Caller, now: Timestamp) -> bool {
        caller.is_live() && self.lock().get(&of(caller)).is_none_or(|until| *until <= now)
    }

    /// A sign was written, and is durable.
    pub fn noted(&self, caller: &Caller, until: Option<Timestamp>) {
        let Some(until) = until else { return };
        let mut table = self.lock();
        if table.len() >= AGENTS {
            table.clear();
        }
        table.insert(of(caller), until);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(WorkspaceKey, ParticipantId), Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of(caller: &Caller) -> (WorkspaceKey, ParticipantId) {
    (caller.workspace, caller.participant.id.clone())
}

/// Writes a sign; returns until when it is good enough.
pub fn note(work: &mut Work<'_>, caller: &Caller) -> ygg_store::Result<Timestamp> {
    let policy = work.tx.workspace(caller.workspace)?.map(|home| home.policy).unwrap_or_default();
    work.tx.attend(caller.workspace, &caller.participant.id, work.now)?;
    Ok(work.now.after(policy.attention / PART))
}

/// Until when a live session has the agent's attention; none where none ever gave a sign.
pub fn until(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
) -> ygg_store::Result<Option<Timestamp>> {
    let policy = rows.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
    Ok(rows.attention(workspace, agent)?.map(|at| at.after(policy.attention)))
}
