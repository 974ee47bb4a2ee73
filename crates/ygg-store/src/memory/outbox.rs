//! Rows of outlets and what goes out by them.

use std::collections::BTreeMap;

use ygg_domain::id::{NoticeId, OutgoingId};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::Notice;
use ygg_domain::notification::Outlet;
use ygg_domain::notification::outbox::{Act, Outgoing, Step};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::insert;
use super::{Space, World};
use crate::Result;
use crate::outbox::{Outbox, Told};

#[derive(Clone, Default)]
pub struct Table {
    /// With the place up to which notices were looked at.
    outlets: BTreeMap<ParticipantId, (Outlet, i64)>,
    rows: BTreeMap<OutgoingId, Outgoing>,
}

impl Outbox for World {
    fn told(&self) -> Result<Vec<Told>> {
        let told = self.spaces.iter().flat_map(|(workspace, space)| {
            let last_seq = space.last_seq();
            let people = space.outbox.outlets.keys().cloned();
            people.map(move |person| Told { workspace: *workspace, person, last_seq })
        });
        Ok(told.collect())
    }

    fn outlet(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Option<(Outlet, i64)>> {
        Ok(self.space(workspace).outbox.outlets.get(person).cloned())
    }

    fn outbox(&self, workspace: WorkspaceKey, person: &ParticipantId) -> Result<Vec<Outgoing>> {
        let rows = self.space(workspace).outbox.rows.values();
        Ok(rows.filter(|row| row.person == *person).cloned().collect())
    }

    fn outgoing(&self, workspace: WorkspaceKey, id: OutgoingId) -> Result<Option<Outgoing>> {
        Ok(self.space(workspace).outbox.rows.get(&id).cloned())
    }

    fn due_outgoing(&self, by: Timestamp, limit: usize) -> Result<Vec<(WorkspaceKey, OutgoingId)>> {
        let mut found: Vec<(Timestamp, WorkspaceKey, OutgoingId)> = Vec::new();
        for (workspace, space) in &self.spaces {
            let due = space.outbox.rows.values().filter_map(|row| Some((row.due_at?, *workspace, row.id)));
            found.extend(due.filter(|(due, ..)| *due <= by));
        }
        found.sort();
        Ok(found.into_iter().take(limit).map(|(_, workspace, id)| (workspace, id)).collect())
    }

    fn notices_after(
        &self,
        workspace: WorkspaceKey,
        recipient: &ParticipantId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<(i64, Notice)>> {
        let waiting = self.space(workspace).pending_notices_of(recipient);
        Ok(waiting.filter(|(seq, _)| *seq > after).take(limit).collect())
    }

    fn is_to_be_read(&self, workspace: WorkspaceKey, notice: NoticeId) -> Result<bool> {
        Ok(self.space(workspace).is_notice_pending(notice))
    }
}

impl Space {
    pub fn put_outlet(&mut self, seq: i64, outlet: &Outlet) {
        let known = self.outbox.outlets.get(&outlet.person).map(|(_, seen)| *seen);
        self.outbox.outlets.insert(outlet.person.clone(), (outlet.clone(), known.unwrap_or(seq)));
    }

    pub fn delete_outlet(&mut self, person: &ParticipantId) {
        self.outbox.outlets.remove(person);
        self.outbox.rows.retain(|_, row| row.person != *person);
    }

    pub fn do_with_outbox(&mut self, act: &Act) -> Result<()> {
        let Table { outlets, rows } = &mut *self.outbox;
        let waiting = |row: &&mut Outgoing| row.step == Step::Waiting;
        match act {
            Act::Add(row) => {
                let same = |other: &Outgoing| {
                    other.person == row.person && other.item.key == row.item.key && other.round == row.round
                };
                if !rows.values().any(same) {
                    insert(rows, row.id, row.as_ref().clone(), "outbox.id")?;
                }
            }
            Act::Withdraw(id) => {
                if let Some(row) = rows.get_mut(id).filter(waiting) {
                    (row.step, row.due_at) = (Step::Over, None);
                }
            }
            Act::Forget(id) => drop(rows.remove(id)),
            Act::Postpone(id, until) => {
                if let Some(row) = rows.get_mut(id).filter(waiting) {
                    row.due_at = Some(*until);
                }
            }
            Act::Settle { id, attempt, step, due_at, trouble } => {
                if let Some(row) = rows.get_mut(id).filter(waiting).filter(|row| row.attempts == *attempt) {
                    (row.step, row.due_at) = (*step, *due_at);
                    row.trouble.clone_from(trouble);
                }
            }
            Act::Seen(person, seq) => {
                if let Some((_, seen)) = outlets.get_mut(person) {
                    *seen = (*seen).max(*seq);
                }
            }
        }
        Ok(())
    }

    pub fn take_up(&mut self, id: OutgoingId, now: Timestamp, until: Timestamp) -> Option<u32> {
        let row = self.outbox.rows.get_mut(&id)?;
        let is_due = row.step == Step::Waiting && row.due_at.is_some_and(|due| due <= now);
        is_due.then(|| {
            row.attempts += 1;
            row.due_at = Some(until);
            row.attempts
        })
    }
}
