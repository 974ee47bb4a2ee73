//! A send that passed every check: the changes it makes, in order, and the receipt that tells of them.

use crate::change::{Change, DebtEnd, Posted};
use crate::credits::Reason;
use crate::id::{Ids, MessageId, WakeId};
use crate::message::deliver::{Sending, deliver, loop_suspected};
use crate::message::draft::{Declared, Draft, TopicNamed};
use crate::message::going;
use crate::message::send::{Decision, Remember, Reply, SendFacts, Target, TopicFacts};
use crate::message::{
    ContextReason, Debt, Delivery, Effect, Fired, Message, MessageType, Origin, Outcome, Receipt, TopicAfter,
};
use crate::name::ParticipantId;
use crate::notice;
use crate::participant::Participant;
use crate::time::Timestamp;
use crate::topic::open::Opening;
use crate::topic::state::Moving;
use crate::topic::{self, Party, State, Status, Topic, close, due, open, state};
use crate::wake::WakeStatus;
use crate::wake::answer::{self, Act};

/// What a decision takes from outside besides its facts.
pub struct Fresh<'a> {
    pub ids: &'a mut dyn Ids,
    pub now: Timestamp,
}

pub fn post(
    facts: &SendFacts,
    mut draft: Draft,
    target: &Target<'_>,
    recipients: &[Participant],
    price: i64,
    fresh: Fresh<'_>,
) -> Decision {
    let Fresh { ids, now } = fresh;
    let mut changes = Vec::with_capacity(8 + 2 * recipients.len());
    let known = known(target);
    let topic = open_or_title(facts, &mut draft, target, ids, now, &mut changes);
    let declared = state::declared(facts, &mut draft, known, recipients);
    let message = MessageId::fresh(ids);
    let settled = known.and_then(|topic| settles(topic, &draft));
    let origin = origin(facts, known, settled, message);
    let mut after = Vec::new();
    let going = going::on(facts, &topic, now, &mut after);
    let sending = Sending {
        sender: &facts.sender,
        draft: &draft,
        known,
        topic: topic.id,
        message,
        origin,
        settled,
        paused: going.paused(),
        loops: &facts.loops,
        loop_rounds: facts.policy.loop_rounds,
        now,
    };

    let deliveries = deliver(&sending, recipients, ids, &mut after);
    let mut parties = known.map(|topic| topic.standing.parties.clone()).unwrap_or_default();
    let mut topic = going.resume(known, topic, &mut parties, &deliveries, ids, now, &mut after);
    let kind = draft.kind;
    let moving = Moving { sender: &facts.sender, kind, declared: declared.as_ref(), topic: &topic, now };
    state::move_parties(&moving, &deliveries, &mut parties, &mut after);
    let done = declared == Some(State::Done);
    let mut ended = answer_own(&sending, done, ids, &mut after);
    if let Some(known) = known {
        ended.extend(going::withdraw_nudges(known, &parties, &facts.sender.id, settled, &ended, &mut after));
    }
    going::mark(&mut topic, declared.as_ref(), &deliveries, now, &mut after);

    let fired = explain(&sending, price, &deliveries);
    let effects = deliveries.iter().map(|delivery| (delivery.recipient.clone(), delivery.effect)).collect();
    let owed = open_debts(&sending, &deliveries);
    let notes = std::mem::take(&mut draft.repairs);
    let message = compose(&draft, &topic, facts, origin, message, declared.clone(), price, now);
    let posted = Posted { message, deliveries, fired: fired.clone() };
    let message = posted.message.id;
    changes.push(Change::MessagePosted(Box::new(posted)));
    changes.append(&mut after);
    let entries = facts.funds.pay(price, Reason::Message, &facts.sender.id, Some(message));
    changes.extend(entries.into_iter().map(Change::CreditsMoved));
    let closing = Closing { known, topic: &topic, parties: &parties, ended: &ended, debts: &owed };
    let status = close_if_done(facts, &closing, ids, now, &mut changes);
    let mut receipt = told(facts, &topic, message, price);
    (receipt.notes, receipt.recipients) = (notes, effects);
    receipt.after = Some(TopicAfter { status, parties });
    let due = match status {
        Status::Closed => None,
        Status::Open | Status::Paused(_) => going::due(facts, known, &topic, declared.as_ref(), now),
    };
    Decision { changes, reply: Reply::Receipt(Box::new(receipt)), fired, remember: Remember::Receipt, due }
}

/// A receipt of what was delivered and paid.
fn told(facts: &SendFacts, topic: &Topic, message: MessageId, charged: i64) -> Receipt {
    Receipt {
        outcome: Outcome::Delivered,
        message: Some(message),
        topic: Some(topic.id),
        conversation: Some(topic.conversation),
        notes: Vec::new(),
        recipients: Vec::new(),
        charged,
        balance: facts.sender.id.is_agent().then_some(facts.funds.balance - charged),
        after: None,
    }
}

fn known<'a>(target: &Target<'a>) -> Option<&'a TopicFacts> {
    match target {
        Target::Topic(topic) => Some(topic),
        Target::New { .. } => None,
    }
}

/// The topic that the message goes to: a new one, or one that may get its title now [T2].
fn open_or_title(
    facts: &SendFacts,
    draft: &mut Draft,
    target: &Target<'_>,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> Topic {
    let title = draft.title.take();
    match target {
        Target::New { conversation, kind } => {
            let due = due::after_message(&facts.policy, declared_by(draft).as_ref(), now);
            let (conversation, opener) = (*conversation, &facts.sender.id);
            open::open(Opening { conversation, kind, opener, title, due }, ids, now, changes)
        }
        Target::Topic(known) => {
            let mut topic = known.standing.topic.clone();
            if let Some(title) = title {
                let (id, conversation) = (topic.id, topic.conversation);
                changes.push(Change::TopicTitled { topic: id, conversation, title: title.clone() });
                topic.title = Some(title);
            }
            topic
        }
    }
}

/// The state that the draft asks for, as far as a topic's first timer depends on it.
fn declared_by(draft: &Draft) -> Option<State> {
    match draft.state? {
        Declared::Waiting => Some(State::Waiting(vec![ParticipantId::system()])),
        Declared::Done => Some(State::Done),
        Declared::Working => Some(State::Working),
        Declared::NeedsHuman => Some(State::NeedsHuman),
    }
}

/// The sender's open debt that this response names [M4].
fn settles<'a>(topic: &'a TopicFacts, draft: &Draft) -> Option<&'a Debt> {
    let debt = &topic.named.as_ref()?.debt;
    let names_it = draft.kind == MessageType::Response && draft.in_reply_to == Some(debt.request);
    names_it.then_some(debt)
}

/// An answer is one more than the message it answers; something new, one more than the farthest wake that the
/// sender has taken here, or the first hop after a person's line [H1].
fn origin(facts: &SendFacts, known: Option<&TopicFacts>, settled: Option<&Debt>, own: MessageId) -> Origin {
    if !facts.sender.id.is_agent() {
        return Origin { message: own, hop: 0 };
    }
    if let Some(debt) = settled {
        return Origin { hop: debt.origin.hop + 1, ..debt.origin };
    }
    let taken = known
        .into_iter()
        .flat_map(|topic| &topic.standing.wakes)
        .filter(|wake| wake.agent == facts.sender.id && wake.status == WakeStatus::Taken);
    match taken.max_by_key(|wake| (wake.operator, wake.origin.hop)) {
        Some(wake) if wake.operator => Origin { hop: 1, ..wake.origin },
        Some(wake) => Origin { hop: wake.origin.hop + 1, ..wake.origin },
        None => Origin { message: own, hop: 1 },
    }
}

/// The sender's own wakes and debt, as far as this message answers them [K2, K3, M4].
fn answer_own(
    sending: &Sending<'_>,
    done: bool,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) -> Vec<WakeId> {
    let Some(topic) = sending.known else { return Vec::new() };
    let act = Act { by: &sending.sender.id, settled: sending.settled.map(|debt| debt.request), done };
    let ended = answer::end(topic, &act, changes);
    if !done {
        answer::rouse(topic, &act, &ended, ids, sending.now, changes);
    }
    if done {
        notice::tell_askers(&topic.standing, act.by, act.settled, ids, changes);
    }
    if let Some(debt) = sending.settled {
        let how = DebtEnd::Settled(sending.message);
        changes.push(Change::DebtEnded {
            debt: debt.clone(),
            topic: topic.standing.topic.id,
            conversation: topic.standing.topic.conversation,
            how,
        });
    }
    ended
}

/// The debts that stand open in the topic after this message.
fn open_debts(sending: &Sending<'_>, deliveries: &[Delivery]) -> Vec<Debt> {
    let settled = |debt: &&Debt| sending.settled != Some(*debt);
    let before = sending.known.into_iter().flat_map(|topic| &topic.standing.debts).filter(settled).cloned();
    let new = deliveries.iter().filter(|delivery| delivery.owes).map(|delivery| Debt {
        request: sending.message,
        debtor: delivery.recipient.clone(),
        creditor: sending.sender.id.clone(),
        origin: sending.origin,
        wake: delivery.wake,
    });
    before.chain(new).collect()
}

#[expect(clippy::too_many_arguments, reason = "each is one column of the row")]
fn compose(
    draft: &Draft,
    topic: &Topic,
    facts: &SendFacts,
    origin: Origin,
    id: MessageId,
    state: Option<State>,
    charged: i64,
    sent_at: Timestamp,
) -> Message {
    Message {
        id,
        topic: topic.id,
        conversation: topic.conversation,
        sender: facts.sender.id.clone(),
        kind: draft.kind,
        text: draft.text.clone(),
        mark: facts.sender.id.is_agent().then_some(draft.mark),
        body: draft.body.clone(),
        in_reply_to: draft.in_reply_to,
        state,
        origin,
        charged,
        sent_at,
        turn: facts.turn,
    }
}

/// A topic after a message, as far as it may close.
struct Closing<'a> {
    known: Option<&'a TopicFacts>,
    topic: &'a Topic,
    parties: &'a [Party],
    /// Wakes that the message ended.
    ended: &'a [WakeId],
    debts: &'a [Debt],
}

/// All parties done: the topic closes at once, with everything that stands open in it [S5, S7].
fn close_if_done(
    facts: &SendFacts,
    closing: &Closing<'_>,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> Status {
    let Closing { known, topic, parties, ended, debts } = closing;
    if !topic::all_done(parties.iter().map(|party| &party.state)) {
        return topic.status;
    }
    let wakes: Vec<_> = known
        .iter()
        .flat_map(|topic| &topic.standing.wakes)
        .filter(|wake| !ended.contains(&wake.id))
        .cloned()
        .collect();
    let pending = close::Pending {
        wakes: &wakes,
        debts,
        unfinished: known.map(|topic| topic.unfinished.as_slice()).unwrap_or_default(),
        farthest: known.and_then(|topic| topic.farthest),
        shortfalls: &going::lacking(facts, topic),
    };
    close::changes(topic, &facts.sender.id, &pending, ids, now, changes);
    Status::Closed
}

/// The rules that fired, in order, for `why`.
fn explain(sending: &Sending<'_>, price: i64, deliveries: &[Delivery]) -> Vec<Fired> {
    let mut fired = Vec::with_capacity(3 + deliveries.len());
    let mut say = |rule, facts: String| fired.push(Fired { rule, facts });
    for repair in &sending.draft.repairs {
        say("M5", format!("{}: {}", repair.field, repair.note));
    }
    if sending.draft.topic == TopicNamed::New {
        say("M6", format!("opened {}", sending.topic));
    }
    if let Some(debt) = sending.settled {
        say("M4", format!("settles {}", debt.request));
    }
    for delivery in deliveries {
        let effect = delivery.effect.reason().unwrap_or(delivery.effect.name());
        let rule = match delivery.effect {
            Effect::Context(ContextReason::LoopSuspected) => loop_suspected(sending, &delivery.recipient),
            Effect::Wake | Effect::Context(_) | Effect::Notify { .. } => None,
        };
        say(rule.unwrap_or(delivery.effect.rule()), format!("{}: {effect}", delivery.recipient));
    }
    if sending.sender.id.is_agent() {
        say("C1", format!("{price} credits"));
    }
    fired
}
