//! Rows of `turns` and `attention`.

use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::timer::Worked;
use ygg_domain::turn::{Report, Taker, Told, Turn, TurnStatus};
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::Result;
use crate::turn::{DueTurn, Turns, TurnsOf};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT t.id, t.agent, t.taker, t.topic, t.conversation, t.began_at, t.due_at, t.key_hash, t.status,
                    t.ended_at, t.silent, t.exit_code, t.usd_micros, t.tokens, t.problem, t.seq, t.workspace FROM turns t ",
            $rest
        )
    };
}

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
        let last = select!(
            "WHERE t.workspace = ?1 AND t.agent = ?2
               AND t.seq > (SELECT p.came_seq FROM participants p WHERE p.workspace = ?1 AND p.id = ?2)
             ORDER BY t.seq DESC LIMIT 1"
        );
        let told = self.one(last, params![workspace.0, agent.as_str()], read)?;
        Ok(told.map(|told| (told.turn, told.status == TurnStatus::Running)))
    }

    fn turn(&self, workspace: WorkspaceKey, id: TurnId) -> Result<Option<Told>> {
        self.one(select!("WHERE t.workspace = ?1 AND t.id = ?2"), params![workspace.0, id], read)
    }

    fn turn_by_key(&self, hash: &KeyHash) -> Result<Option<(WorkspaceKey, Told)>> {
        self.one(select!("WHERE t.key_hash = ?1"), params![&hash.0], |row| {
            Ok((WorkspaceKey(row.get(16)?), read(row)?))
        })
    }

    fn turns(&self, workspace: WorkspaceKey, of: &TurnsOf, before: i64, rows: usize) -> Result<Vec<Told>> {
        match of {
            TurnsOf::Agent(agent, after) => self.many(
                select!(
                    "WHERE t.workspace = ?1 AND t.agent = ?2 AND t.seq < ?3 AND t.seq > ?5
                     ORDER BY t.seq DESC LIMIT ?4"
                ),
                params![workspace.0, agent.as_str(), before, limit(rows), *after],
                read,
            ),
            TurnsOf::Topic(topic) => self.many(
                select!(
                    "WHERE t.workspace = ?1 AND t.topic = ?2 AND t.seq < ?3 ORDER BY t.seq DESC LIMIT ?4"
                ),
                params![workspace.0, *topic, before, limit(rows)],
                read,
            ),
        }
    }

    fn newest_turns(&self, workspace: WorkspaceKey) -> Result<Vec<Told>> {
        self.many(
            select!(
                "JOIN participants p ON p.workspace = t.workspace AND p.id = t.agent
                 WHERE p.workspace = ?1 AND p.removed = 0 AND t.seq > p.came_seq AND t.seq = (
                     SELECT max(n.seq) FROM turns n WHERE n.workspace = p.workspace AND n.agent = p.id)
                 ORDER BY t.agent"
            ),
            params![workspace.0],
            read,
        )
    }

    fn due_turns(&self, by: Timestamp, rows: usize) -> Result<Vec<DueTurn>> {
        self.many(
            "SELECT workspace, id, due_at FROM turns WHERE status = 'running' AND due_at <= ?1
             ORDER BY due_at, workspace, id LIMIT ?2",
            params![by.0, limit(rows)],
            |row| {
                let workspace = WorkspaceKey(row.get(0)?);
                Ok(DueTurn { workspace, turn: row.parsed(1, "turn id")?, at: row.at(2)? })
            },
        )
    }

    fn next_due_turn(&self) -> Result<Option<Timestamp>> {
        self.one(
            "SELECT due_at FROM turns WHERE status = 'running' ORDER BY due_at LIMIT 1",
            params![],
            |row| row.at(0),
        )
    }

    fn worked(&self, workspace: WorkspaceKey, topic: TopicId, since: Timestamp) -> Result<Vec<Worked>> {
        self.many(
            "SELECT agent, began_at, ended_at FROM turns WHERE workspace = ?1 AND topic = ?2 AND taker <> 'live'
               AND (ended_at IS NULL OR ended_at >= ?3) ORDER BY agent, began_at, seq",
            params![workspace.0, topic, since.0],
            |row| {
                Ok(Worked {
                    agent: row.parsed(0, "participant id")?,
                    from: row.at(1)?,
                    to: row.at_if(2)?,
                })
            },
        )
    }

    fn attention(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Option<Timestamp>> {
        self.one(
            "SELECT at FROM attention WHERE workspace = ?1 AND agent = ?2",
            params![workspace.0, agent.as_str()],
            |row| row.at(0),
        )
    }

    fn attentions(&self, workspace: WorkspaceKey) -> Result<Vec<(ParticipantId, Timestamp)>> {
        self.many(
            "SELECT agent, at FROM attention WHERE workspace = ?1 ORDER BY agent",
            params![workspace.0],
            |row| Ok((row.parsed(0, "participant id")?, row.at(1)?)),
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_turn(&self, workspace: WorkspaceKey, seq: i64, turn: &Turn) -> Result<()> {
        self.run(
            "INSERT INTO turns (workspace, id, seq, agent, taker, topic, conversation, status, began_at, due_at, key_hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running', ?8, ?9, ?10)",
            params![
                workspace.0,
                turn.id,
                seq,
                turn.agent.as_str(),
                turn.taker.name(),
                turn.topic,
                turn.conversation,
                turn.began_at.0,
                turn.due.0,
                turn.key.as_ref().map(|hash| &hash.0),
            ],
        )
    }

    pub fn end_turn(
        &self,
        workspace: WorkspaceKey,
        turn: &Turn,
        status: TurnStatus,
        silent: bool,
        at: Timestamp,
    ) -> Result<()> {
        self.run(
            "UPDATE turns SET status = ?3, ended_at = ?4, silent = ?5
             WHERE workspace = ?1 AND id = ?2 AND status = 'running'",
            params![workspace.0, turn.id, status.name(), at.0, silent],
        )?;
        // What it was handed was read by nobody when its agent is removed.
        if turn.taker.is_supervised() && status == TurnStatus::Gone {
            self.run(
                "UPDATE deliveries SET step = 'gone' WHERE workspace = ?1 AND turn = ?2 AND step = 'handed'",
                params![workspace.0, turn.id],
            )?;
        }
        Ok(())
    }

    pub fn write_turn_due(&self, workspace: WorkspaceKey, turn: TurnId, due: Timestamp) -> Result<()> {
        self.run(
            "UPDATE turns SET due_at = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, turn, due.0],
        )
    }

    pub fn report_turn(&self, workspace: WorkspaceKey, turn: TurnId, report: &Report) -> Result<()> {
        self.run(
            "UPDATE turns SET exit_code = ?3, usd_micros = ?4, tokens = ?5, problem = ?6
             WHERE workspace = ?1 AND id = ?2",
            params![
                workspace.0,
                turn,
                report.exit_code,
                report.usd_micros,
                report.tokens,
                report.problem.as_deref(),
            ],
        )
    }

    pub fn put_attention(&self, workspace: WorkspaceKey, agent: &ParticipantId, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO attention (workspace, agent, at) VALUES (?1, ?2, ?3)
             ON CONFLICT (workspace, agent) DO UPDATE SET at = excluded.at",
            params![workspace.0, agent.as_str(), at.0],
        )
    }
}

fn read(row: &Row<'_>) -> Result<Told> {
    let turn = Turn {
        id: row.parsed(0, "turn id")?,
        agent: row.parsed(1, "participant id")?,
        taker: row.named(2, "taker", Taker::read)?,
        topic: row.parsed_if(3, "topic id")?,
        conversation: row.parsed_if(4, "conversation id")?,
        began_at: row.at(5)?,
        due: row.at(6)?,
        key: row.get::<Option<[u8; 32]>>(7)?.map(KeyHash),
    };
    Ok(Told {
        seq: row.get(15)?,
        turn,
        status: row.named(8, "turn status", TurnStatus::read)?,
        ended_at: row.at_if(9)?,
        silent: row.get(10)?,
        report: Report {
            exit_code: row.get(11)?,
            usd_micros: row.get(12)?,
            tokens: row.get(13)?,
            problem: row.get(14)?,
        },
    })
}
