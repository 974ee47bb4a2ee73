//! What changes write to deliveries.

use ygg_domain::change::{DebtEnd, Posted};
use ygg_domain::id::{MessageId, TopicId, TurnId, WakeId};
use ygg_domain::message::Debt;
use ygg_domain::name::ParticipantId;

use super::{Row, Table};
use crate::Result;
use crate::delivery::{DebtStatus, Step};
use crate::memory::Space;
use crate::memory::row::insert;

impl Space {
    pub fn insert_deliveries(&mut self, seq: i64, posted: &Posted) -> Result<()> {
        let topic = posted.message.topic;
        let Table { rows, pending, owed, .. } = &mut *self.deliveries;
        for delivery in &posted.deliveries {
            let recipient = &delivery.recipient;
            let row = Row {
                topic,
                effect: delivery.effect,
                trust: delivery.trust,
                step: Step::Pending,
                wake: delivery.wake,
                folded: delivery.folded,
                debt: delivery.owes.then_some(DebtStatus::Open),
                settled_by: None,
                turn: None,
            };
            insert(rows.entry(seq).or_default(), recipient.clone(), row, "deliveries.recipient")?;
            pending.insert(recipient.clone(), seq);
            if delivery.owes {
                owed.insert(topic, (seq, recipient.clone()));
            }
        }
        Ok(())
    }

    pub fn end_debt(&mut self, debt: &Debt, how: DebtEnd) {
        let Some(seq) = self.messages.seq(debt.request) else { return };
        let Some(row) = self.deliveries.row_mut(seq, &debt.debtor) else { return };
        if row.debt == Some(DebtStatus::Open) {
            (row.debt, row.settled_by) = match how {
                DebtEnd::Settled(answer) => (Some(DebtStatus::Settled), Some(answer)),
                DebtEnd::Closed => (Some(DebtStatus::Closed), None),
                DebtEnd::Gone => (Some(DebtStatus::Gone), None),
            };
            let topic = row.topic;
            self.deliveries.owed.remove(&topic, &(seq, debt.debtor.clone()));
        }
    }

    pub fn rouse_delivery(&mut self, message: MessageId, recipient: &ParticipantId, wake: WakeId) {
        let Some(seq) = self.messages.seq(message) else { return };
        if let Some(row) = self.deliveries.row_mut(seq, recipient) {
            row.wake = Some(wake);
            row.folded = None;
            row.step = Step::Pending;
            let before = row.turn.take();
            self.deliveries.pending.insert(recipient.clone(), seq);
            if let Some(turn) = before {
                self.deliveries.handed.remove(&turn, &(seq, recipient.clone()));
            }
        }
    }

    /// What waits for an agent that was removed waits for nobody.
    pub fn forget_unread(&mut self, recipient: &ParticipantId) {
        let seqs: Vec<i64> = self.deliveries.pending.of(recipient).iter().copied().collect();
        for seq in seqs {
            self.deliveries.pending.remove(recipient, &seq);
            if let Some(row) = self.deliveries.row_mut(seq, recipient) {
                row.step = Step::Gone;
            }
        }
    }

    /// What was addressed to a person there is read, up to a place in the log.
    pub fn read_deliveries(&mut self, recipient: &ParticipantId, topic: TopicId, seq: i64) {
        let passed: Vec<i64> =
            self.pending_here(recipient, topic).take_while(|place| *place <= seq).collect();
        for place in passed {
            self.deliveries.pending.remove(recipient, &place);
            if let Some(row) = self.deliveries.row_mut(place, recipient) {
                row.step = Step::Read;
            }
        }
    }

    pub fn hand_deliveries(
        &mut self,
        turn: TurnId,
        recipient: &ParticipantId,
        messages: &[MessageId],
        step: Step,
    ) {
        for message in messages {
            let Some(seq) = self.messages.seq(*message) else { continue };
            let Some(row) = self.deliveries.row_mut(seq, recipient) else { continue };
            if row.step == Step::Pending {
                row.step = step;
                row.turn = Some(turn);
                self.deliveries.pending.remove(recipient, &seq);
                self.deliveries.handed.insert(turn, (seq, recipient.clone()));
            }
        }
    }

    /// What a turn was handed is pending again.
    pub fn return_deliveries(&mut self, turn: TurnId, recipient: &ParticipantId, messages: &[MessageId]) {
        for message in messages {
            let Some(seq) = self.messages.seq(*message) else { continue };
            let Some(row) = self.deliveries.row_mut(seq, recipient) else { continue };
            if row.turn == Some(turn) {
                row.step = Step::Pending;
                row.turn = None;
                self.deliveries.handed.remove(&turn, &(seq, recipient.clone()));
                self.deliveries.pending.insert(recipient.clone(), seq);
            }
        }
    }

    /// What a supervised turn was handed is read.
    pub fn show_handed(&mut self, turn: TurnId, messages: &[MessageId]) {
        let seqs: Vec<i64> = messages.iter().filter_map(|message| self.messages.seq(*message)).collect();
        self.settle_handed(turn, Step::Read, |seq| seqs.contains(&seq));
    }

    /// What a turn was handed was read by nobody when its agent is removed.
    pub fn forget_handed(&mut self, turn: TurnId) {
        self.settle_handed(turn, Step::Gone, |_| true);
    }

    fn settle_handed(&mut self, turn: TurnId, step: Step, which: impl Fn(i64) -> bool) {
        let handed: Vec<(i64, ParticipantId)> = self.deliveries.handed.of(&turn).iter().cloned().collect();
        for (seq, recipient) in handed.into_iter().filter(|(seq, _)| which(*seq)) {
            if let Some(row) = self.deliveries.row_mut(seq, &recipient).filter(|row| row.step == Step::Handed)
            {
                row.step = step;
            }
        }
    }
}
