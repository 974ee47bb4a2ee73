//! Rows of wakes.

use std::collections::{BTreeMap, BTreeSet};

use ygg_domain::id::{TopicId, TurnId, WakeId};
use ygg_domain::name::ParticipantId;
use ygg_domain::wake::{Wake, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;

use super::row::Index;
use super::{Space, World};
use crate::Result;
use crate::wake::Wakes;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<WakeId, Wake>,
    unanswered: Index<TopicId, WakeId>,
    pending: Index<ParticipantId, WakeId>,
    taken: Index<TurnId, WakeId>,
}

impl Table {
    pub fn get(&self, id: WakeId) -> Option<&Wake> {
        self.rows.get(&id)
    }

    fn named(&self, ids: &BTreeSet<WakeId>) -> Vec<Wake> {
        ids.iter().filter_map(|id| self.get(*id)).cloned().collect()
    }

    fn put(&mut self, wake: Wake) {
        if let Some(topic) = wake.topic.filter(|_| wake.status.is_unanswered()) {
            self.unanswered.insert(topic, wake.id);
        }
        if wake.status == WakeStatus::Pending {
            self.pending.insert(wake.agent.clone(), wake.id);
        }
        if let Some(turn) = wake.turn.filter(|_| wake.status == WakeStatus::Taken) {
            self.taken.insert(turn, wake.id);
        }
        self.rows.insert(wake.id, wake);
    }

    /// Takes the row out, for whoever puts it back changed.
    fn take(&mut self, id: WakeId) -> Option<Wake> {
        let wake = self.rows.remove(&id)?;
        if let Some(topic) = wake.topic {
            self.unanswered.remove(&topic, &id);
        }
        self.pending.remove(&wake.agent, &id);
        if let Some(turn) = wake.turn {
            self.taken.remove(&turn, &id);
        }
        Some(wake)
    }
}

impl Wakes for World {
    fn unanswered_wakes(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Wake>> {
        let wakes = &self.space(workspace).wakes;
        Ok(wakes.named(wakes.unanswered.of(&topic)))
    }

    fn pending_wakes(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Wake>> {
        let wakes = &self.space(workspace).wakes;
        Ok(wakes.named(wakes.pending.of(agent)))
    }

    fn taken_wakes(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Wake>> {
        let wakes = &self.space(workspace).wakes;
        Ok(wakes.named(wakes.taken.of(&turn)))
    }
}

impl Space {
    /// Adds the wake; of one that is there, only what it is ranked by moves [K3].
    pub fn put_wake(&mut self, wake: &Wake) {
        let row = match self.wakes.take(wake.id) {
            None => wake.clone(),
            Some(before) => Wake { operator: wake.operator, origin: wake.origin, ..before },
        };
        self.wakes.put(row);
    }

    pub fn take_wake(&mut self, id: WakeId, turn: TurnId) {
        if let Some(wake) = self.wakes.take(id) {
            self.wakes.put(Wake { status: WakeStatus::Taken, turn: Some(turn), ..wake });
        }
    }

    pub fn end_wake(&mut self, id: WakeId, how: WakeStatus) {
        if let Some(wake) = self.wakes.take(id) {
            self.wakes.put(Wake { status: how, ..wake });
        }
    }
}
