//! Rows of `wakes`.

use ygg_domain::id::{MessageId, TopicId, TurnId, WakeId};
use ygg_domain::message::Origin;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::turn::retry::ATTEMPTS;
use ygg_domain::wake::{Wake, WakeKind, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, Row, params};
use crate::Result;
use crate::wake::Wakes;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, agent, topic, kind, status, operator, origin, hop, made_at, turn, failed, not_before,
                    handed_on FROM wakes ",
            $rest
        )
    };
}

impl<C: Conn> Wakes for Db<C> {
    fn unanswered_wakes(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Wake>> {
        let unanswered =
            select!("WHERE workspace = ?1 AND topic = ?2 AND status IN ('pending', 'taken') ORDER BY seq");
        self.known(
            |known| &known.wakes,
            (workspace, topic),
            || self.many(unanswered, params![workspace.0, topic], read),
        )
    }

    fn pending_wakes(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Wake>> {
        self.many(
            select!("WHERE workspace = ?1 AND agent = ?2 AND status = 'pending' ORDER BY seq"),
            params![workspace.0, agent.as_str()],
            read,
        )
    }

    fn taken_wakes(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Wake>> {
        self.many(
            select!("WHERE workspace = ?1 AND turn = ?2 AND status = 'taken' ORDER BY seq"),
            params![workspace.0, turn],
            read,
        )
    }

    fn is_wanted_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool> {
        let found = self.one(
            "SELECT 1 FROM wakes WHERE workspace = ?1 AND agent = ?2 AND status = 'pending'
               AND (topic IS NULL OR topic <> ?3)
             UNION ALL
             SELECT 1 FROM wakes WHERE workspace = ?1 AND agent = ?2 AND status = 'taken'
               AND turn = (SELECT id FROM turns WHERE workspace = ?1 AND agent = ?2 AND status <> 'gone'
                           ORDER BY seq DESC LIMIT 1)
               AND (topic IS NULL OR topic <> ?3)
             LIMIT 1",
            params![workspace.0, agent.as_str(), topic],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }

    fn loose_wakes(&self, workspace: WorkspaceKey, agent: &ParticipantId) -> Result<Vec<Wake>> {
        let pending = self.pending_wakes(workspace, agent)?;
        Ok(pending.into_iter().filter(|wake| wake.topic.is_none()).collect())
    }

    fn failing_agents(&self, workspace: WorkspaceKey) -> Result<Vec<ParticipantId>> {
        self.many(
            "SELECT DISTINCT agent FROM wakes WHERE workspace = ?1 AND status = 'pending' AND failed >= ?2 ORDER BY agent",
            params![workspace.0, ATTEMPTS],
            |row| row.parsed(0, "participant id"),
        )
    }

    fn wakes_of(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Wake>> {
        self.many(
            "SELECT w.id, w.agent, w.topic, w.kind, w.status, w.operator, w.origin, w.hop, w.made_at, w.turn, w.failed,
                    w.not_before, w.handed_on
             FROM deliveries d JOIN wakes w ON w.workspace = d.workspace AND w.id = COALESCE(d.wake, d.folded)
             WHERE d.workspace = ?1 AND d.message = ?2 ORDER BY d.recipient",
            params![workspace.0, message],
            read,
        )
    }

    fn pending_everywhere(&self) -> Result<(i64, Option<Timestamp>)> {
        let found = self.one(
            "SELECT count(*), min(made_at) FROM wakes WHERE status = 'pending'",
            params![],
            |row| Ok((row.get(0)?, row.at_if(1)?)),
        )?;
        Ok(found.unwrap_or_default())
    }
}

impl<C: Conn> Db<C> {
    pub fn put_wake(&self, workspace: WorkspaceKey, seq: i64, wake: &Wake) -> Result<()> {
        self.run(
            "INSERT INTO wakes (workspace, id, seq, agent, topic, kind, status, operator, origin, hop, made_at, turn, failed,
                                not_before, handed_on)
             VALUES (?1, ?2, ?12, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?13, ?14, ?15)
             ON CONFLICT (workspace, id) DO UPDATE SET
                 operator = excluded.operator, origin = excluded.origin, hop = excluded.hop,
                 failed = excluded.failed, not_before = excluded.not_before, handed_on = excluded.handed_on",
            params![
                workspace.0,
                wake.id,
                wake.agent.as_str(),
                wake.topic,
                wake.kind.name(),
                wake.status.name(),
                wake.operator,
                wake.origin.message,
                wake.origin.hop,
                wake.made_at.0,
                wake.turn,
                seq,
                wake.failed,
                wake.not_before.map(|at| at.0),
                wake.handed_on,
            ],
        )?;
        Ok(())
    }

    pub fn take_wake(&self, workspace: WorkspaceKey, wake: WakeId, turn: TurnId) -> Result<()> {
        self.run(
            "UPDATE wakes SET status = 'taken', turn = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, wake, turn],
        )?;
        Ok(())
    }

    pub fn return_wake(&self, workspace: WorkspaceKey, wake: &Wake) -> Result<()> {
        self.run(
            "UPDATE wakes SET status = 'pending', turn = NULL, failed = ?3, not_before = ?4
             WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, wake.id, wake.failed, wake.not_before.map(|at| at.0)],
        )
    }

    pub fn end_wake(&self, workspace: WorkspaceKey, wake: WakeId, how: WakeStatus) -> Result<()> {
        self.run(
            "UPDATE wakes SET status = ?3 WHERE workspace = ?1 AND id = ?2",
            params![workspace.0, wake, how.name()],
        )?;
        Ok(())
    }
}

fn read(row: &Row<'_>) -> Result<Wake> {
    Ok(Wake {
        id: row.parsed(0, "wake id")?,
        agent: row.parsed(1, "participant id")?,
        topic: row.parsed_if(2, "topic id")?,
        kind: row.named(3, "kind of wake", WakeKind::read)?,
        status: row.named(4, "wake status", WakeStatus::read)?,
        operator: row.get(5)?,
        origin: Origin { message: row.parsed(6, "message id")?, hop: row.get(7)? },
        made_at: row.at(8)?,
        turn: row.parsed_if(9, "turn id")?,
        failed: row.get(10)?,
        not_before: row.at_if(11)?,
        handed_on: row.get(12)?,
    })
}
