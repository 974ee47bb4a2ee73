//! Rows of the audit log.

use std::collections::BTreeMap;

use ygg_domain::audit::Entry;
use ygg_domain::id::AuditId;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::insert;
use super::{Space, World};
use crate::Result;
use crate::audit::{Audits, Kept, Place, Which};

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<AuditId, Kept>,
    same: BTreeMap<String, AuditId>,
}

impl Audits for World {
    fn audit(
        &self,
        workspace: WorkspaceKey,
        which: &Which,
        before: Option<Place>,
        limit: usize,
    ) -> Result<Vec<Kept>> {
        let asked = |kept: &&Kept| {
            which.kind.is_none_or(|kind| kept.entry.kind == kind)
                && which.by.as_ref().is_none_or(|by| kept.entry.by == *by)
                && before.is_none_or(|before| (kept.at, kept.id) < before)
        };
        let rows = self.space(workspace).audit.rows.values();
        let mut found: Vec<Kept> = rows.filter(asked).cloned().collect();
        found.sort_by_key(|kept| std::cmp::Reverse((kept.at, kept.id)));
        found.truncate(limit);
        Ok(found)
    }

    fn kept_at(&self, workspace: WorkspaceKey, same: &str) -> Result<Option<Timestamp>> {
        let Table { rows, same: known } = &*self.space(workspace).audit;
        Ok(known.get(same).and_then(|id| rows.get(id)).map(|kept| kept.at))
    }
}

impl Space {
    pub fn keep_entry(&mut self, id: AuditId, at: Timestamp, entry: &Entry) -> Result<()> {
        let Table { rows, same } = &mut *self.audit;
        let known = entry.same.as_ref().and_then(|what| same.get(what));
        if let Some(kept) = known.and_then(|id| rows.get_mut(id)) {
            (kept.at, kept.times) = (at, kept.times + 1);
            return Ok(());
        }
        let kept = Kept { id, first_at: at, at, times: 1, entry: Entry { same: None, ..entry.clone() } };
        insert(rows, id, kept, "audit.id")?;
        same.extend(entry.same.clone().map(|what| (what, id)));
        Ok(())
    }

    /// What a removed agent was refused stays, and is not the same as what its successor is.
    pub fn part_entries_of(&mut self, by: &ParticipantId) {
        let Table { rows, same } = &mut *self.audit;
        same.retain(|_, id| rows.get(id).is_none_or(|kept| kept.entry.by.as_ref() != Some(by)));
    }
}
