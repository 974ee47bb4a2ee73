//! Rows of deliveries, by their message's place in the log: effects, debts, and what waits for a reader.

use std::collections::BTreeMap;

use ygg_domain::id::{MessageId, TopicId, TurnId, WakeId};
use ygg_domain::message::{ContextReason, Debt, Effect, Message, MessageType};
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Trust;
use ygg_domain::topic::pause::HeldBack;
use ygg_domain::turn::begin::Unread;
use ygg_domain::wake::{Folded, Wake, WakeStatus};
use ygg_domain::workspace::WorkspaceKey;

mod write;

use super::row::Index;
use super::snapshot::DeliveryRow;
use super::{Space, World};
use crate::Result;
use crate::delivery::{DebtStatus, Delivered, Deliveries, Handed, Step};

#[derive(Clone, Default)]
pub struct Table {
    rows: BTreeMap<i64, BTreeMap<ParticipantId, Row>>,
    pending: Index<ParticipantId, i64>,
    owed: Index<TopicId, (i64, ParticipantId)>,
    handed: Index<TurnId, (i64, ParticipantId)>,
}

#[derive(Clone)]
struct Row {
    topic: TopicId,
    effect: Effect,
    trust: Trust,
    step: Step,
    wake: Option<WakeId>,
    folded: Option<WakeId>,
    debt: Option<DebtStatus>,
    settled_by: Option<MessageId>,
    turn: Option<TurnId>,
}

impl Table {
    fn row(&self, seq: i64, recipient: &ParticipantId) -> Option<&Row> {
        self.rows.get(&seq)?.get(recipient)
    }

    fn row_mut(&mut self, seq: i64, recipient: &ParticipantId) -> Option<&mut Row> {
        self.rows.get_mut(&seq)?.get_mut(recipient)
    }
}

impl Deliveries for World {
    fn deliveries(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Delivered>> {
        let space = self.space(workspace);
        let rows = space.messages.seq(message).and_then(|seq| space.deliveries.rows.get(&seq));
        let delivered = |(recipient, row): (&ParticipantId, &Row)| Delivered {
            recipient: recipient.clone(),
            effect: row.effect,
            trust: row.trust,
            step: row.step,
            debt: row.debt,
        };
        Ok(rows.into_iter().flatten().map(delivered).collect())
    }

    fn open_debts(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Debt>> {
        Ok(self.space(workspace).owed_in(topic).collect())
    }

    fn open_debt(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        debtor: &ParticipantId,
    ) -> Result<Option<Debt>> {
        let space = self.space(workspace);
        let debt = space.messages.seq(request).and_then(|seq| space.owed_by(seq, debtor));
        Ok(debt.filter(|(_, status)| *status == DebtStatus::Open).map(|(debt, _)| debt))
    }

    fn shares_wake(&self, workspace: WorkspaceKey, topic: TopicId, debt: &Debt) -> Result<bool> {
        let Some(wake) = debt.wake else { return Ok(false) };
        let space = self.space(workspace);
        let owed =
            space.owed_in(topic).filter(|other| other.debtor == debt.debtor && other.wake == Some(wake));
        let unread =
            space.waiting(&debt.debtor).filter(|(_, row)| row.wake == Some(wake) && row.debt.is_none());
        let mut others = owed.map(|other| other.request).chain(unread.map(|(message, _)| message.id));
        Ok(others.any(|message| message != debt.request))
    }

    fn owes(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        debtor: &ParticipantId,
        creditor: &ParticipantId,
    ) -> Result<bool> {
        let mut owed = self.space(workspace).owed_in(topic);
        Ok(owed.any(|debt| debt.debtor == *debtor && debt.creditor == *creditor))
    }

    fn open_debts_of(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        participant: &ParticipantId,
        limit: usize,
    ) -> Result<Vec<Debt>> {
        let owed = self.space(workspace).owed_in(topic);
        let of = |debt: &Debt| debt.debtor == *participant || debt.creditor == *participant;
        Ok(owed.filter(of).take(limit).collect())
    }

    fn folded(&self, workspace: WorkspaceKey, agent: &ParticipantId, topic: TopicId) -> Result<Vec<Folded>> {
        let here = self.space(workspace).waiting(agent).filter(|(_, row)| row.topic == topic);
        let folded = here.filter_map(|(message, row)| {
            let owed = row.debt == Some(DebtStatus::Open);
            Some(Folded { wake: row.folded.filter(|_| owed)?, message: message.id, origin: message.origin })
        });
        Ok(folded.collect())
    }

    fn unread_here(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
        limit: usize,
    ) -> Result<Vec<Unread>> {
        let space = self.space(workspace);
        let here = space.waiting(agent).filter(|(_, row)| row.topic == topic);
        let (carried, others): (Vec<_>, Vec<_>) = here.partition(|(_, row)| space.is_carried(row));
        let found = carried.into_iter().chain(others).take(limit);
        Ok(found.map(|(message, row)| space.unread(message, row)).collect())
    }

    fn unread_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: Option<TopicId>,
        limit: usize,
    ) -> Result<Vec<Unread>> {
        let space = self.space(workspace);
        let elsewhere = space.waiting(agent).filter(|(_, row)| Some(row.topic) != topic);
        let found = elsewhere.filter(|(_, row)| !space.is_carried(row) && !space.is_folded(row)).take(limit);
        Ok(found.map(|(message, row)| space.unread(message, row)).collect())
    }

    fn held_back(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<HeldBack>> {
        let space = self.space(workspace);
        let mut found = Vec::new();
        for (seq, message) in space.messages.places(topic) {
            for (recipient, row) in space.deliveries.rows.get(&seq).into_iter().flatten() {
                let paused = row.effect == Effect::Context(ContextReason::TopicPaused) && row.wake.is_none();
                if paused && (row.debt == Some(DebtStatus::Open) || space.is_answer(message)) {
                    found.push(HeldBack {
                        recipient: recipient.clone(),
                        message: message.id,
                        origin: message.origin,
                        read: matches!(row.step, Step::Handed | Step::Read),
                    });
                }
            }
        }
        Ok(found)
    }

    fn owes_elsewhere(
        &self,
        workspace: WorkspaceKey,
        debtor: &ParticipantId,
        topic: TopicId,
    ) -> Result<bool> {
        let rows = self.space(workspace).deliveries.rows.values().filter_map(|rows| rows.get(debtor));
        let mut owed = rows.filter(|row| row.debt == Some(DebtStatus::Open));
        Ok(owed.any(|row| row.topic != topic))
    }

    fn carries_unread(&self, workspace: WorkspaceKey, wake: &Wake) -> Result<bool> {
        let mut waiting = self.space(workspace).waiting(&wake.agent);
        Ok(waiting.any(|(_, row)| Some(row.topic) == wake.topic && row.wake == Some(wake.id)))
    }

    fn has_unread(&self, workspace: WorkspaceKey, recipient: &ParticipantId) -> Result<bool> {
        Ok(!self.space(workspace).deliveries.pending.of(recipient).is_empty())
    }

    fn unread_count(&self, workspace: WorkspaceKey, recipient: &ParticipantId) -> Result<usize> {
        Ok(self.space(workspace).deliveries.pending.of(recipient).len())
    }

    fn handed(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Handed>> {
        let space = self.space(workspace);
        let handed = |(seq, recipient): &(i64, ParticipantId)| {
            let (message, row) = space.delivery(*seq, recipient)?;
            let took =
                row.wake.and_then(|id| space.wakes.get(id)).is_some_and(|wake| wake.turn == Some(turn));
            // What it was folded into matters only until it is read.
            let unread = Unread { folded: false, ..space.unread(message, row) };
            Some(Handed { unread, was_wake: took })
        };
        Ok(space.deliveries.handed.of(&turn).iter().filter_map(handed).collect())
    }
}

impl Space {
    /// The wakes of a message's deliveries, in order of recipient.
    pub fn carriers(&self, message: MessageId) -> impl Iterator<Item = WakeId> {
        let rows = self.messages.seq(message).and_then(|seq| self.deliveries.rows.get(&seq));
        rows.into_iter().flat_map(BTreeMap::values).filter_map(|row| row.wake.or(row.folded))
    }

    /// Places of what was addressed to the participant in the topic and is not read, oldest first.
    pub fn pending_here(&self, recipient: &ParticipantId, topic: TopicId) -> impl Iterator<Item = i64> {
        let places = self.deliveries.pending.of(recipient).iter().copied();
        places
            .filter(move |place| self.deliveries.row(*place, recipient).is_some_and(|row| row.topic == topic))
    }

    /// Topics where something addressed to the participant is not read.
    pub fn pending_topics(&self, recipient: &ParticipantId) -> impl Iterator<Item = TopicId> {
        let places = self.deliveries.pending.of(recipient).iter();
        places.filter_map(|place| self.deliveries.row(*place, recipient)).map(|row| row.topic)
    }

    pub fn is_delivered(&self, seq: i64, recipient: &ParticipantId) -> bool {
        self.deliveries.row(seq, recipient).is_some()
    }

    pub fn woke(&self, seq: i64, recipient: &ParticipantId) -> bool {
        self.deliveries.row(seq, recipient).is_some_and(|row| row.effect == Effect::Wake)
    }

    pub fn woke_anybody(&self, seq: i64) -> bool {
        let mut rows = self.deliveries.rows.get(&seq).into_iter().flat_map(BTreeMap::values);
        rows.any(|row| row.effect == Effect::Wake)
    }

    /// Whether the message settled what its sender owed.
    fn is_answer(&self, message: &Message) -> bool {
        let request = message.in_reply_to.and_then(|request| self.messages.seq(request));
        let row = request.and_then(|seq| self.deliveries.row(seq, &message.sender));
        message.kind == MessageType::Response && row.is_some_and(|row| row.settled_by == Some(message.id))
    }

    /// Every delivery there ever was, in order of sending.
    pub fn all_deliveries(&self) -> impl Iterator<Item = DeliveryRow<'_>> {
        let rows =
            self.deliveries.rows.iter().flat_map(|(seq, rows)| rows.iter().map(move |row| (*seq, row)));
        rows.filter_map(|(seq, (recipient, row))| {
            let message = self.messages.at(seq)?;
            let Row { effect, step, wake, folded, debt, settled_by, turn, .. } = row.clone();
            let answers = self.is_answer(message);
            Some(DeliveryRow {
                seq,
                message,
                recipient,
                effect,
                step,
                wake,
                folded,
                debt,
                settled_by,
                turn,
                answers,
            })
        })
    }

    fn delivery(&self, seq: i64, recipient: &ParticipantId) -> Option<(&Message, &Row)> {
        Some((self.messages.at(seq)?, self.deliveries.row(seq, recipient)?))
    }

    /// The answer that a delivery owes or owed.
    fn owed_by(&self, seq: i64, debtor: &ParticipantId) -> Option<(Debt, DebtStatus)> {
        let (message, row) = self.delivery(seq, debtor)?;
        let debt = Debt {
            request: message.id,
            debtor: debtor.clone(),
            creditor: message.sender.clone(),
            origin: message.origin,
            wake: row.wake,
            asked_at: message.sent_at,
        };
        Some((debt, row.debt?))
    }

    /// Answers owed in a topic, oldest request first.
    fn owed_in(&self, topic: TopicId) -> impl Iterator<Item = Debt> {
        let owed = self.deliveries.owed.of(&topic).iter();
        owed.filter_map(|(seq, debtor)| self.owed_by(*seq, debtor)).map(|(debt, _)| debt)
    }

    /// What the recipient was not handed yet, oldest first.
    fn waiting(&self, recipient: &ParticipantId) -> impl Iterator<Item = (&Message, &Row)> {
        self.deliveries.pending.of(recipient).iter().filter_map(|seq| self.delivery(*seq, recipient))
    }

    /// By a pending wake.
    fn is_carried(&self, row: &Row) -> bool {
        row.wake.and_then(|id| self.wakes.get(id)).is_some_and(|wake| wake.status == WakeStatus::Pending)
    }

    /// Into a wake that is still unanswered.
    fn is_folded(&self, row: &Row) -> bool {
        row.folded.and_then(|id| self.wakes.get(id)).is_some_and(|wake| wake.status.is_unanswered())
    }

    fn unread(&self, message: &Message, row: &Row) -> Unread {
        Unread {
            message: message.clone(),
            effect: row.effect,
            trust: row.trust,
            handle: self.handle(&message.sender),
            wake: row.wake,
            folded: self.is_folded(row),
            owes: row.debt == Some(DebtStatus::Open),
        }
    }
}
