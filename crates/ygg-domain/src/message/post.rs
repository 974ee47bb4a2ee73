//! A send that passed every check: the changes it makes, in order, and the receipt that tells of them.

use crate::change::{Change, DebtEnd, Posted};
use crate::credits::Reason;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId, WakeId};
use crate::message::deliver::{Sending, deliver};
use crate::message::draft::{Declared, Draft};
use crate::message::fired::Begun;
use crate::message::going::{self, Going};
use crate::message::record::{Checked, Marks, Record};
use crate::message::send::{Decision, Remember, Reply, SendFacts, Target, TopicFacts};
use crate::message::{Debt, Delivery, Message, MessageType, Origin, Outcome, Receipt, TopicAfter};
use crate::name::ParticipantId;
use crate::notice;
use crate::participant::Participant;
use crate::time::Timestamp;
use crate::topic::open::Opening;
use crate::topic::state::{Moving, state_of};
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
    let mut record = Record::of(recipients.len());
    let known = known(target);
    let topic = open_or_title(facts, &mut draft, target, ids, now, &mut changes);
    let (opening, checked) = (changes.as_slice(), draft.repairs.len());
    record.checked(&Checked { facts, draft: &draft, target, topic: &topic, opening, recipients, price });
    let declared = state::declared(facts, &mut draft, known, recipients);
    record.repaired(&draft.repairs[checked..]);
    let message = MessageId::fresh(ids);
    let settled = known.and_then(|topic| settles(topic, &draft));
    let (origin, begun) = origin(facts, known, settled, message);
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
        policy: &facts.policy,
        workspace_paused: facts.workspace_paused,
        now,
    };
    record.begun(&sending, begun);
    record.going(&facts.sender.id, topic.status, going.resumes(), &after);
    let deliveries = deliver(&sending, recipients, ids, &mut after, &mut record);
    let entered = Entered { facts, sending: &sending, declared: declared.as_ref(), deliveries: &deliveries };
    let Left { topic, parties, ended } = enter(&entered, going, topic, ids, &mut after, &mut record);

    let effects = deliveries.iter().map(|delivery| (delivery.recipient.clone(), delivery.effect)).collect();
    let owed = open_debts(&sending, &deliveries);
    let reached: Vec<ParticipantId> = deliveries.iter().map(|delivery| delivery.recipient.clone()).collect();
    let closing = Closing { known, topic: &topic, parties: &parties, ended: &ended, debts: &owed };
    let mut closed = Vec::new();
    let status = close_if_done(facts, &closing, ids, now, &mut closed);
    record.closed(parties.len(), &closed);
    let notes = std::mem::take(&mut draft.repairs);
    let message = compose(&draft, &topic, facts, origin, message, declared.clone(), price, now);
    let index = std::mem::take(&mut draft.index);
    let posted = Posted { message, deliveries, fired: record.end(), index };
    let message = posted.message.id;
    changes.push(Change::MessagePosted(Box::new(posted)));
    changes.append(&mut after);
    let entries = facts.funds.pay(price, Reason::Message, &facts.sender.id, Some(message));
    changes.extend(entries.into_iter().map(Change::CreditsMoved));
    changes.append(&mut closed);
    let mut receipt = told(facts, &topic, message, price);
    (receipt.notes, receipt.recipients) = (notes, effects);
    receipt.after = Some(TopicAfter { status, parties });
    let due = match status {
        Status::Closed => None,
        Status::Open | Status::Paused(_) => {
            going::due(facts, known, &topic, declared.as_ref(), &reached, now)
        }
    };
    Decision { changes, reply: Reply::Receipt(Box::new(receipt)), remember: Remember::Receipt, due }
}

/// A message that has reached its recipients, and what is to come of it in its topic.
struct Entered<'a> {
    facts: &'a SendFacts,
    sending: &'a Sending<'a>,
    declared: Option<&'a State>,
    deliveries: &'a [Delivery],
}

/// A topic as the message leaves it, still open.
struct Left {
    topic: Topic,
    parties: Vec<Party>,
    /// Wakes that the message ended.
    ended: Vec<WakeId>,
}

/// What a message makes of its topic: the end of a pause, parties in other states, what it answers, what people see.
fn enter(
    entered: &Entered<'_>,
    going: Going,
    topic: Topic,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
    record: &mut Record,
) -> Left {
    let Entered { facts, sending, declared, deliveries } = *entered;
    let (known, sender, now) = (sending.known, &facts.sender, sending.now);
    let mut parties = known.map(|topic| topic.standing.parties.clone()).unwrap_or_default();
    let mut topic = going.resume(known, topic, &mut parties, deliveries, ids, now, changes);
    record.resumed(changes);
    let moving = Moving { sender, kind: sending.draft.kind, declared, topic: &topic, now };
    state::move_parties(&moving, deliveries, &mut parties, changes);
    record.moved(&sender.id, known, changes);
    let done = declared == Some(&State::Done);
    let stays_done = state_of(&parties, &sender.id) == Some(&State::Done);
    let mut ended = answer_own(sending, (done, stays_done), ids, changes);
    if let Some(known) = known {
        ended.extend(going::withdraw_nudges(
            known,
            &parties,
            &sender.id,
            deliveries,
            sending.settled,
            &ended,
            changes,
        ));
    }
    record.answered(known, done, changes);
    let before = Marks::from(&topic);
    going::mark(&mut topic, declared, deliveries, now, changes);
    record.marked(before, &topic);
    Left { topic, parties, ended }
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
            let declared = declared_by(draft);
            let said = due::Said { declared: declared.as_ref(), some_done: false, awaited: false };
            let due = due::after_message(&facts.policy, &said, now);
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
fn origin(
    facts: &SendFacts,
    known: Option<&TopicFacts>,
    settled: Option<&Debt>,
    own: MessageId,
) -> (Origin, Begun) {
    if !facts.sender.id.is_agent() {
        return (Origin { message: own, hop: 0 }, Begun::ByItself);
    }
    if let Some(debt) = settled {
        return (
            Origin { hop: debt.origin.hop + u32::from(!planted(Fault::HopUncounted)), ..debt.origin },
            Begun::ByAnswer,
        );
    }
    let taken = known
        .into_iter()
        .flat_map(|topic| &topic.standing.wakes)
        .filter(|wake| wake.agent == facts.sender.id && wake.status == WakeStatus::Taken);
    match taken.max_by_key(|wake| (wake.operator, wake.origin.hop)) {
        Some(wake) if wake.operator => (Origin { hop: 1, ..wake.origin }, Begun::ByLine),
        Some(wake) => (Origin { hop: wake.origin.hop + 1, ..wake.origin }, Begun::ByWake),
        None => (Origin { message: own, hop: 1 }, Begun::ByItself),
    }
}

/// The sender's own wakes and debt, as far as this message answers them [K2, K3, M4].
fn answer_own(
    sending: &Sending<'_>,
    (done, stays_done): (bool, bool),
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) -> Vec<WakeId> {
    let Some(topic) = sending.known else { return Vec::new() };
    let act = Act { by: &sending.sender.id, settled: sending.settled.map(|debt| debt.request), done };
    let ended = answer::end(topic, &act, changes);
    // Nor does anything come up for one who was done and says no other [S4].
    if !stays_done {
        answer::rouse(topic, &act, &ended, ids, sending.now, changes);
    }
    if done {
        notice::tell_askers(&topic.standing, act.by, act.settled, ids, changes);
    }
    if let Some(debt) = sending.settled.filter(|_| !planted(Fault::DebtStays)) {
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
        asked_at: sending.now,
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
        attachments: facts.files.iter().filter_map(|(_, found)| found.clone()).collect(),
        in_reply_to: draft.in_reply_to,
        state,
        origin,
        charged,
        sent_at,
        turn: facts.turn,
        redacted: None,
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
