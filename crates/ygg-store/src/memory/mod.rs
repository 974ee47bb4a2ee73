//! The store in memory, for scenarios, tests and simulation: the answers of SQLite, and nothing that outlives the
//! process.

mod account;
mod audit;
mod claim;
mod conversation;
mod credits;
mod cursor;
mod delivery;
mod file;
mod group;
mod invite;
mod key;
mod log;
mod message;
mod notice;
mod outbox;
mod participant;
mod row;
mod search;
mod sent;
mod session;
mod shared;
mod snapshot;
mod task;
mod topic;
mod turn;
mod tx;
mod wake;
mod workspace;

pub use snapshot::{DeliveryRow, Snapshot};

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ygg_domain::claim::Claim;
use ygg_domain::group::Group;
use ygg_domain::id::{AccountId, InviteId, KeyId, SessionId, TurnId};
use ygg_domain::invite::Invite;
use ygg_domain::key::{Key, KeyHash};
use ygg_domain::name::GroupName;
use ygg_domain::session::Session;
use ygg_domain::workspace::{Workspace, WorkspaceKey};

use crate::figures::MetricFamily;
use shared::Shared;

use crate::{Elsewhere, Error, Job, Result, Rows, Store, Within};

/// A job runs at once, in the thread that writes it. Outcomes are told in the order of the writes, one at a time
/// and with nothing held, so `finish` may come back to the store; when two threads write at the same time, or
/// `finish` itself writes, whoever is telling tells for the other too. `run` and `look` must not come back: they
/// hold the store.
///
/// Nothing is undone: a job that fails after it wrote something leaves half a write behind. That is a bug of ours,
/// so the store is broken from then on: every later read and write answers `Error::Closed`. A job that fails
/// before it wrote anything harms nothing.
#[derive(Default)]
pub struct Memory {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    world: World,
    broken: bool,
    /// Jobs that ran and were not told yet, in order.
    ran: VecDeque<(Box<dyn Job>, Result<()>)>,
    /// A thread is telling outcomes.
    telling: bool,
}

impl Memory {
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic under the lock is no trouble of its own: a look changes nothing, and a job broke the store first.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells outcomes until there are none left.
    fn tell(&self) {
        loop {
            // On a line of its own, so that the lock is given back first.
            let next = self.lock().next_outcome();
            let Some((job, outcome)) = next else { return };
            job.finish(outcome);
        }
    }
}

impl Store for Memory {
    fn write(&self, mut job: Box<dyn Job>) {
        let tells = {
            let mut state = self.lock();
            let outcome = state.run(job.as_mut());
            state.ran.push_back((job, outcome));
            !std::mem::replace(&mut state.telling, true)
        };
        if tells {
            self.tell();
        }
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn answers_at_once(&self) -> bool {
        true
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        None
    }

    fn figures(&self) -> Result<Vec<MetricFamily>> {
        Ok(Vec::new())
    }

    fn read(&self, _: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()> {
        let state = self.lock();
        if state.broken { Err(Error::Closed) } else { look(&state.world) }
    }
}

impl State {
    fn run(&mut self, job: &mut dyn Job) -> Result<()> {
        if self.broken {
            return Err(Error::Closed);
        }
        self.world.touched = false;
        // Until the job is through: if it panics, this stays.
        self.broken = true;
        let outcome = job.run(&mut self.world);
        self.broken = outcome.is_err() && self.world.touched;
        outcome
    }

    fn next_outcome(&mut self) -> Option<(Box<dyn Job>, Result<()>)> {
        let next = self.ran.pop_front();
        self.telling = next.is_some();
        next
    }
}

/// Everything stored.
#[derive(Clone, Default)]
struct World {
    workspaces: Shared<BTreeMap<WorkspaceKey, Workspace>>,
    /// Given out so far: the number of a deleted workspace is not used again.
    numbers: i64,
    accounts: Shared<account::Table>,
    claims: BTreeMap<AccountId, Claim>,
    spaces: BTreeMap<WorkspaceKey, Space>,
    /// Keys of all workspaces: a key says itself where it belongs.
    hashes: Shared<HashMap<KeyHash, (WorkspaceKey, KeyId)>>,
    /// Of turns, likewise.
    turn_keys: Shared<HashMap<KeyHash, (WorkspaceKey, TurnId)>>,
    /// What a workspace without rows looks like.
    nothing: Space,
    /// The running job began to write.
    touched: bool,
}

impl World {
    fn space(&self, workspace: WorkspaceKey) -> &Space {
        self.spaces.get(&workspace).unwrap_or(&self.nothing)
    }

    fn space_mut(&mut self, workspace: WorkspaceKey) -> &mut Space {
        self.spaces.entry(workspace).or_default()
    }
}

/// The rows of one workspace [W1].
#[derive(Clone, Default)]
struct Space {
    participants: Shared<participant::Table>,
    groups: Shared<BTreeMap<GroupName, Group>>,
    keys: Shared<BTreeMap<KeyId, Key>>,
    sessions: BTreeMap<SessionId, Session>,
    invites: BTreeMap<InviteId, Invite>,
    conversations: Shared<conversation::Table>,
    topics: Shared<topic::Table>,
    cursors: Shared<cursor::Table>,
    messages: Shared<message::Table>,
    deliveries: Shared<delivery::Table>,
    files: Shared<file::Table>,
    wakes: Shared<wake::Table>,
    notices: Shared<notice::Table>,
    turns: Shared<turn::Table>,
    credits: Shared<credits::Table>,
    tasks: Shared<task::Table>,
    sends: Shared<sent::Table>,
    audit: Shared<audit::Table>,
    outbox: Shared<outbox::Table>,
    log: Shared<log::Table>,
}
