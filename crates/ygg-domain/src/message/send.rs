//! One send, decided: the checks in their order, then the effects (docs/rules/protocol.md §9, §6). The first
//! failure is the answer.

use std::time::Duration;

use crate::change::Change;
use crate::conversation::access::{Ties, may_write};
use crate::conversation::{Conversation, Kind};
use crate::credits::shortfall::Shortfall;
use crate::credits::{Funds, Reason};
use crate::fault::{Fault, planted};
use crate::file::Attachment;
use crate::id::{ConversationId, FileId, Ids, TopicId, TurnId, WakeId};
use crate::loops::Signs;
use crate::message::draft::{self, ConversationNamed, Draft};
use crate::message::recipients::{Addressed, Resolved, resolve};
use crate::message::{Debt, Origin, Outcome, Receipt, Repair, absorb, post};
use crate::name::{Address, ParticipantId};
use crate::notice::Notice;
use crate::participant::{Participant, Right};
use crate::policy::Policy;
use crate::refusal::{HeldTopic, Refusal};
use crate::time::Timestamp;
use crate::topic::pause::{self, HeldBack};
use crate::topic::{self, Standing, Status, Topic};
use crate::wake::Folded;

/// What this decision may look at. The store loads it; nothing else is read.
pub struct SendFacts {
    pub policy: Policy,
    pub workspace_paused: bool,
    pub sender: Participant,
    /// The supervised turn that sends, if one does.
    pub turn: Option<TurnId>,
    /// Set when the sender's key is over its rate [O9].
    pub over_rate: Option<Duration>,
    /// The earlier send under the same key, if it is still remembered [M8].
    pub prior: Option<Prior>,
    pub place: Place,
    pub addressed: Addressed,
    /// `waiting_for`, looked up: empty where nobody is known by that address.
    pub awaited: Vec<(Address, Vec<ParticipantId>)>,
    /// Open topics that the sender opened and is not done with [T3].
    pub held: Vec<HeldTopic>,
    pub funds: Funds,
    /// Everything that was refused for want of credits and still waits for them [C4].
    pub shortfalls: Vec<Shortfall>,
    /// What speaks for a loop between the sender and each agent that a request addresses [L1, L2].
    pub loops: Vec<(ParticipantId, Signs)>,
    /// The files that the draft names, as far as they are there and the sender may read them.
    pub files: Vec<(FileId, Option<Attachment>)>,
}

/// What is remembered under a sender's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prior {
    pub digest: [u8; 32],
    /// The first receipt, as it was told; none when that send was refused but paid for [T1].
    pub receipt: Option<String>,
}

pub enum Place {
    /// The draft names no topic.
    Unnamed,
    /// It names one that is not there, or not the sender's to see.
    Unknown(String),
    New(NewPlace),
    Topic(Box<TopicFacts>),
}

/// Where a new topic would go.
pub enum NewPlace {
    /// The conversation that the draft names.
    Given { conversation: Conversation, ties: Ties },
    /// It names one that is not there.
    UnknownConversation(String),
    /// The one that follows from the recipients [M6]; none made yet when `found` is empty.
    OnDemand { kind: Option<Kind>, found: Option<ConversationId> },
}

/// The topic that a draft names, and what is between it and the sender.
pub struct TopicFacts {
    /// Its debts are loaded when the sender says done, for that may close it.
    pub standing: Standing,
    pub ties: Ties,
    /// The sender's open debt that the draft names [M4].
    pub named: Option<NamedDebt>,
    /// Those awaited who owe the sender an answer here [S2].
    pub debtors: Vec<ParticipantId>,
    /// Requests folded into the sender's wakes here and not handed yet, when one of those may end [K3].
    pub folded: Vec<Folded>,
    /// Who wrote the request that `in_reply_to` names, if it is one of this topic.
    pub reply_to: Option<ParticipantId>,
    /// What a pause held back, where this message may end it [S3].
    pub held_back: Vec<HeldBack>,
    /// What reminded parties were told and have not read yet, and which of the wakes that remind them carry messages too,
    /// or have some folded into them [S2, K3].
    pub notices: Vec<Notice>,
    pub carrying: Vec<WakeId>,
    /// Where this message may close the topic: agents with something left to do elsewhere, and the farthest waking
    /// message of the topic [K4, H3].
    pub unfinished: Vec<ParticipantId>,
    pub farthest: Option<Origin>,
}

/// The request that a response names, while its answer is owed.
pub struct NamedDebt {
    pub debt: Debt,
    /// The wake that carries it carries no other request that is still owed an answer [K2].
    pub last_of_wake: bool,
}

pub struct Decision {
    pub changes: Vec<Change>,
    pub reply: Reply,
    pub remember: Remember,
    /// When the topic's timers are to be looked at, if that is sooner than before.
    pub due: Option<(TopicId, Timestamp)>,
}

pub enum Reply {
    Receipt(Box<Receipt>),
    /// The first receipt of this key, as it was told.
    Again(String),
}

/// What is kept under the draft's key [M8].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remember {
    Nothing,
    Receipt,
    /// A refusal that was paid for, so that a repeat is not paid again [T1].
    Charge,
}

/// Where the message goes, once every check has passed.
pub enum Target<'a> {
    New { conversation: Option<ConversationId>, kind: &'a Kind },
    Topic(&'a TopicFacts),
}

pub fn decide(
    facts: &SendFacts,
    draft: Result<Draft, Refusal>,
    ids: &mut dyn Ids,
    now: Timestamp,
) -> Decision {
    let mut draft = match understood(facts, draft) {
        Ok(draft) => draft,
        Err(refusal) => return refuse(facts, refusal, Vec::new(), now),
    };
    match checks(facts, &mut draft) {
        Ok(Checked::Post { target, recipients, price }) => {
            post::post(facts, draft, &target, &recipients, price, post::Fresh { ids, now })
        }
        Ok(Checked::Absorb) => absorb::absorb(facts, &draft, ids, now),
        Ok(Checked::Again(receipt)) => Decision {
            changes: Vec::new(),
            reply: Reply::Again(receipt),
            remember: Remember::Nothing,
            due: None,
        },
        Err(refusal) => refuse(facts, refusal, draft.repairs, now),
    }
}

enum Checked<'a> {
    Post { target: Target<'a>, recipients: Vec<Participant>, price: i64 },
    Absorb,
    Again(String),
}

/// The draft, of one who may send and in a form that makes sense.
fn understood(facts: &SendFacts, draft: Result<Draft, Refusal>) -> Result<Draft, Refusal> {
    check_sender(&facts.sender, facts.workspace_paused)?;
    if let Some(retry_after) = facts.over_rate {
        return Err(Refusal::RateLimited { retry_after });
    }
    draft
}

fn checks<'a>(facts: &'a SendFacts, draft: &mut Draft) -> Result<Checked<'a>, Refusal> {
    if let Some(receipt) = check_duplicate(facts, draft)? {
        return Ok(Checked::Again(receipt));
    }
    check_files(facts)?;
    if absorb::applies(draft) {
        return Ok(Checked::Absorb);
    }
    let target = check_topic_named(facts)?;
    let within = match &target {
        Target::Topic(topic) => Some(&topic.standing.kind),
        Target::New { kind, .. } => given_conversation(facts).map(|_| *kind),
    };
    let recipients = resolve(&facts.sender.id, &facts.addressed, within)?;
    if let Target::Topic(topic) = &target {
        check_open(&topic.standing.topic)?;
        note_conversation(draft, &topic.standing.topic);
    }
    check_title(facts, draft, &target)?;
    check_topic_limit(facts, &target)?;
    let price = check_price(facts, draft, recipients.len())?;
    Ok(Checked::Post { target, recipients, price })
}

/// Whether this participant may send anything now.
pub fn check_sender(sender: &Participant, workspace_paused: bool) -> Result<(), Refusal> {
    if sender.removed {
        return Err(Refusal::Forbidden { needs: "this participant was removed from the workspace" });
    }
    if let Some(agent) = sender.as_agent() {
        if workspace_paused {
            return Err(Refusal::WorkspacePaused);
        }
        return if agent.paused { Err(Refusal::AgentPaused) } else { Ok(()) };
    }
    if sender.id.is_person() && !sender.may(Right::Write) {
        return Err(Refusal::Forbidden { needs: "writing needs the role of member or above" });
    }
    Ok(())
}

/// The first receipt, when this send is a repeat of one that was not refused [M8].
fn check_duplicate(facts: &SendFacts, draft: &Draft) -> Result<Option<String>, Refusal> {
    let prior = facts.prior.as_ref().filter(|_| !planted(Fault::RepeatGoesOut));
    let Some(Prior { digest, receipt: Some(receipt) }) = prior else { return Ok(None) };
    if draft.key.as_ref().is_some_and(|keyed| keyed.digest == *digest) {
        Ok(Some(receipt.clone()))
    } else {
        Err(Refusal::IdempotencyConflict)
    }
}

/// A draft with a file that is not there cannot be understood as it was meant [M5].
fn check_files(facts: &SendFacts) -> Result<(), Refusal> {
    match facts.files.iter().find(|(_, found)| found.is_none()) {
        Some((named, _)) => Err(draft::no_such_file(named)),
        None => Ok(()),
    }
}

/// Topic named, topic known, and a conversation to put a new one in.
fn check_topic_named(facts: &SendFacts) -> Result<Target<'_>, Refusal> {
    let unresolved = || {
        let unknown = facts.addressed.iter().filter(|(_, resolved)| matches!(resolved, Resolved::Unknown));
        let unknown = unknown.map(|(address, _)| address.to_string()).collect();
        Refusal::UnknownRecipient { unknown }
    };
    match &facts.place {
        Place::Unnamed => Err(Refusal::TopicRequired),
        Place::Unknown(topic) => Err(Refusal::UnknownTopic { topic: topic.clone() }),
        Place::Topic(topic) if may_write(&facts.sender, &topic.standing.kind, topic.ties) => {
            Ok(Target::Topic(topic))
        }
        Place::Topic(topic) => Err(Refusal::UnknownTopic { topic: topic.standing.topic.id.to_string() }),
        Place::New(NewPlace::UnknownConversation(named)) => {
            Err(Refusal::UnknownRecipient { unknown: vec![named.clone()] })
        }
        Place::New(NewPlace::Given { conversation, ties }) => {
            if may_write(&facts.sender, &conversation.kind, *ties) {
                Ok(Target::New { conversation: Some(conversation.id), kind: &conversation.kind })
            } else {
                Err(Refusal::UnknownRecipient { unknown: vec![conversation.id.to_string()] })
            }
        }
        Place::New(NewPlace::OnDemand { kind, found }) => {
            let kind = kind.as_ref().ok_or_else(unresolved)?;
            Ok(Target::New { conversation: *found, kind })
        }
    }
}

fn given_conversation(facts: &SendFacts) -> Option<&Conversation> {
    match &facts.place {
        Place::New(NewPlace::Given { conversation, .. }) => Some(conversation),
        Place::New(NewPlace::OnDemand { .. } | NewPlace::UnknownConversation(_))
        | Place::Unnamed
        | Place::Unknown(_)
        | Place::Topic(_) => None,
    }
}

fn check_open(topic: &Topic) -> Result<(), Refusal> {
    match topic.status {
        Status::Closed if !planted(Fault::ClosedTakesMore) => Err(Refusal::TopicClosed { topic: topic.id }),
        Status::Open | Status::Paused(_) | Status::Closed => Ok(()),
    }
}

/// A topic lives where it lives; another conversation named beside it is ignored with a note.
fn note_conversation(draft: &mut Draft, topic: &Topic) {
    if draft.conversation.as_ref().is_some_and(|named| *named != ConversationNamed::Id(topic.conversation)) {
        let note = "ignored: the topic lives in another conversation";
        draft.repairs.push(Repair::new("M6", "conversation_id", note));
    }
}

/// The first agent to write gives the title; where one stands, another is ignored with a note [T2].
fn check_title(facts: &SendFacts, draft: &mut Draft, target: &Target<'_>) -> Result<(), Refusal> {
    let titled = match target {
        Target::Topic(topic) => topic.standing.topic.title.is_some(),
        Target::New { .. } => false,
    };
    if titled {
        if draft.title.take().is_some() {
            draft.repairs.push(Repair::new("T2", "title", "ignored: the topic has a title"));
        }
        return Ok(());
    }
    let problem = draft.title.as_deref().and_then(topic::title::problem);
    if facts.sender.id.is_agent() && (draft.title.is_none() || problem.is_some()) {
        return Err(Refusal::TitleRequired { problem });
    }
    // Nobody else owes a title, so a bad one is no reason to lose the line.
    if let Some(problem) = problem {
        draft.title = None;
        draft.repairs.push(Repair::new("T2", "title", format!("dropped: {problem}")));
    }
    Ok(())
}

fn check_topic_limit(facts: &SendFacts, target: &Target<'_>) -> Result<(), Refusal> {
    let limit = facts.policy.topic_limit;
    let opens = matches!(target, Target::New { .. }) && facts.sender.id.is_agent();
    if opens && facts.held.len() >= limit as usize && !planted(Fault::TopicLimitOff) {
        return Err(Refusal::TopicLimit { limit, held: facts.held.clone() });
    }
    Ok(())
}

/// What the send costs, if the funds bears it; people, hooks and the backend pay nothing [C1, C2].
fn check_price(facts: &SendFacts, draft: &Draft, recipients: usize) -> Result<i64, Refusal> {
    if !facts.sender.id.is_agent() {
        return Ok(0);
    }
    let unit = facts.policy.attachment_unit_bytes;
    let attached = facts.files.iter().filter_map(|(_, found)| found.as_ref()).map(|file| file.bytes).sum();
    let price = crate::credits::price(recipients, draft.text.chars().count(), attached, unit);
    match facts.funds.shortfall(price) {
        None => Ok(price),
        Some((pot, balance)) => {
            Err(Refusal::CreditsExhausted { needed: price, balance, pot: pot.to_string() })
        }
    }
}

/// What was made of the draft is told with the refusal: it may be why [M5].
fn refuse(facts: &SendFacts, refusal: Refusal, notes: Vec<Repair>, now: Timestamp) -> Decision {
    let costs = refusal == Refusal::TopicRequired || planted(Fault::RefusalPays);
    let first = facts.prior.is_none() || planted(Fault::TopiclessPaysAgain);
    let charged =
        if costs && facts.sender.id.is_agent() && first { facts.funds.balance.clamp(0, 1) } else { 0 };
    // The credit of [T1] comes from the paying pot alone: no topic, no budget.
    let funds = Funds { budget: None, ..facts.funds.clone() };
    let entries = funds.pay(charged, Reason::NoTopic, &facts.sender.id, None);
    let receipt = Receipt {
        message: None,
        topic: None,
        conversation: None,
        notes,
        recipients: Vec::new(),
        charged,
        balance: facts.sender.id.is_agent().then_some(facts.funds.balance - charged),
        after: None,
        outcome: Outcome::Refused(refusal.clone()),
    };
    let mut changes: Vec<Change> = entries.into_iter().map(Change::CreditsMoved).collect();
    if let Refusal::CreditsExhausted { needed, .. } = refusal {
        short(facts, needed, now, &mut changes);
    }
    Decision {
        changes,
        due: None,
        reply: Reply::Receipt(Box::new(receipt)),
        remember: if charged > 0 { Remember::Charge } else { Remember::Nothing },
    }
}

/// The topic pauses, and those who fund see one request for it, whatever the number of attempts [C4].
fn short(facts: &SendFacts, needed: i64, now: Timestamp, changes: &mut Vec<Change>) {
    let topic = match &facts.place {
        Place::Topic(topic) => Some(&topic.standing.topic),
        Place::New(_) | Place::Unnamed | Place::Unknown(_) => None,
    };
    let Some((pot, _)) = facts.funds.shortfall(needed) else { return };
    let agent = facts.sender.id.clone();
    let noted = Shortfall { agent, topic: topic.map(|topic| topic.id), pot, needed, at: now };
    let same = |known: &&Shortfall| known.agent == noted.agent && known.topic == noted.topic;
    match facts.shortfalls.iter().find(same) {
        Some(known) if known.needed == needed && known.pot == noted.pot => {}
        Some(known) => changes.push(Change::ShortfallNoted(Shortfall { at: known.at, ..noted })),
        None => changes.push(Change::ShortfallNoted(noted)),
    }
    let topic = topic.filter(|_| !planted(Fault::ShortfallPassesBy));
    let paused = topic.and_then(|topic| pause::mark(topic, topic.status.with_lacking_credits(true), now));
    changes.extend(paused.map(Change::TopicMarked));
}

#[cfg(test)]
#[path = "send_tests.rs"]
mod tests;
