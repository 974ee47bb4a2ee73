//! States: what a sender may declare, and what a message makes of each party [S1-S4].

use crate::change::Change;
use crate::message::draft::{Declared, Draft};
use crate::message::send::{SendFacts, TopicFacts};
use crate::message::{Delivery, Effect, MessageType, Repair};
use crate::name::{Address, ParticipantId};
use crate::participant::Participant;
use crate::time::Timestamp;
use crate::topic::{Party, State, Topic};

/// Why a state that would take a topic back is dropped [T3].
pub const NO_PLACE: &str = "dropped: you hold as many topics as you may; finish another first";

/// The state that the sender's word puts it in, or none when it declares none that stands. A `waiting_for` that
/// names the sender or nobody known makes the message an inform [M5].
pub fn declared(
    facts: &SendFacts,
    draft: &mut Draft,
    known: Option<&TopicFacts>,
    recipients: &[Participant],
) -> Option<State> {
    let state = match draft.state? {
        Declared::Working => State::Working,
        Declared::NeedsHuman => State::NeedsHuman,
        Declared::Done => return Some(State::Done),
        Declared::Waiting => State::Waiting(awaited(facts, draft, known, recipients)),
    };
    if known.is_some_and(|topic| takes_place_back(facts, topic)) {
        draft.repairs.push(Repair::new("T3", "state", NO_PLACE));
        return None;
    }
    Some(state)
}

/// Whether any state but done would give the sender a topic more than it may hold [T3].
pub fn takes_place_back(facts: &SendFacts, topic: &TopicFacts) -> bool {
    let was_done = state_of(&topic.standing.parties, &facts.sender.id) == Some(&State::Done);
    let full = facts.held.len() >= facts.policy.topic_limit as usize;
    facts.sender.id.is_agent() && topic.standing.topic.opener == facts.sender.id && was_done && full
}

/// Whom the sender may wait for: recipients, and those who owe it an answer here [S2].
fn awaited(
    facts: &SendFacts,
    draft: &mut Draft,
    known: Option<&TopicFacts>,
    recipients: &[Participant],
) -> Vec<ParticipantId> {
    let sender = &facts.sender.id;
    let is_sender = |address: &Address, ids: &[ParticipantId]| {
        matches!(address, Address::Id(_) | Address::At(_)) && ids.contains(sender)
    };
    let nobody = |(at, ids): &&(Address, Vec<ParticipantId>)| {
        *at != Address::Conversation && (ids.is_empty() || is_sender(at, ids))
    };
    if let Some((address, _)) = facts.awaited.iter().find(nobody) {
        draft.downgrade(
            "waiting_for",
            format!("dropped: nobody to wait for by {address}; it became an inform"),
        );
        return Vec::new();
    }
    let owes = |id: &ParticipantId| known.is_some_and(|topic| topic.debtors.contains(id));
    let (mut stands, mut dropped): (Vec<ParticipantId>, Vec<&str>) = (Vec::new(), Vec::new());
    // Everyone of the conversation, as far as this message reaches them.
    let everyone = facts.awaited.iter().any(|(at, _)| *at == Address::Conversation);
    stands.extend(recipients.iter().filter(|_| everyone).map(|recipient| recipient.id.clone()));
    let named = facts.awaited.iter().filter(|(at, _)| *at != Address::Conversation).flat_map(|(_, ids)| ids);
    for id in named.filter(|id| *id != sender) {
        if stands.contains(id) {
            continue;
        }
        if recipients.iter().any(|recipient| recipient.id == *id) || owes(id) {
            stands.push(id.clone());
        } else if !dropped.contains(&id.as_str()) {
            dropped.push(id.as_str());
        }
    }
    if !dropped.is_empty() {
        let note = format!(
            "left out: {}; neither recipients, nor do they owe you an answer here",
            dropped.join(", ")
        );
        draft.repairs.push(Repair::new("S2", "waiting_for", note));
    }
    stands
}

pub fn state_of<'a>(parties: &'a [Party], participant: &ParticipantId) -> Option<&'a State> {
    parties.iter().find(|party| party.participant == *participant).map(|party| &party.state)
}

/// Brings a party into a state. What it was asked before it was done is of a part that is over.
pub fn enter(party: &mut Party, state: State, now: Timestamp) {
    if party.state == State::Done && state != State::Done {
        (party.asked_at, party.replied_at) = (None, None);
    }
    if party.state != state || matches!(state, State::Waiting(_)) {
        party.since = now;
    }
    party.declared = false;
    party.state = state;
}

/// The event of a party that is not as it was.
pub fn change(topic: &Topic, party: &Party) -> Change {
    Change::PartySet { topic: topic.id, conversation: topic.conversation, party: party.clone() }
}

/// What writing makes of the sender that declared `declared`.
fn of_sender(before: Option<&State>, declared: Option<&State>) -> State {
    match (declared, before) {
        (Some(state), _) => state.clone(),
        (None, None | Some(State::Informed)) => State::Working,
        (None, Some(state)) => state.clone(),
    }
}

/// What being addressed makes of a recipient; none for a person who was only told something.
fn of_recipient(before: Option<&State>, asked: bool, by_person: bool, is_person: bool) -> Option<State> {
    match before {
        None if asked => Some(State::Working),
        None => (!is_person).then_some(State::Informed),
        Some(State::Informed) if asked => Some(State::Working),
        // Only a person's word reaches an agent that is done [S4]; a person who is asked again has a part again [S1].
        Some(State::Done) if is_person && asked || by_person && !is_person => Some(State::Working),
        Some(state) => Some(state.clone()),
    }
}

/// What moves the parties of a topic.
pub struct Moving<'a> {
    pub sender: &'a Participant,
    pub kind: MessageType,
    pub declared: Option<&'a State>,
    pub topic: &'a Topic,
    pub now: Timestamp,
}

/// Brings `parties` to what they are after the message, one change for each that moves.
pub fn move_parties(
    moving: &Moving<'_>,
    deliveries: &[Delivery],
    parties: &mut Vec<Party>,
    changes: &mut Vec<Change>,
) {
    let Moving { sender, kind, declared, topic, now } = *moving;
    let by_person = sender.id.is_person();
    let own = of_sender(state_of(parties, &sender.id), declared);
    let mut moved = vec![(sender.id.clone(), own, declared)];
    for delivery in deliveries {
        let recipient = &delivery.recipient;
        let asked = kind == MessageType::Request || by_person && delivery.effect == Effect::Wake;
        let before = state_of(parties, recipient);
        let after = of_recipient(before, asked, by_person, !recipient.is_agent());
        moved.extend(after.map(|state| (recipient.clone(), state, None)));
    }
    let mut at_work = Vec::new();
    for (participant, state, declared) in moved {
        let place = parties.iter().position(|party| party.participant == participant);
        let before = place.and_then(|place| parties.get(place)).cloned();
        let mut party = before.clone().unwrap_or_else(|| Party::new(participant, state.clone(), now));
        if declared.is_some() || party.state != state {
            enter(&mut party, state, now);
            party.declared = declared == Some(&State::Working);
        }
        if before.as_ref() == Some(&party) {
            continue;
        }
        if before.is_some_and(|before| before.state == State::Done) && party.state != State::Done {
            at_work.push(party.participant.clone());
        }
        changes.push(change(topic, &party));
        match place.and_then(|place| parties.get_mut(place)) {
            Some(place) => *place = party,
            None => parties.push(party),
        }
    }
    for id in at_work {
        wait_anew(topic, &id, parties, now, changes);
    }
}

/// A wait on one who was done was over: it begins when that one is at work again [S2].
pub fn wait_anew(
    topic: &Topic,
    on: &ParticipantId,
    parties: &mut [Party],
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let waits = |party: &Party| matches!(&party.state, State::Waiting(for_whom) if for_whom.contains(on));
    for party in parties.iter_mut().filter(|party| waits(party) && party.since != now) {
        party.since = now;
        changes.push(change(topic, party));
    }
}
