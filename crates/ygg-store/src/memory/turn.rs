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
    rows: BTreeMap<TurnId, Row>,
    by_agent: Index<ParticipantId, (i64, TurnId)>,
    attention: BTreeMap<ParticipantId, Timestamp>,
}

#[derive(Clone)]
struct Row {
    seq: i64,
    told: Told,
}

impl Table {
    fn newest(&self, agent: &ParticipantId) -> Option<&Told> {
        let turns = self.by_agent.of(agent).iter().rev().filter_map(|(_, id)| self.rows.get(id));
        turns.map(|row| &row.told).find(|told| told.status != TurnStatus::Gone)
    }

    /// In order of making.
    fn all(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.values().collect();
        rows.sort_by_key(|row| row.seq);
        rows
    }

    fn running(&self) -> impl Iterator<Item = &Turn> {
        self.rows.values().filter(|row| row.told.status == TurnStatus::Running).map(|row| &row.told.turn)
    }
}

impl Turns for World {
    fn last_served(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
    ) -> Result<Vec<(ParticipantId, Timestamp)>> {
        let mut last: BTreeMap<ParticipantId, Timestamp> = BTreeMap::new();
        let turns = self.space(workspace).turns.rows.values().map(|row| &row.told.turn);
        for turn in turns.filter(|turn| turn.topic == Some(topic)) {
            let at = last.entry(turn.agent.clone()).or_insert(turn.began_at);
            *at = (*at).max(turn.began_at);
        }
        Ok(last.into_iter().collect())
    }

    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>> {
        let last = self.space(workspace).turns.newest(agent);
        Ok(last.map(|told| (told.turn.clone(), told.status == TurnStatus::Running)))
    }

    fn turn(&self, workspace: WorkspaceKey, id: TurnId) -> Result<Option<Told>> {
        Ok(self.space(workspace).turns.rows.get(&id).map(|row| row.told.clone()))
    }

    fn turn_by_key(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Told)>> {
        let Some((workspace, id)) = self.turn_keys.get(hash) else { return Ok(None) };
        Ok(self.turn(*workspace, *id)?.map(|told| (*workspace, told)))
    }

    fn turns(
        &self,
        workspace: WorkspaceKey,
        of: &TurnsOf,
        before: i64,
        limit: usize,
    ) -> Result<Vec<(i64, Told)>> {
        let is_of = |told: &Told| match of {
            TurnsOf::Agent(agent) => told.turn.agent == *agent && told.status != TurnStatus::Gone,
            TurnsOf::Topic(topic) => told.turn.topic == Some(*topic),
        };
        let rows = self.space(workspace).turns.all().into_iter().rev();
        let found = rows.filter(|row| row.seq < before && is_of(&row.told)).take(limit);
        Ok(found.map(|row| (row.seq, row.told.clone())).collect())
    }

    fn newest_turns(&self, workspace: WorkspaceKey) -> Result<Vec<Told>> {
        let space = self.space(workspace);
        let newest = space.participants.rows.keys().filter_map(|agent| space.turns.newest(agent));
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
        let rows = self.space(workspace).turns.all().into_iter().map(|row| &row.told);
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
        let told = Told { turn: turn.clone(), status, ended_at: None, silent: false, report };
        let Table { rows, by_agent, .. } = &mut self.space_mut(workspace).turns;
        insert(rows, turn.id, Row { seq, told }, "turns.id")?;
        by_agent.insert(turn.agent.clone(), (seq, turn.id));
        if let Some(key) = turn.key {
            self.turn_keys.insert(key, (workspace, turn.id));
        }
        Ok(())
    }
}

impl Space {
    /// Whoever gets the agent's id next has had no turn yet.
    pub fn forget_turns(&mut self, agent: &ParticipantId) {
        let of: Vec<(i64, TurnId)> = self.turns.by_agent.of(agent).iter().copied().collect();
        for place in of {
            self.turns.by_agent.remove(agent, &place);
            if let Some(row) = self.turns.rows.get_mut(&place.1) {
                row.told.status = TurnStatus::Gone;
            }
        }
        self.turns.attention.remove(agent);
    }

    pub fn end_turn(&mut self, turn: &Turn, status: TurnStatus, silent: bool, at: Timestamp) {
        let row = self.turns.rows.get_mut(&turn.id);
        if let Some(row) = row.filter(|row| row.told.status == TurnStatus::Running) {
            (row.told.status, row.told.silent, row.told.ended_at) = (status, silent, Some(at));
        }
        if turn.taker.is_supervised() && status == TurnStatus::Gone {
            self.forget_handed(turn.id);
        }
    }

    pub fn write_turn_due(&mut self, turn: TurnId, due: Timestamp) {
        if let Some(row) = self.turns.rows.get_mut(&turn) {
            row.told.turn.due = due;
        }
    }

    pub fn report_turn(&mut self, turn: TurnId, report: &Report) {
        if let Some(row) = self.turns.rows.get_mut(&turn) {
            row.told.report = report.clone();
        }
    }

    pub fn put_attention(&mut self, agent: &ParticipantId, at: Timestamp) {
        let known = self.turns.attention.entry(agent.clone()).or_insert(at);
        *known = (*known).max(at);
    }
}
