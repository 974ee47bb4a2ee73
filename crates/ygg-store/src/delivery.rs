//! What is asked about deliveries: what waits for a reader, and which answers are owed.

use ygg_domain::id::{MessageId, TopicId, TurnId};
use ygg_domain::message::{Debt, Effect};
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::Trust;
use ygg_domain::topic::pause::HeldBack;
use ygg_domain::turn::begin::Unread;
use ygg_domain::wake::{Folded, Wake};
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A delivery as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    pub recipient: ParticipantId,
    pub effect: Effect,
    pub trust: Trust,
    pub step: Step,
    pub debt: Option<DebtStatus>,
}

impl Delivered {
    /// How far it got, as both sides are told [K5a]; and why it ended, where it did without an answer.
    pub fn reached(&self) -> (&'static str, Option<&'static str>) {
        match (self.debt, self.step) {
            (Some(DebtStatus::Settled), _) => ("answered", None),
            (Some(DebtStatus::Closed), _) => ("ended", Some("topic_closed")),
            (Some(DebtStatus::Gone), _) | (_, Step::Gone) => ("ended", Some("recipient_gone")),
            (Some(DebtStatus::Open) | None, step @ (Step::Pending | Step::Handed | Step::Read)) => {
                (step.name(), None)
            }
        }
    }
}

/// How far a delivery got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Pending,
    /// To a supervised turn that runs.
    Handed,
    /// Shown to the model, or to the person.
    Read,
    /// Its reader was removed before it read it [W7].
    Gone,
}

impl Step {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Handed => "handed",
            Self::Read => "read",
            Self::Gone => "gone",
        }
    }

    /// A live session reads what it is handed; a supervised turn has when it ends.
    pub fn on_handing(read: bool) -> Self {
        if read { Self::Read } else { Self::Handed }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::Pending, Self::Handed, Self::Read, Self::Gone].into_iter().find(|step| step.name() == name)
    }
}

/// What became of an owed answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebtStatus {
    Open,
    Settled,
    Closed,
    /// One of the two was removed.
    Gone,
}

impl DebtStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Settled => "settled",
            Self::Closed => "closed",
            Self::Gone => "gone",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        [Self::Open, Self::Settled, Self::Closed, Self::Gone].into_iter().find(|status| status.name() == name)
    }
}

/// A delivery of a past turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    pub unread: Unread,
    /// A wake that this turn took carried it.
    pub was_wake: bool,
}

pub trait Deliveries {
    /// In order of recipient.
    fn deliveries(&self, workspace: WorkspaceKey, message: MessageId) -> Result<Vec<Delivered>>;
    /// Answers owed in a topic, oldest request first.
    fn open_debts(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<Debt>>;
    /// The answer that this debtor still owes to this request.
    fn open_debt(
        &self,
        workspace: WorkspaceKey,
        request: MessageId,
        debtor: &ParticipantId,
    ) -> Result<Option<Debt>>;
    /// Whether the wake that carries the debt carries anything else that its agent has not dealt with: a request that
    /// is still owed an answer, or another message that it has not read [K2].
    fn shares_wake(&self, workspace: WorkspaceKey, topic: TopicId, debt: &Debt) -> Result<bool>;
    /// Whether `debtor` owes `creditor` an answer in this topic.
    fn owes(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        debtor: &ParticipantId,
        creditor: &ParticipantId,
    ) -> Result<bool>;
    /// Answers in a topic that the participant owes or is owed, oldest request first.
    fn open_debts_of(
        &self,
        workspace: WorkspaceKey,
        topic: TopicId,
        participant: &ParticipantId,
        limit: usize,
    ) -> Result<Vec<Debt>>;
    /// Requests folded into a wake of the agent in this topic, not handed and not answered yet, oldest first.
    fn folded(&self, workspace: WorkspaceKey, agent: &ParticipantId, topic: TopicId) -> Result<Vec<Folded>>;
    /// What waits for the agent in this topic: first what pending wakes carry, each part oldest first.
    fn unread_here(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: TopicId,
        limit: usize,
    ) -> Result<Vec<Unread>>;
    /// What waits in other topics and is not carried by a pending wake nor folded into an unanswered one,
    /// oldest first.
    fn unread_elsewhere(
        &self,
        workspace: WorkspaceKey,
        agent: &ParticipantId,
        topic: Option<TopicId>,
        limit: usize,
    ) -> Result<Vec<Unread>>;
    /// Requests and answers of the topic that came while it stood still and woke nobody, oldest first [S3].
    fn held_back(&self, workspace: WorkspaceKey, topic: TopicId) -> Result<Vec<HeldBack>>;
    /// Whether the participant owes an answer in any topic but this one.
    fn owes_elsewhere(&self, workspace: WorkspaceKey, debtor: &ParticipantId, topic: TopicId)
    -> Result<bool>;
    /// Whether a wake carries a message that was not handed yet.
    fn carries_unread(&self, workspace: WorkspaceKey, wake: &Wake) -> Result<bool>;
    fn has_unread(&self, workspace: WorkspaceKey, recipient: &ParticipantId) -> Result<bool>;
    fn unread_count(&self, workspace: WorkspaceKey, recipient: &ParticipantId) -> Result<usize>;
    /// What a turn was handed, oldest first.
    fn handed(&self, workspace: WorkspaceKey, turn: TurnId) -> Result<Vec<Handed>>;
}
