//! Facts in, changes out: the store behind the engine, on SQLite, on PostgreSQL or in memory.
//!
//! It holds shape, not rules. Reads are small questions about one workspace, a trait per noun; writes are the
//! changes that the domain decided, each with its entry in the event log, in one transaction. Nothing here
//! decides, and nothing outside the engine calls it.

mod error;
pub use error::Error;

pub mod account;
pub mod audit;
pub mod claim;
pub mod conversation;
pub mod credits;
pub mod cursor;
pub mod delivery;
pub mod file;
pub mod group;
pub mod invite;
pub mod key;
pub mod log;
pub mod message;
pub mod notice;
pub mod outbox;
pub mod participant;
pub mod search;
pub mod sent;
pub mod session;
pub mod task;
pub mod topic;
pub mod turn;
pub mod wake;
pub mod workspace;

pub mod figures;
pub mod memory;
pub mod postgres;
mod readers;
mod sql;
pub mod sqlite;
#[cfg(feature = "statements")]
pub mod statements;
mod writer;

use figures::MetricFamily;
use ygg_domain::Change;
use ygg_domain::account::Account;
use ygg_domain::audit::Entry;
use ygg_domain::claim::Claim;
use ygg_domain::file::File;
use ygg_domain::id::{AccountId, AuditId, FileId, OutgoingId, TopicId, TurnId};
use ygg_domain::name::{ParticipantId, Slug};
use ygg_domain::notification::outbox::Act;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

pub type Result<T> = std::result::Result<T, Error>;

/// Everything that may be asked. Every question but the first few names its workspace [W1].
pub trait Rows:
    workspace::Workspaces
    + account::Accounts
    + claim::Claims
    + participant::Participants
    + group::Groups
    + key::Keys
    + session::Sessions
    + invite::Invites
    + conversation::Conversations
    + topic::Topics
    + cursor::Cursors
    + message::Messages
    + delivery::Deliveries
    + wake::Wakes
    + notice::Notices
    + turn::Turns
    + credits::Credits
    + task::Tasks
    + sent::Sends
    + audit::Audits
    + outbox::Outbox
    + log::Log
    + file::Files
    + search::Search
{
}

impl<T> Rows for T where
    T: workspace::Workspaces
        + account::Accounts
        + claim::Claims
        + participant::Participants
        + group::Groups
        + key::Keys
        + session::Sessions
        + invite::Invites
        + conversation::Conversations
        + topic::Topics
        + cursor::Cursors
        + message::Messages
        + delivery::Deliveries
        + wake::Wakes
        + notice::Notices
        + turn::Turns
        + credits::Credits
        + task::Tasks
        + sent::Sends
        + audit::Audits
        + outbox::Outbox
        + log::Log
        + file::Files
        + search::Search
{
}

/// One open transaction: questions see what it wrote so far.
pub trait Tx: Rows {
    /// Its number is a fresh one, even after others were deleted.
    fn create_workspace(&mut self, slug: &Slug, policy: &Policy, at: Timestamp) -> Result<WorkspaceKey>;

    /// Deletes every row of a workspace; later changes to it fail with `NoWorkspace`.
    fn delete_workspace(&mut self, workspace: WorkspaceKey) -> Result<()>;

    /// Adds the account, or sets the password of one that is there. The server's own: no workspace's log tells of it.
    fn put_account(&mut self, account: &Account) -> Result<()>;

    /// In place of the claim that the account may have. The server's own, as accounts are.
    fn put_claim(&mut self, claim: &Claim) -> Result<()>;

    fn delete_claim(&mut self, account: AccountId) -> Result<()>;

    /// Writes changes in order, each with its event; returns the last event's place in the workspace's log.
    fn apply(&mut self, workspace: WorkspaceKey, at: Timestamp, changes: &[Change]) -> Result<i64>;

    /// Sets when the topic's timers are to be looked at; writes no event.
    fn set_due(&mut self, workspace: WorkspaceKey, topic: TopicId, due: Option<Timestamp>) -> Result<()>;

    /// Sets when a running turn is to be looked at: its lease or attention goes on; writes no event.
    fn set_turn_due(&mut self, workspace: WorkspaceKey, turn: TurnId, due: Timestamp) -> Result<()>;

    /// Notes a sign of a live session of the agent, unless a later one is known; writes no event [V2].
    fn attend(&mut self, workspace: WorkspaceKey, agent: &ParticipantId, at: Timestamp) -> Result<()>;

    /// Keeps what was told under a sender's key; writes no event [M8].
    fn remember_send(&mut self, workspace: WorkspaceKey, send: &sent::Remembered<'_>) -> Result<()>;

    /// Keeps an act in the audit log; writes no event: the log of events is not to be filled by what is refused.
    fn keep_entry(
        &mut self,
        workspace: WorkspaceKey,
        id: AuditId,
        at: Timestamp,
        entry: &Entry,
    ) -> Result<()>;

    /// Moves a message to a person outside of Ygg; writes no event: how it goes is shown to its owner alone.
    fn do_with_outbox(&mut self, workspace: WorkspaceKey, act: &Act) -> Result<()>;

    /// Takes up a message that is due, if nobody else did, until then; the number of this attempt.
    fn take_up(
        &mut self,
        workspace: WorkspaceKey,
        id: OutgoingId,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>>;

    /// Notes that a key was used; writes no event.
    fn touch_key(&mut self, workspace: WorkspaceKey, key: ygg_domain::id::KeyId, at: Timestamp)
    -> Result<()>;

    /// Keeps a file and what is in it, or counts the time of one that is there anew; writes no event: only its uploader knows of it.
    fn keep_file(&mut self, workspace: WorkspaceKey, file: &File, content: &[u8]) -> Result<()>;

    /// Deletes a file, unless a message carries it by now; writes no event.
    fn drop_loose_file(&mut self, workspace: WorkspaceKey, file: FileId) -> Result<()>;

    /// Notes that a session was used, and its new secret where it has one; writes no event.
    fn renew_session(&mut self, workspace: WorkspaceKey, renewal: &session::Renewal) -> Result<()>;
}

/// Whose rows a transaction is about. A second wall where the database has one; never less than what it asks [O2].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Within {
    /// The server itself: keys looked up, accounts, workspaces made and listed.
    Server,
    Workspace(WorkspaceKey),
}

impl From<WorkspaceKey> for Within {
    fn from(key: WorkspaceKey) -> Self {
        Self::Workspace(key)
    }
}

/// One write. `run` may be called again after a failure elsewhere in its batch, so it starts afresh each time;
/// `finish` is called once, after the commit or the final failure.
pub trait Job: Send {
    /// All that it writes to.
    fn within(&self) -> &[Within];
    fn run(&mut self, tx: &mut dyn Tx) -> Result<()>;
    fn finish(self: Box<Self>, outcome: Result<()>);
}

/// A database that other nodes write to as well: what they wrote has to be asked for [O5].
pub trait Elsewhere {
    /// Where the logs of these workspaces end, those that are deleted left out. One statement for all.
    fn ends_of_logs(&self, of: &[WorkspaceKey]) -> Result<Vec<(WorkspaceKey, i64)>>;
}

pub trait Store: Send + Sync {
    /// Queues a write. Writes that arrive together share a commit; `finish` tells when it is durable.
    fn write(&self, job: Box<dyn Job>);

    /// Whether a point read is answered within microseconds, so that asking one need not leave an async thread.
    fn is_embedded(&self) -> bool;

    /// Whether a look never waits, so that it needs no thread of its own.
    fn answers_at_once(&self) -> bool {
        false
    }

    /// What to ask about other nodes; None where nobody else writes.
    fn elsewhere(&self) -> Option<&dyn Elsewhere>;

    /// What the store counts of itself. May ask the database, so it blocks.
    fn figures(&self) -> Result<Vec<MetricFamily>>;

    /// Looks at one consistent state. Blocks for as long as the questions take.
    fn read(&self, within: Within, look: &mut dyn FnMut(&dyn Rows) -> Result<()>) -> Result<()>;
}
