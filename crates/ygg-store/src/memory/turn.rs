//! Rows of turns.

use std::collections::BTreeMap;

use ygg_domain::change::Turn;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::{Index, insert};
use super::{Space, World};
use crate::Result;
use crate::turn::Turns;

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<TurnId, Row>,
    by_agent: Index<ParticipantId, (i64, TurnId)>,
}

#[derive(Clone)]
struct Row {
    turn: Turn,
    runs: bool,
}

impl Turns for World {
    fn last_served(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
    ) -> Result<Vec<(ParticipantId, Timestamp)>> {
        let mut last: BTreeMap<ParticipantId, Timestamp> = BTreeMap::new();
        let turns = self.space(workspace).turns.rows.values().map(|row| &row.turn);
        for turn in turns.filter(|turn| turn.topic == Some(topic)) {
            let at = last.entry(turn.agent.clone()).or_insert(turn.began_at);
            *at = (*at).max(turn.began_at);
        }
        Ok(last.into_iter().collect())
    }

    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>> {
        let Table { rows, by_agent } = &self.space(workspace).turns;
        let last = by_agent.of(agent).last().and_then(|(_, id)| rows.get(id));
        Ok(last.map(|row| (row.turn.clone(), row.runs)))
    }
}

impl Space {
    pub fn insert_turn(&mut self, seq: i64, turn: &Turn) -> Result<()> {
        let Table { rows, by_agent } = &mut self.turns;
        insert(rows, turn.id, Row { turn: turn.clone(), runs: true }, "turns.id")?;
        by_agent.insert(turn.agent.clone(), (seq, turn.id));
        Ok(())
    }

    /// Whoever gets the agent's id next has had no turn yet.
    pub fn forget_turns(&mut self, agent: &ParticipantId) {
        let of: Vec<(i64, TurnId)> = self.turns.by_agent.of(agent).iter().copied().collect();
        for place in of {
            self.turns.by_agent.remove(agent, &place);
        }
    }

    pub fn end_turn(&mut self, turn: TurnId) {
        if let Some(row) = self.turns.rows.get_mut(&turn) {
            row.runs = false;
        }
    }
}
