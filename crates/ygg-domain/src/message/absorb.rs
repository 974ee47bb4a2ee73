//! A word to the backend itself: not delivered, not charged; of its states only two count [K5].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::Ids;
use crate::message::draft::{Declared, Draft};
use crate::message::send::{Decision, Place, Remember, Reply, SendFacts, TopicFacts};
use crate::message::{Outcome, Receipt, Repair, TopicAfter, going};
use crate::name::{Address, Kind};
use crate::notice;
use crate::time::Timestamp;
use crate::topic::{self, Standing, State, Status, due, state};
use crate::wake::answer::{self, Act};

/// Whether the draft is meant for the backend alone. Named beside others it was left out when the draft was read.
pub fn applies(draft: &Draft) -> bool {
    draft.to.iter().any(is_backend)
}

pub fn is_backend(address: &Address) -> bool {
    matches!(address, Address::Id(id) if id.kind() == Kind::System)
}

pub fn absorb(facts: &SendFacts, draft: &Draft, ids: &mut dyn Ids, now: Timestamp) -> Decision {
    let mut receipt = Receipt {
        outcome: Outcome::Absorbed,
        message: None,
        topic: None,
        conversation: None,
        notes: draft.repairs.clone(),
        recipients: Vec::new(),
        charged: 0,
        balance: facts.sender.id.is_agent().then_some(facts.funds.balance),
        after: None,
    };
    if !draft.attachments.is_empty() {
        receipt.notes.push(Repair::new(
            "K5",
            "attachments",
            "left out: system.ygg reads no files; they are still yours to send",
        ));
    }
    let mut changes = Vec::new();
    let mut due = None;
    if let Some(topic) = party_topic(facts) {
        receipt.topic = Some(topic.standing.topic.id);
        receipt.conversation = Some(topic.standing.topic.conversation);
        let full = state::takes_place_back(facts, topic);
        let counts = match draft.state {
            Some(Declared::Done) => Some(State::Done),
            Some(Declared::Working) if !full => Some(State::Working),
            Some(Declared::Working) => {
                receipt.notes.push(Repair::new("T3", "state", state::NO_PLACE));
                None
            }
            Some(Declared::Waiting | Declared::NeedsHuman) => {
                let note = "dropped: only done and working count here";
                receipt.notes.push(Repair::new("K5", "state", note));
                None
            }
            None => None,
        };
        let after = apply_state(facts, topic, counts, ids, now, &mut changes);
        // It is no message, so the silence goes on from before it: what that makes due is looked at now [S6].
        if after.status == Status::Open && !changes.is_empty() {
            due = due::earlier(topic.standing.topic.due, now).map(|at| (topic.standing.topic.id, at));
        }
        receipt.after = Some(after);
    }
    Decision { changes, reply: Reply::Receipt(Box::new(receipt)), remember: Remember::Receipt, due }
}

/// The open topic that the draft names, if the sender is a party of it.
fn party_topic(facts: &SendFacts) -> Option<&TopicFacts> {
    match &facts.place {
        Place::Topic(topic) if topic.ties.party && topic.standing.topic.status != Status::Closed => {
            Some(topic)
        }
        Place::Topic(_) | Place::New(_) | Place::Unnamed | Place::Unknown(_) => None,
    }
}

fn apply_state(
    facts: &SendFacts,
    topic: &TopicFacts,
    state: Option<State>,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> TopicAfter {
    let sender = &facts.sender.id;
    let mut standing = topic.standing.clone();
    let place = standing.parties.iter().position(|party| party.participant == *sender);
    if let (Some(place), Some(state)) = (place, state) {
        let before = standing.parties[place].clone();
        let party = &mut standing.parties[place];
        if party.state != state {
            state::enter(party, state.clone(), now);
            // It cost nothing, so it is no new part of which one might be asked anew [S6, L4].
            if !planted(Fault::FreeWordAskedAnew) {
                (party.asked_at, party.replied_at) = (before.asked_at, before.replied_at);
            }
        }
        // It answers the poll, once: a day of silence runs from then.
        if state != State::Done && party.asked_at.is_some() && !planted(Fault::PollUnanswered) {
            party.replied_at = party.replied_at.or(Some(now));
        }
        // A word that changes nothing writes nothing: it is free, and so must not be a way to fill the log.
        if *party != before {
            changes.push(state::change(&topic.standing.topic, party));
        }
        if before.state == State::Done && state != State::Done {
            state::wait_anew(&topic.standing.topic, sender, &mut standing.parties, now, changes);
        }
        if state == State::Done && before.state != State::Done {
            return done(facts, topic, standing, ids, now, changes);
        }
    }
    TopicAfter { status: topic.standing.topic.status, parties: standing.parties }
}

/// What ends with the sender's part; a lack of credits of its own keeps nobody waiting any more [C4].
fn done(
    facts: &SendFacts,
    topic: &TopicFacts,
    mut standing: Standing,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> TopicAfter {
    let act = Act { by: &facts.sender.id, settled: None, done: true };
    let ended = answer::end(topic, &act, changes);
    notice::tell_askers(&topic.standing, act.by, None, ids, changes);
    if topic::all_done(standing.parties.iter().map(|party| &party.state)) {
        let wakes: Vec<_> =
            topic.standing.wakes.iter().filter(|wake| !ended.contains(&wake.id)).cloned().collect();
        let pending = topic::close::Pending {
            wakes: &wakes,
            debts: &topic.standing.debts,
            unfinished: &topic.unfinished,
            farthest: topic.farthest,
            shortfalls: &going::of_topic(facts, standing.topic.id),
        };
        topic::close::changes(&standing.topic, &facts.sender.id, &pending, ids, now, changes);
        return TopicAfter { status: Status::Closed, parties: standing.parties };
    }
    going::end_shortfall(facts, topic, &mut standing, ids, now, changes);
    TopicAfter { status: standing.topic.status, parties: standing.parties }
}
