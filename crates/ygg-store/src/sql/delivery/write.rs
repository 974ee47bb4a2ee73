//! What changes write to deliveries.

use ygg_domain::change::{DebtEnd, Posted};
use ygg_domain::id::{MessageId, TurnId, WakeId};
use ygg_domain::message::{Debt, Effect};
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;
use crate::delivery::{DebtStatus, Step};
use crate::sql::{Conn, Db, params};

impl<C: Conn> Db<C> {
    pub fn insert_deliveries(&self, workspace: WorkspaceKey, seq: i64, posted: &Posted) -> Result<()> {
        let (message, topic) = (posted.message.id, posted.message.topic);
        for delivery in &posted.deliveries {
            self.run(
                "INSERT INTO deliveries (workspace, message, recipient, seq, topic, effect, reason, trust, step,
                                         wake, folded, debt)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                params![
                    workspace.0,
                    message,
                    delivery.recipient.as_str(),
                    seq,
                    topic,
                    stored_effect(delivery.effect),
                    delivery.effect.reason(),
                    delivery.trust.name(),
                    Step::Pending.name(),
                    delivery.wake,
                    delivery.folded,
                    delivery.owes.then_some(DebtStatus::Open.name()),
                ],
            )?;
        }
        Ok(())
    }

    pub fn end_debt(&self, workspace: WorkspaceKey, debt: &Debt, how: DebtEnd) -> Result<()> {
        let (status, settled_by) = match how {
            DebtEnd::Settled(answer) => (DebtStatus::Settled, Some(answer)),
            DebtEnd::Closed => (DebtStatus::Closed, None),
            DebtEnd::Gone => (DebtStatus::Gone, None),
        };
        self.run(
            "UPDATE deliveries SET debt = ?4, settled_by = ?5
             WHERE workspace = ?1 AND message = ?2 AND recipient = ?3 AND debt = 'open'",
            params![workspace.0, debt.request, debt.debtor.as_str(), status.name(), settled_by],
        )?;
        Ok(())
    }

    pub fn rouse_delivery(
        &self,
        workspace: WorkspaceKey,
        message: MessageId,
        recipient: &ParticipantId,
        wake: WakeId,
    ) -> Result<()> {
        self.run(
            "UPDATE deliveries SET wake = ?4, folded = NULL, step = 'pending', turn = NULL
             WHERE workspace = ?1 AND message = ?2 AND recipient = ?3",
            params![workspace.0, message, recipient.as_str(), wake],
        )?;
        Ok(())
    }

    pub fn hand_deliveries(
        &self,
        workspace: WorkspaceKey,
        turn: TurnId,
        recipient: &ParticipantId,
        messages: &[MessageId],
        step: Step,
        at: Timestamp,
    ) -> Result<()> {
        for &message in messages {
            self.run(
                "UPDATE deliveries SET step = ?6, turn = ?4, handed_at = ?5
                 WHERE workspace = ?1 AND message = ?2 AND recipient = ?3 AND step = 'pending'",
                params![workspace.0, message, recipient.as_str(), turn, at.0, step.name()],
            )?;
        }
        Ok(())
    }

    /// What a supervised turn was handed is read.
    pub fn show_handed(&self, workspace: WorkspaceKey, turn: TurnId, messages: &[MessageId]) -> Result<()> {
        for &message in messages {
            self.run(
                "UPDATE deliveries SET step = 'read'
                 WHERE workspace = ?1 AND message = ?2 AND turn = ?3 AND step = 'handed'",
                params![workspace.0, message, turn],
            )?;
        }
        Ok(())
    }

    /// What a turn was handed is pending again.
    pub fn return_deliveries(
        &self,
        workspace: WorkspaceKey,
        turn: TurnId,
        recipient: &ParticipantId,
        messages: &[MessageId],
    ) -> Result<()> {
        for &message in messages {
            self.run(
                "UPDATE deliveries SET step = 'pending', turn = NULL
                 WHERE workspace = ?1 AND message = ?2 AND recipient = ?3 AND turn = ?4",
                params![workspace.0, message, recipient.as_str(), turn],
            )?;
        }
        Ok(())
    }
}

/// The stored name of an effect: quiet notes to people are told apart.
fn stored_effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Notify { quiet: true } => "notify_quiet",
        Effect::Wake | Effect::Context(_) | Effect::Notify { quiet: false } => effect.name(),
    }
}
