//! Silence: those who have not said that they are done are asked once, and who says nothing is counted done [S5, S6].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::Ids;
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling, tell_askers};
use crate::time::Timestamp;
use crate::topic::timer::{Due, TimerFacts};
use crate::topic::{Party, Standing, State, all_done, close, state};
use crate::turn::end::ended;
use crate::wake::WakeStatus;

/// What silence makes of one party.
enum Verdict {
    /// Nothing yet; when to look again.
    Waits(Timestamp),
    Asked,
    Done,
}

/// How the topic stands after it; none where the topic closed.
pub fn fire(
    facts: &TimerFacts,
    due: &mut Due,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) -> Option<Standing> {
    let (policy, topic) = (&facts.policy, &facts.standing.topic);
    let some_done = facts.standing.parties.iter().any(|party| party.state == State::Done);
    let quiet = if some_done { policy.poll_after } else { policy.idle_after };
    let asks_at = facts.last_heard().after(quiet);
    let mut standing = facts.standing.clone();
    for place in 0..standing.parties.len() {
        let party = &facts.standing.parties[place];
        if party.state == State::Done {
            continue;
        }
        match verdict(facts, party, asks_at) {
            Verdict::Waits(at) => due.at(at),
            Verdict::Asked => {
                ask(facts, party, ids, changes);
                standing.parties[place].asked_at = Some(facts.now);
                changes.push(state::change(topic, &standing.parties[place]));
                due.at(facts.now.after(policy.poll_answer));
            }
            Verdict::Done => {
                tell_askers(&standing, &party.participant, None, ids, changes);
                end_wakes(&mut standing, &party.participant, changes);
                state::enter(&mut standing.parties[place], State::Done, facts.now);
                // The first one that is done makes the silence that was count for the others: that is looked at next.
                if !some_done {
                    due.at(facts.now);
                }
                changes.push(state::change(topic, &standing.parties[place]));
            }
        }
    }
    if !all_done(standing.parties.iter().map(|party| &party.state)) {
        return Some(standing);
    }
    let pending = close::Pending {
        wakes: &standing.wakes,
        debts: &facts.standing.debts,
        unfinished: &facts.unfinished,
        farthest: facts.farthest,
        // Nobody lacks credits in a topic that is open.
        shortfalls: &[],
    };
    close::changes(topic, &ParticipantId::system(), &pending, ids, facts.now, changes);
    None
}

/// One who is done is woken by people alone, and nobody else's word is left to wake it either [K2, S4].
fn end_wakes(standing: &mut Standing, agent: &ParticipantId, changes: &mut Vec<Change>) {
    standing.wakes.retain(|wake| {
        let theirs = wake.agent == *agent;
        if theirs {
            changes.push(ended(wake, WakeStatus::Answered));
        }
        !theirs
    });
}

fn verdict(facts: &TimerFacts, party: &Party, asks_at: Timestamp) -> Verdict {
    let policy = &facts.policy;
    if facts.now < asks_at {
        return Verdict::Waits(asks_at);
    }
    let is_person = party.participant.is_person();
    let owes = facts.standing.debts.iter().any(|debt| debt.debtor == party.participant);
    let is_owed = facts.standing.debts.iter().any(|debt| debt.creditor == party.participant);
    if is_person && !owes && !is_owed {
        return Verdict::Done;
    }
    let asks = party.state != State::Informed && (party.participant.is_agent() || is_person && owes);
    let asked_at = party.asked_at.filter(|_| !planted(Fault::AskedAgain));
    let counted_at = match (asks, asked_at) {
        (true, None) if planted(Fault::CountedAtOnce) => return Verdict::Done,
        (true, None) => return Verdict::Asked,
        (true, Some(asked)) => answered_by(facts, party, asked).max(asks_at),
        (false, _) => asks_at.after(policy.poll_answer),
    };
    let held = held_by_wake(facts, &party.participant).filter(|_| !planted(Fault::UnhandedCounted));
    let counted_at = match held {
        Some(until) => counted_at.max(until),
        None => counted_at,
    };
    if facts.now < counted_at { Verdict::Waits(counted_at) } else { Verdict::Done }
}

/// By when one who was asked is counted done: an hour without a message, or a day of its own silence once it said that
/// it is not; and an hour after it was last handed something.
fn answered_by(facts: &TimerFacts, party: &Party, asked: Timestamp) -> Timestamp {
    let policy = &facts.policy;
    let wrote = facts.asked(&party.participant).and_then(|seq| facts.wrote_after(&party.participant, seq));
    let served = facts.served(&party.participant).unwrap_or(asked).after(policy.poll_answer);
    match wrote.max(party.replied_at) {
        Some(replied) => replied.after(policy.poll_silence).max(served),
        None => asked.max(facts.last_heard()).after(policy.poll_answer).max(served),
    }
}

/// Until when nobody is counted done who has not been handed a request or an answer yet.
fn held_by_wake(facts: &TimerFacts, agent: &ParticipantId) -> Option<Timestamp> {
    let theirs = facts.unhanded.iter().filter(|wake| wake.agent == *agent);
    theirs.map(|wake| wake.made_at.after(facts.policy.unhanded)).filter(|until| *until > facts.now).max()
}

fn ask(facts: &TimerFacts, party: &Party, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
    let telling = Telling {
        kind: NoticeKind::ClosurePoll,
        recipient: &party.participant,
        topic: Some(facts.standing.topic.id),
        about: None,
        message: None,
    };
    if party.participant.is_agent() {
        let pending = facts.pending(&party.participant);
        telling.wake(pending, facts.origin(), ids, facts.now, changes);
    } else {
        telling.tell(ids, changes);
    }
}
