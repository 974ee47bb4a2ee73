//! Rows of wakes.

use std::collections::{BTreeMap, BTreeSet};

use ygg_domain::id::{MessageId, TopicId, TurnId, WakeId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::turn::retry::is_given_up;
use ygg_domain::wake::{Wake, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;

use super::row::Index;
use super::{Space, World};
use crate::Result;
use crate::turn::Turns;
use crate::wake::Wakes;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<WakeId, Row>,
    unanswered: Index<TopicId, Place>,
    pending: Index<ParticipantId, Place>,
    taken: Index<TurnId, Place>,
}

/// A wake behind the place in the log where it was made: what wakes are ordered by.
type Place = (i64, WakeId);

#[derive(Clone)]
struct Row {
    seq: i64,
    wake: Wake,
}

impl Table {
    pub fn get(&self, id: WakeId) -> Option<&Wake> {
        self.rows.get(&id).map(|row| &row.wake)
    }

    /// All there ever were, in order of making.
    pub fn all(&self) -> Vec<&Wake> {
        let mut rows: Vec<&Row> = self.rows.values().collect();
        rows.sort_by_key(|row| (row.seq, row.wake.id));
        rows.into_iter().map(|row| &row.wake).collect()
    }

    fn named(&self, places: &BTreeSet<Place>) -> Vec<Wake> {
        places.iter().filter_map(|(_, id)| self.get(*id)).cloned().collect()
    }

    fn put(&mut self, seq: i64, wake: Wake) {
        let place = (seq, wake.id);
        if let Some(topic) = wake.topic.filter(|_| wake.status.is_unanswered()) {
            self.unanswered.insert(topic, place);
        }
        if wake.status == WakeStatus::Pending {
            self.pending.insert(wake.agent.clone(), place);
        }
        if let Some(turn) = wake.turn.filter(|_| wake.status == WakeStatus::Taken) {
            self.taken.insert(turn, place);
        }
        self.rows.insert(wake.id, Row { seq, wake });
    }

    /// Takes the row out, for whoever puts it back changed.
    fn take(&mut self, id: WakeId) -> Option<Row> {
        let row = self.rows.remove(&id)?;
        let (place, wake) = ((row.seq, id), &row.wake);
        if let Some(topic) = wake.topic {
            self.unanswered.remove(&topic, &place);
        }
        self.pending.remove(&wake.agent, &place);
        if let Some(turn) = wake.turn {
            self.taken.remove(&turn, &place);
        }
        Some(row)
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

    fn is_wanted_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool> {
        let last = self.last_turn(workspace, agent)?.map(|(turn, _)| turn.id);
        let taken = match last {
            Some(turn) => self.taken_wakes(workspace, turn)?,
            None => Vec::new(),
        };
        let pending = self.pending_wakes(workspace, agent)?;
        let taken = taken.iter().filter(|wake| wake.agent == *agent);
        Ok(pending.iter().chain(taken).any(|wake| wake.topic != Some(topic)))
    }

    fn loose_wakes(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Wake>> {
        let pending = self.pending_wakes(workspace, agent)?;
        Ok(pending.into_iter().filter(|wake| wake.topic.is_none()).collect())
    }

    fn failing_agents(&self, workspace: WorkspaceKey) -> Result<Vec<ParticipantId>> {
        let wakes = self.space(workspace).wakes.rows.values().map(|row| &row.wake);
        let given_up = wakes.filter(|wake| wake.status == WakeStatus::Pending && is_given_up(wake));
        let agents: BTreeSet<&ParticipantId> = given_up.map(|wake| &wake.agent).collect();
        Ok(agents.into_iter().cloned().collect())
    }

    fn wakes_of(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Wake>> {
        let space = self.space(workspace);
        Ok(space.carriers(message).filter_map(|id| space.wakes.get(id)).cloned().collect())
    }

    fn pending_everywhere(&self) -> Result<(i64, Option<Timestamp>)> {
        let wakes = self.spaces.values().flat_map(|space| space.wakes.rows.values().map(|row| &row.wake));
        let made = wakes.filter(|wake| wake.status == WakeStatus::Pending).map(|wake| wake.made_at);
        Ok((made.clone().count() as i64, made.min()))
    }
}

impl Space {
    /// Adds the wake; of one that is there, only what it is ranked by moves [K3].
    pub fn put_wake(&mut self, seq: i64, wake: &Wake) {
        match self.wakes.take(wake.id) {
            None => self.wakes.put(seq, wake.clone()),
            Some(Row { seq, wake: before }) => {
                let Wake { operator, origin, failed, not_before, handed_on, .. } = *wake;
                self.wakes.put(seq, Wake { operator, origin, failed, not_before, handed_on, ..before });
            }
        }
    }

    pub fn take_wake(&mut self, id: WakeId, turn: TurnId) {
        if let Some(Row { seq, wake }) = self.wakes.take(id) {
            self.wakes.put(seq, Wake { status: WakeStatus::Taken, turn: Some(turn), ..wake });
        }
    }

    pub fn return_wake(&mut self, back: &Wake) {
        if let Some(Row { seq, wake }) = self.wakes.take(back.id) {
            let (failed, not_before) = (back.failed, back.not_before);
            let status = WakeStatus::Pending;
            self.wakes.put(seq, Wake { status, turn: None, failed, not_before, ..wake });
        }
    }

    pub fn end_wake(&mut self, id: WakeId, how: WakeStatus) {
        if let Some(Row { seq, wake }) = self.wakes.take(id) {
            self.wakes.put(seq, Wake { status: how, ..wake });
        }
    }
}
