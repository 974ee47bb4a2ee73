//! A word to the backend itself: not delivered, not charged; of its states only two count [K5].

use crate::change::Change;
use crate::id::Ids;
use crate::message::draft::{Declared, Draft};
use crate::message::send::{Decision, Place, Remember, Reply, SendFacts, TopicFacts};
use crate::message::{Fired, Outcome, Receipt, Repair, TopicAfter};
use crate::name::{Address, Kind};
use crate::notice;
use crate::topic::{self, State, Status, state};
use crate::wake::answer::{self, Act};

/// Whether the draft is meant for the backend alone. Named beside others it was left out when the draft was read.
pub fn applies(draft: &Draft) -> bool {
    draft.to.iter().any(is_backend)
}

pub fn is_backend(address: &Address) -> bool {
    matches!(address, Address::Id(id) if id.kind() == Kind::System)
}

pub fn absorb(facts: &SendFacts, draft: &Draft, ids: &mut dyn Ids) -> Decision {
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
    let mut changes = Vec::new();
    if let Some(topic) = party_topic(facts) {
        receipt.topic = Some(topic.standing.topic.id);
        receipt.conversation = Some(topic.standing.topic.conversation);
        let full = state::takes_place_back(facts, topic);
        let counts = match draft.state {
            Some(Declared::Done) => Some(State::Done),
            Some(Declared::Working) if !full => Some(State::Working),
            Some(Declared::Working) => {
                receipt.notes.push(Repair::new("state", state::NO_PLACE));
                None
            }
            Some(Declared::Waiting | Declared::NeedsHuman) => {
                receipt.notes.push(Repair::new("state", "dropped: only done and working count here"));
                None
            }
            None => None,
        };
        receipt.after = Some(apply_state(facts, topic, counts, ids, &mut changes));
    }
    Decision {
        changes,
        reply: Reply::Receipt(Box::new(receipt)),
        fired: vec![Fired { rule: "K5", facts: "addressed to system.ygg".to_owned() }],
        remember: Remember::Receipt,
    }
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
    changes: &mut Vec<Change>,
) -> TopicAfter {
    let mut parties = topic.standing.parties.clone();
    // A word that changes nothing writes nothing: it is free, and so must not be a way to fill the log.
    let moves = |state: &State| state::state_of(&topic.standing.parties, &facts.sender.id) != Some(state);
    if let Some(state) = state.filter(moves) {
        state::set(&mut parties, &facts.sender.id, state.clone());
        changes.push(Change::PartySet {
            topic: topic.standing.topic.id,
            conversation: topic.standing.topic.conversation,
            participant: facts.sender.id.clone(),
            state: state.clone(),
        });
        if state == State::Done {
            let act = Act { by: &facts.sender.id, settled: None, done: true };
            let ended = answer::end(topic, &act, changes);
            notice::tell_askers(&topic.standing, act.by, None, ids, changes);
            if topic::all_done(parties.iter().map(|party| &party.state)) {
                let pending: Vec<_> =
                    topic.standing.wakes.iter().filter(|wake| !ended.contains(&wake.id)).cloned().collect();
                let pending = topic::close::Pending { wakes: &pending, debts: &topic.standing.debts };
                changes.extend(topic::close::changes(&topic.standing.topic, &facts.sender.id, &pending));
                return TopicAfter { status: Status::Closed, parties };
            }
        }
    }
    TopicAfter { status: topic.standing.topic.status, parties }
}
