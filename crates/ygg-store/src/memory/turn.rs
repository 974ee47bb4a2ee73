//! Rows of turns, and the attention of live sessions.

use std::collections::BTreeMap;

use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::timer::Worked;
use ygg_domain::turn::{Report, Told, Turn, TurnStatus};
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, broken, insert};
use super::{Space, World};
use crate::Result;
use crate::turn::{DueTurn, Turns, TurnsOf};

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<TurnId, Told>,
    by_agent: Index<ParticipantId, (i64, TurnId)>,
    attention: BTreeMap<ParticipantId, Timestamp>,
}

impl Table {
    /// Begun after that place of the log.
    fn newest(&self, agent: &ParticipantId, after: i64) -> Option<&Told> {
        let newest = self.by_agent.of(agent).last().and_then(|(_, id)| self.rows.get(id));
        newest.filter(|told| told.seq > after)
    }

    /// In order of making.
    pub fn all(&self) -> Vec<&Told> {
        let mut rows: Vec<&Told> = self.rows.values().collect();
        rows.sort_by_key(|told| told.seq);
        rows
    }

    fn running(&self) -> impl Iterator<Item = &Turn> {
        self.rows.values().filter(|told| told.status == TurnStatus::Running).map(|told| &told.turn)
    }
}

impl Turns for World {
    fn last_served(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
    ) -> Result<Vec<(ParticipantId, Timestamp)>> {
        let mut last: BTreeMap<ParticipantId, Timestamp> = BTreeMap::new();
        let turns = self.space(workspace).turns.rows.values().map(|told| &told.turn);
        for turn in turns.filter(|turn| turn.topic == Some(topic)) {
            let at = last.entry(turn.agent.clone()).or_insert(turn.began_at);
            *at = (*at).max(turn.began_at);
        }
        Ok(last.into_iter().collect())
    }

    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>> {
        let space = self.space(workspace);
        let last = space.turns.newest(agent, space.participants.came(agent));
        Ok(last.map(|told| (told.turn.clone(), told.status == TurnStatus::Running)))
    }

    fn turn(&self, workspace: WorkspaceKey, id: TurnId) -> Result<Option<Told>> {
        Ok(self.space(workspace).turns.rows.get(&id).cloned())
    }

    fn turn_by_key(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Told)>> {
        let Some((workspace, id)) = self.turn_keys.get(hash) else { return Ok(None) };
        Ok(self.turn(*workspace, *id)?.map(|told| (*workspace, told)))
    }

    fn turns(&self, workspace: WorkspaceKey, of: &TurnsOf, before: i64, limit: usize) -> Result<Vec<Told>> {
        let is_of = |told: &Told| match of {
            TurnsOf::Agent(agent, after) => told.turn.agent == *agent && told.seq > *after,
            TurnsOf::Topic(topic) => told.turn.topic == Some(*topic),
        };
        let rows = self.space(workspace).turns.all().into_iter().rev();
        let found = rows.filter(|told| told.seq < before && is_of(told)).take(limit);
        Ok(found.cloned().collect())
    }

    fn newest_turns(&self, workspace: WorkspaceKey) -> Result<Vec<Told>> {
        let space = self.space(workspace);
        let here = space.participants.rows.values().filter(|one| !one.removed).map(|one| &one.id);
        let newest = here.filter_map(|agent| space.turns.newest(agent, space.participants.came(agent)));
        Ok(newest.cloned().collect())
    }

    fn due_turns(&self, by: Timestamp, limit: usize) -> Result<Vec<DueTurn>> {
        let mut due: Vec<DueTurn> = Vec::new();
        for (workspace, space) in &self.spaces {
            let running = space.turns.running().filter(|turn| turn.due <= by);
            due.extend(running.map(|turn| DueTurn { workspace: *workspace, turn: turn.id, at: turn.due }));
        }
        due.sort_by_key(|due| (due.at, due.workspace, due.turn));
        due.truncate(limit);
        Ok(due)
    }

    fn next_due_turn(&self) -> Result<Option<Timestamp>> {
        Ok(self.spaces.values().flat_map(|space| space.turns.running()).map(|turn| turn.due).min())
    }

    fn worked(&self, workspace: WorkspaceKey, topic: TopicId, since: Timestamp) -> Result<Vec<Worked>> {
        let rows = self.space(workspace).turns.all().into_iter();
        let over = rows.filter(|told| told.turn.topic == Some(topic) && told.turn.taker.is_supervised());
        let mut worked: Vec<Worked> = over
            .filter(|told| told.ended_at.is_none_or(|ended| ended >= since))
            .map(|told| Worked {
                agent: told.turn.agent.clone(),
                from: told.turn.began_at,
                to: told.ended_at,
            })
            .collect();
        worked.sort_by(|one, other| (&one.agent, one.from).cmp(&(&other.agent, other.from)));
        Ok(worked)
    }

    fn attention(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<Timestamp>> {
        Ok(self.space(workspace).turns.attention.get(agent).copied())
    }

    fn attentions(&self, workspace: WorkspaceKey) -> Result<Vec<(ParticipantId, Timestamp)>> {
        let attention = &self.space(workspace).turns.attention;
        Ok(attention.iter().map(|(agent, at)| (agent.clone(), *at)).collect())
    }
}

impl World {
    pub fn insert_turn(&mut self, workspace: WorkspaceKey, seq: i64, turn: &Turn) -> Result<()> {
        if turn.key.is_some_and(|key| self.turn_keys.contains_key(&key)) {
            return Err(broken("turns.key_hash"));
        }
        let (status, report) = (TurnStatus::Running, Report::default());
        let told = Told { seq, turn: turn.clone(), status, ended_at: None, silent: false, report };
        let Table { rows, by_agent, .. } = &mut *self.space_mut(workspace).turns;
        insert(rows, turn.id, told, "turns.id")?;
        by_agent.insert(turn.agent.clone(), (seq, turn.id));
        if let Some(key) = turn.key {
            self.turn_keys.insert(key, (workspace, turn.id));
        }
        Ok(())
    }
}

impl Space {
    pub fn forget_attention(&mut self, agent: &ParticipantId) {
        self.turns.attention.remove(agent);
    }

    pub fn end_turn(&mut self, turn: &Turn, status: TurnStatus, silent: bool, at: Timestamp) {
        let running = self.turns.rows.get_mut(&turn.id).filter(|told| told.status == TurnStatus::Running);
        if let Some(told) = running {
            (told.status, told.silent, told.ended_at) = (status, silent, Some(at));
        }
        if turn.taker.is_supervised() && status == TurnStatus::Gone {
            self.forget_handed(turn.id);
        }
    }

    pub fn write_turn_due(&mut self, turn: TurnId, due: Timestamp) {
        if let Some(told) = self.turns.rows.get_mut(&turn) {
            told.turn.due = due;
        }
    }

    pub fn report_turn(&mut self, turn: TurnId, report: &Report) {
        if let Some(told) = self.turns.rows.get_mut(&turn) {
            told.report = report.clone();
        }
    }

    pub fn put_attention(&mut self, agent: &ParticipantId, at: Timestamp) {
        self.turns.attention.insert(agent.clone(), at);
    }
}
