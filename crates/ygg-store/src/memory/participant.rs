//! Rows of participants.

use std::collections::BTreeMap;

use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::participant::Participant;
use ygg_domain::workspace::WorkspaceKey;

use super::row::broken;
use super::{Space, World};
use crate::Result;
use crate::participant::Participants;

#[derive(Clone, Default)]
pub struct Table {
    pub rows: BTreeMap<ParticipantId, Participant>,
    by_handle: BTreeMap<Handle, ParticipantId>,
    /// The place of the log at which whoever has the id now was added.
    came: BTreeMap<ParticipantId, i64>,
}

impl Table {
    pub fn came(&self, id: &ParticipantId) -> i64 {
        self.came.get(id).copied().unwrap_or(0)
    }
}

impl Participants for World {
    fn participant(&self, workspace: WorkspaceKey, id: &ParticipantId) -> Result<Option<Participant>> {
        Ok(self.space(workspace).participants.rows.get(id).cloned())
    }

    fn person_by_handle(&self, workspace: WorkspaceKey, handle: &Handle) -> Result<Option<Participant>> {
        let Table { rows, by_handle, .. } = &*self.space(workspace).participants;
        Ok(by_handle.get(handle).and_then(|id| rows.get(id)).cloned())
    }

    fn participants(&self, workspace: WorkspaceKey) -> Result<Vec<Participant>> {
        Ok(self.space(workspace).participants.rows.values().cloned().collect())
    }

    fn came(&self, workspace: WorkspaceKey, id: &ParticipantId) -> Result<i64> {
        Ok(self.space(workspace).participants.came(id))
    }

    fn agent_count(&self, workspace: WorkspaceKey) -> Result<usize> {
        let rows = self.space(workspace).participants.rows.values();
        Ok(rows.filter(|one| one.id.is_agent() && !one.removed).count())
    }
}

impl Space {
    /// An id that was removed may be taken again.
    pub fn add_participant(&mut self, seq: i64, participant: &Participant) -> Result<()> {
        self.put_participant(participant)?;
        self.participants.came.insert(participant.id.clone(), seq);
        Ok(())
    }

    /// Adds the row or replaces it.
    pub fn put_participant(&mut self, participant: &Participant) -> Result<()> {
        let Table { rows, by_handle, .. } = &mut *self.participants;
        let id = &participant.id;
        let handle = participant.as_person().map(|person| &person.handle);
        if handle.and_then(|handle| by_handle.get(handle)).is_some_and(|holder| holder != id) {
            return Err(broken("participants.handle"));
        }
        let before = rows.insert(id.clone(), participant.clone());
        if let Some(person) = before.as_ref().and_then(Participant::as_person) {
            by_handle.remove(&person.handle);
        }
        if let Some(handle) = handle {
            by_handle.insert(handle.clone(), id.clone());
        }
        Ok(())
    }

    /// A person left: what waited for them waits for nobody, and whoever comes back reads anew.
    pub fn let_go(&mut self, person: &Participant) -> Result<()> {
        self.forget_unread(&person.id);
        self.forget_notices(&person.id);
        self.forget_cursors(&person.id);
        self.delete_outlet(&person.id);
        self.put_participant(person)
    }

    /// Nothing of a removed agent is left to whoever gets its id next [W7].
    pub fn purge(&mut self, participant: &Participant) -> Result<()> {
        let id = &participant.id;
        self.forget_unread(id);
        self.forget_notices(id);
        self.forget_attention(id);
        self.forget_marks(id);
        self.delete_parties_of(id);
        self.delete_tasks_of(id);
        self.purge_files(id);
        self.delete_wallet(id);
        self.part_entries_of(id);
        self.sends.remove(id);
        self.put_participant(participant)
    }

    /// The handle of somebody who has one.
    pub fn handle(&self, id: &ParticipantId) -> Option<String> {
        let person = self.participants.rows.get(id)?.as_person()?;
        Some(person.handle.to_string())
    }
}
