//! Entries of the log: every change, in the order of commit.

use ygg_domain::Change;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_wire::event;

use super::{Space, World};
use crate::Result;
use crate::log::{Log, Logged};

#[derive(Clone, Default)]
pub struct Table {
    /// The entry at `n` has the place `n + 1`.
    entries: Vec<Logged>,
    last: i64,
    /// Nobody will ask what was logged: only how far the log went is kept.
    forgets: bool,
}

impl Table {
    pub fn forget(&mut self) {
        self.entries.clear();
        self.forgets = true;
    }
}

impl Log for World {
    fn last_seq(&self, workspace: WorkspaceKey) -> Result<i64> {
        Ok(self.space(workspace).last_seq())
    }

    fn events(&self, workspace: WorkspaceKey, after: i64, limit: usize) -> Result<Vec<Logged>> {
        let seen = usize::try_from(after).unwrap_or(0);
        Ok(self.space(workspace).log.entries.iter().skip(seen).take(limit).cloned().collect())
    }
}

impl Space {
    pub fn last_seq(&self) -> i64 {
        self.log.last
    }

    pub fn append(&mut self, seq: i64, at: Timestamp, change: &Change) {
        self.log.last = seq;
        if self.log.forgets {
            return;
        }
        let kind = event::kind(change).to_owned();
        let data = event::data(change);
        self.log.entries.push(Logged { seq, at, kind, scope: change.scope(), data });
    }
}
