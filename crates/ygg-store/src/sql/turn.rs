//! Rows of `turns`.

use ygg_domain::change::Turn;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, params};
use crate::Result;
use crate::turn::Turns;

impl<C: Conn> Turns for Db<C> {
    fn last_served(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
    ) -> Result<Vec<(ParticipantId, Timestamp)>> {
        self.many(
            "SELECT agent, max(began_at) FROM turns WHERE workspace = ?1 AND topic = ?2 GROUP BY agent ORDER BY agent",
            params![workspace.0, topic],
            |row| Ok((row.parsed(0, "participant id")?, row.at(1)?)),
        )
    }

    fn last_turn(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<(Turn, bool)>> {
        self.one(
            "SELECT id, agent, topic, began_at, ended_at FROM turns WHERE workspace = ?1 AND agent = ?2
               AND status <> 'gone' ORDER BY seq DESC LIMIT 1",
            params![workspace.0, agent.as_str()],
            |row| {
                let turn = Turn {
                    id: row.parsed(0, "turn id")?,
                    agent: row.parsed(1, "participant id")?,
                    topic: row.parsed_if(2, "topic id")?,
                    began_at: row.at(3)?,
                };
                Ok((turn, row.at_if(4)?.is_none()))
            },
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_turn(&self, workspace: WorkspaceKey, seq: i64, turn: &Turn) -> Result<()> {
        self.run(
            "INSERT INTO turns (workspace, id, seq, agent, taker, topic, status, began_at)
             VALUES (?1, ?2, ?6, ?3, 'live', ?4, 'running', ?5)",
            params![workspace.0, turn.id, turn.agent.as_str(), turn.topic, turn.began_at.0, seq,],
        )?;
        Ok(())
    }

    pub fn end_turn(&self, workspace: WorkspaceKey, turn: TurnId, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE turns SET status = 'ended', ended_at = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, turn, at.0],
        )?;
        Ok(())
    }
}
