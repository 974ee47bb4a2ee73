//! Whether a topic stands still or goes on with a message, and what else of it the message moves: nudges that have no
//! use any more, marks that people see, and the time of its next timer [S2, S3, C4].

use crate::change::Change;
use crate::credits::shortfall::Shortfall;
use crate::fault::{Fault, planted};
use crate::id::{Ids, TopicId, WakeId};
use crate::message::send::{SendFacts, TopicFacts};
use crate::message::{ContextReason, Debt, Delivery, Effect};
use crate::name::ParticipantId;
use crate::notice::Notice;
use crate::time::Timestamp;
use crate::topic::pause;
use crate::topic::{Party, Standing, State, Status, Topic, due as topic_due, waits};
use crate::wake::Wake;

/// What a message makes of a topic's pause.
pub struct Going {
    /// What the topic is while the message is delivered.
    status: Status,
    resumes: bool,
}

/// What agents lack in the topic.
pub fn of_topic(facts: &SendFacts, topic: TopicId) -> Vec<Shortfall> {
    facts.shortfalls.iter().filter(|short| short.topic == Some(topic)).cloned().collect()
}

/// The same after this message: a person's ends all of it, an agent's its own.
pub fn lacking(facts: &SendFacts, topic: &Topic) -> Vec<Shortfall> {
    let sender = &facts.sender.id;
    let mut left = of_topic(facts, topic.id);
    left.retain(|short| !sender.is_person() && short.agent != *sender);
    left
}

/// A person's message ends any pause; an agent's ends its own lack of credits, which it has paid just now [S3, C4].
pub fn on(facts: &SendFacts, topic: &Topic, now: Timestamp, changes: &mut Vec<Change>) -> Going {
    if !matches!(topic.status, Status::Paused(_)) {
        return Going { status: topic.status, resumes: false };
    }
    let left = lacking(facts, topic);
    let over = of_topic(facts, topic.id).into_iter().filter(|short| !left.contains(short));
    changes.extend(over.map(Change::ShortfallEnded));
    let status = if facts.sender.id.is_person() {
        Status::Open
    } else {
        topic.status.with_lacking_credits(!left.is_empty())
    };
    if status != Status::Open {
        changes.extend(pause::mark(topic, status, now).map(Change::TopicMarked));
    }
    Going { status, resumes: status == Status::Open }
}

impl Going {
    pub fn paused(&self) -> bool {
        matches!(self.status, Status::Paused(_))
    }

    pub fn resumes(&self) -> bool {
        self.resumes
    }

    /// The topic as it is after the pause, with its parties.
    #[expect(clippy::too_many_arguments, reason = "what a topic is and what is written of it")]
    pub fn resume(
        self,
        known: Option<&TopicFacts>,
        topic: Topic,
        parties: &mut Vec<Party>,
        deliveries: &[Delivery],
        ids: &mut dyn Ids,
        now: Timestamp,
        changes: &mut Vec<Change>,
    ) -> Topic {
        let (Some(known), true) = (known, self.resumes) else {
            return Topic { status: self.status, ..topic };
        };
        let mut standing = Standing { topic, parties: std::mem::take(parties), ..known.standing.clone() };
        let woken: Vec<&ParticipantId> = deliveries
            .iter()
            .filter(|delivery| delivery.effect == Effect::Wake)
            .map(|delivery| &delivery.recipient)
            .collect();
        pause::resume(&mut standing, &known.held_back, &woken, ids, now, changes);
        *parties = standing.parties;
        standing.topic
    }
}

/// An agent that is done lacks no credits there any more [C4].
pub fn end_shortfall(
    facts: &SendFacts,
    known: &TopicFacts,
    standing: &mut Standing,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let here = of_topic(facts, standing.topic.id).into_iter();
    let (own, left): (Vec<Shortfall>, Vec<Shortfall>) =
        here.partition(|short| short.agent == facts.sender.id);
    if own.is_empty() {
        return;
    }
    changes.extend(own.into_iter().map(Change::ShortfallEnded));
    let status = standing.topic.status.with_lacking_credits(!left.is_empty());
    if status == Status::Open {
        pause::resume(standing, &known.held_back, &[], ids, now, changes);
    } else if let Some(topic) = pause::mark(&standing.topic, status, now) {
        standing.topic = topic.clone();
        changes.push(Change::TopicMarked(topic));
    }
}

/// What people see of a topic: that it waits for them, that a loop was suspected, that it is stalled no more.
pub fn mark(
    topic: &mut Topic,
    declared: Option<&State>,
    deliveries: &[Delivery],
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let needs_human = declared == Some(&State::NeedsHuman);
    let status = if needs_human { topic.status.with_needs_human(true) } else { topic.status };
    let suspected = |delivery: &Delivery| delivery.effect == Effect::Context(ContextReason::LoopSuspected);
    let looped = topic.looped || deliveries.iter().any(suspected) && !planted(Fault::LoopNotShown);
    let before = topic.clone();
    *topic = pause::mark(topic, status, now).unwrap_or_else(|| topic.clone());
    (topic.stalled, topic.looped) = (false, looped);
    if *topic != before {
        changes.push(Change::TopicMarked(topic.clone()));
    }
}

/// Ends the nudges whose wait is over with this message, and wakes that carried nothing else.
pub fn withdraw_nudges(
    known: &TopicFacts,
    parties: &[Party],
    sender: &ParticipantId,
    deliveries: &[Delivery],
    settled: Option<&Debt>,
    ended: &[WakeId],
    changes: &mut Vec<Change>,
) -> Vec<WakeId> {
    if known.notices.is_empty() || planted(Fault::NudgesStay) {
        return Vec::new();
    }
    let party = |id: &ParticipantId| parties.iter().find(|party| party.participant == *id);
    let waits_still = |notice: &Notice| {
        let waiter = notice.about.as_ref().and_then(party);
        waiter.is_some_and(
            |waiter| matches!(&waiter.state, State::Waiting(on) if on.contains(&notice.recipient)),
        )
    };
    let owes = |notice: &Notice| {
        known.standing.debts.iter().any(|debt| {
            debt.debtor == notice.recipient
                && Some(&debt.creditor) == notice.about.as_ref()
                && settled != Some(debt)
        })
    };
    let over = |notice: &Notice| {
        let done = party(&notice.recipient).is_some_and(|party| party.state == State::Done);
        done || !waits_still(notice) || notice.recipient == *sender && !owes(notice)
    };
    let wakes: Vec<Wake> =
        known.standing.wakes.iter().filter(|wake| !ended.contains(&wake.id)).cloned().collect();
    let from = changes.len();
    // What this very message puts into a wake is there too.
    let carries = |wake: &Wake| {
        let mut to = deliveries.iter();
        to.any(|delivery| delivery.wake == Some(wake.id) || delivery.folded == Some(wake.id))
    };
    let others = |wake: &Wake| known.carrying.contains(&wake.id) || carries(wake);
    waits::withdraw(&known.notices, &wakes, over, others, changes);
    changes[from..]
        .iter()
        .filter_map(|change| match change {
            Change::WakeEnded { wake, .. } => Some(*wake),
            _ => None,
        })
        .collect()
}

/// When the topic's timers are to be looked at, if that is sooner than it is known for.
pub fn due(
    facts: &SendFacts,
    known: Option<&TopicFacts>,
    topic: &Topic,
    declared: Option<&State>,
    reached: &[ParticipantId],
    now: Timestamp,
) -> Option<(TopicId, Timestamp)> {
    let parties = &known?.standing.parties;
    let waits = |party: &Party| match &party.state {
        State::Waiting(on) => on.iter().any(|id| reached.contains(id)),
        State::Informed | State::Working | State::NeedsHuman | State::Done => false,
    };
    let said = topic_due::Said {
        declared,
        some_done: parties.iter().any(|party| party.state == State::Done),
        awaited: parties.iter().any(waits),
    };
    let first = topic_due::after_message(&facts.policy, &said, now);
    topic_due::earlier(topic.due, first).map(|at| (topic.id, at))
}
