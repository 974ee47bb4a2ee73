//! Rows of turns.

use std::collections::BTreeMap;

use ygg_domain::change::Turn;
use ygg_domain::id::TurnId;
use ygg_domain::name::ParticipantId;
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

    pub fn end_turn(&mut self, turn: TurnId) {
        if let Some(row) = self.turns.rows.get_mut(&turn) {
            row.runs = false;
        }
    }
}
