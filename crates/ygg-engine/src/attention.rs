//! The attention of live sessions: a sign of one is written down, but not each of many that come close together [V2].

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;

use crate::commit::Work;
use crate::{Caller, Credential};

/// Keys remembered at once; with one more all are forgotten, and write a sign more than they need.
const KEYS: usize = 10_000;
/// A sign is written again after this part of the attention that it holds: so much earlier may it be seen to end.
const PART: u32 = 10;

/// When the last sign of each was written, and until when that is good enough.
#[derive(Default)]
pub struct Attention(Mutex<HashMap<Whose, Noted>>);

/// By its key: an agent that is made anew has another.
type Whose = Credential;

#[derive(Debug, Clone, Copy)]
pub struct Noted {
    at: Timestamp,
    until: Timestamp,
}

impl Attention {
    /// Whether a sign of the caller is to be written now.
    pub fn lacks(&self, caller: &Caller, now: Timestamp) -> bool {
        // Also where the clock was set back.
        let is_good = |noted: &Noted| noted.at <= now && now < noted.until;
        caller.is_live() && !self.lock().get(&caller.credential).is_some_and(is_good)
    }

    /// A sign was written, and is durable.
    pub fn noted(&self, caller: &Caller, noted: Option<Noted>) {
        let Some(noted) = noted else { return };
        let mut table = self.lock();
        if table.len() >= KEYS {
            table.clear();
        }
        table.insert(caller.credential, noted);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Whose, Noted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a sign; returns until when it is good enough.
pub fn note(work: &mut Work<'_>, caller: &Caller) -> ygg_store::Result<Noted> {
    let policy = work.tx.workspace(caller.workspace)?.map(|home| home.policy).unwrap_or_default();
    work.tx.attend(caller.workspace, &caller.participant.id, work.now)?;
    Ok(Noted { at: work.now, until: work.now.after(policy.attention / PART) })
}

/// Until when a live session has the agent's attention; none where none ever gave a sign.
pub fn until(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
    now: Timestamp,
) -> ygg_store::Result<Option<Timestamp>> {
    let policy = rows.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
    Ok(rows.attention(workspace, agent)?.and_then(|at| held(at, policy.attention, now)))
}

/// Until when a sign holds the attention. One from farther ahead than it could hold was given before the clock was set
/// back, and holds nothing.
pub fn held(at: Timestamp, span: Duration, now: Timestamp) -> Option<Timestamp> {
    (at <= now.after(span)).then(|| at.after(span))
}
