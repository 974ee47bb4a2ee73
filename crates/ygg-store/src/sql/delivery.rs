//! Rows of `deliveries`: effects, debts, and what waits for a reader.

use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::message::{ContextReason, Debt, Effect, Origin};
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Trust;
use ygg_domain::topic::pause::HeldBack;
use ygg_domain::turn::begin::Unread;
use ygg_domain::wake::{Folded, Wake};
use ygg_domain::workspace::WorkspaceKey;

mod write;

use super::message::{self, WIDTH, columns};
use super::row::limit;
use super::{Conn, Db, Row, Value, params};
use crate::delivery::{DebtStatus, Delivered, Deliveries, Handed, Step};
use crate::{Error, Result};

/// Unread deliveries `d` with their messages, the writer's handle, and how they stand to wakes. Which ones is settled
/// by an index and the wakes alone, before a row is looked at: thousands may wait where a few are taken.
macro_rules! unread {
    ($which:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", d.effect, d.reason, d.trust, p.handle, d.wake, c.folded, d.debt
             FROM (SELECT d.workspace, d.message, d.recipient, d.seq, f.id AS folded,
                     CASE WHEN w.id IS NULL THEN 1 ELSE 0 END AS place
                   FROM deliveries d
                   LEFT JOIN wakes w ON w.workspace = d.workspace AND w.id = d.wake AND w.status = 'pending'
                   LEFT JOIN wakes f
                     ON f.workspace = d.workspace AND f.id = d.folded AND f.status IN ('pending', 'taken')
                   WHERE d.workspace = ?1 AND d.recipient = ?2 AND d.step = 'pending' ",
            $which,
            " ORDER BY place, d.seq LIMIT ?4) c
             JOIN deliveries d ON d.workspace = c.workspace AND d.message = c.message AND d.recipient = c.recipient
             JOIN messages m ON m.workspace = c.workspace AND m.id = c.message
             LEFT JOIN participants p ON p.workspace = c.workspace AND p.id = m.sender
             ORDER BY c.place, c.seq"
        )
    };
}

/// An open debt `d` with its request `m`.
macro_rules! debt {
    ($rest:literal) => {
        concat!(
            "SELECT d.message, d.recipient, m.sender, m.origin, m.hop, d.wake, m.sent_at FROM deliveries d
             JOIN messages m ON m.workspace = d.workspace AND m.id = d.message
             WHERE d.workspace = ?1 AND d.debt = 'open' ",
            $rest
        )
    };
}

impl<C: Conn> Deliveries for Db<C> {
    fn deliveries(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Delivered>> {
        self.many(
            "SELECT recipient, effect, reason, trust, step, debt FROM deliveries
             WHERE workspace = ?1 AND message = ?2 ORDER BY recipient",
            params![workspace.0, message],
            |row| {
                let debt: Option<String> = row.get(5)?;
                let debt = match debt {
                    None => None,
                    Some(name) => Some(DebtStatus::read(&name).ok_or_else(|| Error::corrupt("debt", name))?),
                };
                Ok(Delivered {
                    recipient: row.parsed(0, "participant id")?,
                    effect: effect(row, 1)?,
                    trust: row.named(3, "trust", Trust::read)?,
                    step: row.named(4, "delivery step", Step::read)?,
                    debt,
                })
            },
        )
    }

    fn open_debts(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Debt>> {
        self.many(
            debt!("AND d.topic = ?2 ORDER BY d.seq, d.recipient"),
            params![workspace.0, topic],
            read_debt,
        )
    }

    fn open_debt(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        debtor: &ParticipantId,
    ) -> Result<Option<Debt>> {
        self.one(
            debt!("AND d.message = ?2 AND d.recipient = ?3"),
            params![workspace.0, request, debtor.as_str()],
            read_debt,
        )
    }

    fn shares_wake(&self, workspace: WorkspaceKey, topic: TopicId, debt: &Debt) -> Result<bool> {
        let found = self.one(
            // One part for each index: what is owed, what waits.
            "SELECT 1 FROM deliveries WHERE workspace = ?1 AND topic = ?2 AND recipient = ?3 AND wake = ?4 AND message <> ?5
               AND debt = 'open'
             UNION ALL
             SELECT 1 FROM deliveries WHERE workspace = ?1 AND topic = ?2 AND recipient = ?3 AND wake = ?4 AND message <> ?5
               AND debt IS NULL AND step = 'pending'
             LIMIT 1",
            params![
                workspace.0,
                topic,
                debt.debtor.as_str(),
                debt.wake,
                debt.request
            ],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }

    fn owes(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        debtor: &ParticipantId,
        creditor: &ParticipantId,
    ) -> Result<bool> {
        let found = self.one(
            debt!("AND d.topic = ?2 AND d.recipient = ?3 AND m.sender = ?4 LIMIT 1"),
            params![workspace.0, topic, debtor.as_str(), creditor.as_str()],
            |_| Ok(()),
        )?;
        Ok(found.is_some())
    }

    fn open_debts_of(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        participant: &ParticipantId,
        rows: usize,
    ) -> Result<Vec<Debt>> {
        self.many(
            debt!("AND d.topic = ?2 AND (d.recipient = ?3 OR m.sender = ?3) ORDER BY d.seq, d.recipient LIMIT ?4"),
            params![workspace.0, topic, participant.as_str(), limit(rows)],
            read_debt,
        )
    }

    fn folded(&self, workspace: WorkspaceKey, agent: &ParticipantId, topic: TopicId) -> Result<Vec<Folded>> {
        self.many(
            "SELECT d.folded, d.message, m.origin, m.hop FROM deliveries d
             JOIN messages m ON m.workspace = d.workspace AND m.id = d.message
             WHERE d.workspace = ?1 AND d.recipient = ?2 AND d.topic = ?3 AND d.step = 'pending'
               AND d.folded IS NOT NULL AND d.debt = 'open' ORDER BY d.seq",
            params![workspace.0, agent.as_str(), topic],
            |row| {
                Ok(Folded {
                    wake: row.parsed(0, "wake id")?,
                    message: row.parsed(1, "message id")?,
                    origin: Origin { message: row.parsed(2, "message id")?, hop: row.get(3)? },
                })
            },
        )
    }

    fn unread_here(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
        rows: usize,
    ) -> Result<Vec<Unread>> {
        let params = params![workspace.0, agent.as_str(), topic, limit(rows)];
        self.unread(workspace, unread!("AND d.topic = ?3"), params)
    }

    fn unread_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: Option<TopicId>,
        rows: usize,
    ) -> Result<Vec<Unread>> {
        let topic = topic.map(|id| id.to_string()).unwrap_or_default();
        let params = params![workspace.0, agent.as_str(), topic, limit(rows)];
        self.unread(workspace, unread!("AND d.topic <> ?3 AND w.id IS NULL AND f.id IS NULL"), params)
    }

    fn held_back(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<HeldBack>> {
        self.many(
            "SELECT d.recipient, d.message, m.origin, m.hop, d.step FROM messages m
             JOIN deliveries d ON d.workspace = m.workspace AND d.message = m.id
             WHERE m.workspace = ?1 AND m.topic = ?2 AND d.reason = 'topic_paused' AND d.wake IS NULL
               AND (d.debt = 'open' OR m.type = 'response' AND EXISTS (
                   SELECT 1 FROM deliveries q WHERE q.workspace = m.workspace AND q.message = m.in_reply_to
                     AND q.recipient = m.sender AND q.settled_by = m.id))
             ORDER BY m.seq, d.recipient",
            params![workspace.0, topic],
            |row| {
                Ok(HeldBack {
                    recipient: row.parsed(0, "participant id")?,
                    message: row.parsed(1, "message id")?,
                    origin: Origin { message: row.parsed(2, "message id")?, hop: row.get(3)? },
                    read: matches!(row.named(4, "delivery step", Step::read)?, Step::Handed | Step::Read),
                })
            },
        )
    }

    fn owes_elsewhere(
        &self,
        workspace: WorkspaceKey,
        debtor: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool> {
        self.any(
            "SELECT 1 FROM deliveries WHERE workspace = ?1 AND recipient = ?2 AND debt = 'open' AND topic <> ?3 LIMIT 1",
            params![workspace.0, debtor.as_str(), topic],
        )
    }

    fn carries_unread(&self, workspace: WorkspaceKey, wake: &Wake) -> Result<bool> {
        let Some(topic) = wake.topic else { return Ok(false) };
        self.any(
            "SELECT 1 FROM deliveries WHERE workspace = ?1 AND recipient = ?2 AND topic = ?3 AND wake = ?4
               AND step = 'pending' LIMIT 1",
            params![workspace.0, wake.agent.as_str(), topic, wake.id],
        )
    }

    fn has_unread(&self, workspace: WorkspaceKey, recipient: &ParticipantId) -> Result<bool> {
        self.any(
            "SELECT 1 FROM deliveries WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending' LIMIT 1",
            params![workspace.0, recipient.as_str()],
        )
    }

    fn unread_count(&self, workspace: WorkspaceKey, recipient: &ParticipantId) -> Result<usize> {
        let count = self.one(
            "SELECT count(*) FROM deliveries WHERE workspace = ?1 AND recipient = ?2 AND step = 'pending'",
            params![workspace.0, recipient.as_str()],
            |row| row.get::<i64>(0),
        )?;
        Ok(usize::try_from(count.unwrap_or(0)).unwrap_or(0))
    }

    fn handed(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Handed>> {
        self.messages(
            workspace,
            concat!(
                "SELECT ",
                columns!(),
                ", d.effect, d.reason, d.trust, p.handle, d.wake, NULL, d.debt, w.id
                 FROM deliveries d
                 JOIN messages m ON m.workspace = d.workspace AND m.id = d.message
                 LEFT JOIN participants p ON p.workspace = d.workspace AND p.id = m.sender
                 LEFT JOIN wakes w ON w.workspace = d.workspace AND w.id = d.wake AND w.turn = ?2
                 WHERE d.workspace = ?1 AND d.turn = ?2 ORDER BY d.seq"
            ),
            params![workspace.0, turn],
            |row| {
                let was_wake = row.get::<Option<String>>(WIDTH + 7)?.is_some();
                Ok(Handed { unread: read_unread(row)?, was_wake })
            },
            |handed| &mut handed.unread.message,
        )
    }
}

impl<C: Conn> Db<C> {
    fn unread(
        &self,
        workspace: WorkspaceKey,
        sql: &'static str,
        params: &[Value<'_>],
    ) -> Result<Vec<Unread>> {
        self.messages(workspace, sql, params, read_unread, |unread| &mut unread.message)
    }
}

/// An effect from its two columns.
fn effect(row: &Row<'_>, column: usize) -> Result<Effect> {
    let name: String = row.get(column)?;
    match name.as_str() {
        "wake" => Ok(Effect::Wake),
        "context" => row.named(column + 1, "reason", ContextReason::read).map(Effect::Context),
        "notify" => Ok(Effect::Notify { quiet: false }),
        "notify_quiet" => Ok(Effect::Notify { quiet: true }),
        _ => Err(Error::corrupt("effect", name)),
    }
}

fn read_debt(row: &Row<'_>) -> Result<Debt> {
    Ok(Debt {
        request: row.parsed(0, "message id")?,
        debtor: row.parsed(1, "participant id")?,
        creditor: row.parsed(2, "participant id")?,
        origin: Origin { message: row.parsed(3, "message id")?, hop: row.get(4)? },
        wake: row.parsed_if(5, "wake id")?,
        asked_at: row.at(6)?,
    })
}

fn read_unread(row: &Row<'_>) -> Result<Unread> {
    Ok(Unread {
        message: message::read(row)?.message,
        effect: effect(row, WIDTH)?,
        trust: row.named(WIDTH + 2, "trust", Trust::read)?,
        handle: row.get(WIDTH + 3)?,
        wake: row.parsed_if(WIDTH + 4, "wake id")?,
        folded: row.get::<Option<String>>(WIDTH + 5)?.is_some(),
        owes: row.get::<Option<String>>(WIDTH + 6)?.as_deref() == Some(DebtStatus::Open.name()),
    })
}
