//! A message to each of its recipients: the effect, and the wake that carries it or that it folds into [K3].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId, TopicId, WakeId};
use crate::loops::{Signs, suspects};
use crate::message::draft::Draft;
use crate::message::effect::{self, Answers, ContextReason, Effect, Row};
use crate::message::record::Record;
use crate::message::send::TopicFacts;
use crate::message::{Debt, Delivery, MessageType, Origin};
use crate::name::{Kind, ParticipantId};
use crate::participant::{Participant, Trust};
use crate::policy::Policy;
use crate::time::Timestamp;
use crate::topic::state::state_of;
use crate::turn::retry;
use crate::wake::{Wake, WakeKind, WakeStatus};

/// The message on its way, as far as its recipients are concerned.
pub struct Sending<'a> {
    pub sender: &'a Participant,
    pub draft: &'a Draft,
    /// None for a new topic.
    pub known: Option<&'a TopicFacts>,
    pub topic: TopicId,
    pub message: MessageId,
    pub origin: Origin,
    /// The debt that it settles.
    pub settled: Option<&'a Debt>,
    /// The topic stands still, also after this message.
    pub paused: bool,
    /// What speaks for a loop, recipient by recipient.
    pub loops: &'a [(ParticipantId, Signs)],
    pub policy: &'a Policy,
    pub workspace_paused: bool,
    pub now: Timestamp,
}

pub fn deliver(
    sending: &Sending<'_>,
    recipients: &[Participant],
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
    record: &mut Record,
) -> Vec<Delivery> {
    let deliveries =
        recipients.iter().map(|recipient| to_one(sending, recipient, ids, changes, record)).collect();
    record.delivered(changes);
    deliveries
}

fn to_one(
    sending: &Sending<'_>,
    recipient: &Participant,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
    record: &mut Record,
) -> Delivery {
    let wakes = sending.known.map(|topic| topic.standing.wakes.as_slice()).unwrap_or_default();
    let unanswered: Vec<&Wake> = wakes.iter().filter(|wake| wake.agent == recipient.id).collect();
    let pending = unanswered.iter().find(|wake| wake.status == WakeStatus::Pending).copied();
    let answers = answers(sending, recipient);
    let effect = effect::decide(&Row {
        sender: sending.sender,
        recipient,
        kind: sending.draft.kind,
        answers,
        state: sending.known.and_then(|topic| state_of(&topic.standing.parties, &recipient.id)),
        paused: sending.paused,
        loop_suspected: loop_suspected(sending, &recipient.id),
        has_unanswered_wake: !unanswered.is_empty(),
    });
    let trust = Trust::between(sending.sender, recipient);
    let operator = trust == Trust::Operator;
    let (wake, folded) = match effect {
        Effect::Wake => (Some(carry(sending, recipient, pending, operator, ids, changes)), None),
        Effect::Context(ContextReason::WakeCoalesced) => {
            (None, pending.or(unanswered.last().copied()).map(|wake| wake.id))
        }
        Effect::Context(_) | Effect::Notify { .. } => (None, None),
    };
    let owes = sending.draft.kind == MessageType::Request;
    let delivery = Delivery { recipient: recipient.id.clone(), effect, trust, owes, wake, folded };
    record.met(sending, recipient, &delivery, answers, wakes);
    delivery
}

/// What speaks for a loop with this recipient.
pub fn signs(sending: &Sending<'_>, recipient: &ParticipantId) -> Option<Signs> {
    sending.loops.iter().find(|(who, _)| who == recipient).map(|(_, signs)| *signs)
}

fn loop_suspected(sending: &Sending<'_>, recipient: &ParticipantId) -> bool {
    let signs = signs(sending, recipient);
    signs.is_some_and(|signs| suspects(signs, sending.policy.loop_rounds).is_some())
}

fn answers(sending: &Sending<'_>, recipient: &Participant) -> Answers {
    if sending.settled.is_some_and(|debt| debt.creditor == recipient.id) {
        return Answers::Debt;
    }
    let asker = sending.known.and_then(|topic| topic.reply_to.as_ref());
    if asker.is_some_and(|asker| *asker != recipient.id) { Answers::Another } else { Answers::Nothing }
}

/// Merges into the pending wake or makes one.
fn carry(
    sending: &Sending<'_>,
    recipient: &Participant,
    pending: Option<&Wake>,
    operator: bool,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) -> WakeId {
    if let Some(pending) = pending.filter(|_| !planted(Fault::SecondWake)) {
        let farther = sending.origin.hop > pending.origin.hop;
        // Whoever spoke to it has looked: what failed is tried again [K6].
        let forgives = sending.sender.id.is_person() && pending.failed > 0;
        if farther || forgives || operator && !pending.operator {
            let mut merged = if forgives { retry::forgiven(pending) } else { pending.clone() };
            merged.operator |= operator;
            if farther {
                merged.origin = sending.origin;
            }
            changes.push(Change::WakeMerged(merged));
        }
        return pending.id;
    }
    let id = WakeId::fresh(ids);
    let kind = kind(sending.sender.id.kind(), sending.draft.kind);
    let fresh = Wake::pending(id, &recipient.id, Some(sending.topic), kind, sending.origin, sending.now);
    let wake = Wake { operator, ..fresh };
    changes.push(Change::WakeCreated(wake));
    id
}

/// The kind of wake that a message is to the agent it wakes.
pub fn kind(sender: Kind, message: MessageType) -> WakeKind {
    match (sender, message) {
        (Kind::Person, _) => WakeKind::Human,
        (Kind::Hook, _) => WakeKind::Hook,
        (Kind::Agent | Kind::System, MessageType::Response) => WakeKind::Response,
        (Kind::Agent | Kind::System, MessageType::Request | MessageType::Inform) => WakeKind::Request,
    }
}
