//! Removing an agent: everything of it ends, its askers are woken once, its wallet goes back to the pool, and whoever
//! gets its id next starts from nothing [W7].

use crate::change::{Change, DebtEnd};
use crate::credits::shortfall::Shortfall;
use crate::credits::{Entry, Pot, Reason};
use crate::group::Group;
use crate::id::{ConversationId, Ids, KeyId, MessageId, TaskId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling};
use crate::participant::{Participant, Right};
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::topic::pause::{self, HeldBack};
use crate::topic::{Standing, Status, all_done, close};
use crate::turn::end::{Ending, over};
use crate::turn::{Report, Turn, TurnStatus};
use crate::wake::{Wake, WakeStatus};

pub struct RemoveFacts {
    pub by: Participant,
    pub agent: Participant,
    /// Not revoked yet.
    pub keys: Vec<KeyId>,
    pub stints: Vec<ConversationId>,
    /// Those it is in.
    pub groups: Vec<Group>,
    pub tasks: Vec<TaskId>,
    /// The one that runs.
    pub turn: Option<Turn>,
    /// Unanswered ones that belong to no topic.
    pub loose: Vec<Wake>,
    pub wallet: Option<i64>,
    pub pool: i64,
    /// Its own.
    pub shortfalls: Vec<Shortfall>,
    /// Open ones that it is a party of.
    pub topics: Vec<LeftTopic>,
}

/// A topic that the agent had a part in.
pub struct LeftTopic {
    /// With its debts.
    pub standing: Standing,
    /// What others lack there.
    pub shortfalls: Vec<Shortfall>,
    pub held_back: Vec<HeldBack>,
    pub unfinished: Vec<ParticipantId>,
    pub farthest: Option<Origin>,
}

pub fn decide(facts: RemoveFacts, ids: &mut dyn Ids, now: Timestamp) -> Result<Vec<Change>, Refusal> {
    if !facts.by.may(Right::Administer) {
        return Err(Refusal::Forbidden { needs: "removing agents needs the role of admin or owner" });
    }
    let agent = facts.agent.id.clone();
    let mut changes = Vec::new();
    for key in facts.keys {
        changes.push(Change::KeyRevoked { key, participant: agent.clone() });
    }
    for group in facts.groups {
        let members = group.members.into_iter().filter(|member| *member != agent).collect();
        changes.push(Change::GroupSet(Group { members, ..group }));
    }
    for conversation in facts.stints {
        changes.push(Change::ParticipantLeft { conversation, participant: agent.clone() });
    }
    changes.extend(facts.tasks.into_iter().map(|task| Change::TaskRemoved { task, agent: agent.clone() }));
    changes.extend(facts.loose.iter().map(cancelled));
    changes.extend(facts.shortfalls.into_iter().map(Change::ShortfallEnded));
    let mut reminded: Vec<ParticipantId> = Vec::new();
    for mut topic in facts.topics {
        // However many topics close: one such wake at a time [K2].
        topic.unfinished.retain(|agent| !reminded.contains(agent));
        let unfinished = topic.unfinished.clone();
        if leave(&agent, topic, ids, now, &mut changes) {
            reminded.extend(unfinished);
        }
    }
    let gone = |turn: Turn| {
        over(&turn, Ending { status: TurnStatus::Gone, silent: false, report: Report::default() })
    };
    changes.extend(facts.turn.into_iter().flat_map(gone));
    changes.extend(returned(&facts.by.id, &agent, facts.wallet, facts.pool).map(Change::CreditsMoved));
    changes.push(Change::ParticipantRemoved(Participant { removed: true, ..facts.agent }));
    Ok(changes)
}

fn cancelled(wake: &Wake) -> Change {
    let (wake, agent, topic) = (wake.id, wake.agent.clone(), wake.topic);
    Change::WakeEnded { wake, agent, topic, how: WakeStatus::Cancelled }
}

/// Its wallet goes back to the pool.
fn returned(
    by: &ParticipantId,
    agent: &ParticipantId,
    wallet: Option<i64>,
    pool: i64,
) -> impl Iterator<Item = Entry> {
    let entry = |pot: Pot, amount: i64, balance: i64| Entry {
        pot,
        amount,
        balance,
        reason: Reason::Returned,
        by: by.clone(),
        message: None,
    };
    let entries = wallet
        .filter(|left| *left > 0)
        .map(|left| [entry(Pot::Wallet(agent.clone()), -left, 0), entry(Pot::Pool, left, pool + left)]);
    entries.into_iter().flatten()
}

/// Ends the agent's part in one topic; whether that closes it.
fn leave(
    agent: &ParticipantId,
    topic: LeftTopic,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) -> bool {
    let LeftTopic { mut standing, shortfalls, held_back, unfinished, farthest } = topic;
    let (id, conversation) = (standing.topic.id, standing.topic.conversation);
    let (own, others): (Vec<Wake>, Vec<Wake>) =
        standing.wakes.into_iter().partition(|wake| wake.agent == *agent);
    standing.wakes = others;
    changes.extend(own.iter().map(cancelled));
    changes.push(Change::PartyLeft { topic: id, conversation, participant: agent.clone() });
    standing.parties.retain(|party| party.participant != *agent);
    let (over, debts): (Vec<_>, Vec<_>) =
        standing.debts.into_iter().partition(|debt| debt.debtor == *agent || debt.creditor == *agent);
    standing.debts = debts;
    let closes = !standing.parties.is_empty() && all_done(standing.parties.iter().map(|party| &party.state));
    let origin = farthest.unwrap_or(Origin::NONE);
    let mut told: Vec<ParticipantId> = Vec::new();
    for debt in over {
        let (asker, request) = (debt.creditor.clone(), debt.request);
        changes.push(Change::DebtEnded { debt, topic: id, conversation, how: DebtEnd::Gone });
        if asker != *agent && !told.contains(&asker) {
            // Nothing wakes anybody in a topic that closes [S7].
            let wakes = asker.is_agent() && !closes;
            tell(agent, (&asker, wakes), request, &standing, origin, ids, now, changes);
            told.push(asker);
        }
    }
    if closes {
        let Standing { topic, wakes, debts, .. } = &standing;
        let (unfinished, shortfalls) = (&unfinished, &shortfalls);
        let pending = close::Pending { wakes, debts, unfinished, farthest, shortfalls };
        close::changes(topic, agent, &pending, ids, now, changes);
        return true;
    }
    if standing.topic.status.lacks_credits() && shortfalls.is_empty() {
        let status = standing.topic.status.with_lacking_credits(false);
        match status {
            Status::Open => pause::resume(&mut standing, &held_back, &[agent], ids, now, changes),
            _ => changes.extend(pause::mark(&standing.topic, status, now).map(Change::TopicMarked)),
        }
    }
    false
}

/// One wake to an asker that is an agent, a notice to one that is a person or whom nothing may wake there.
#[expect(clippy::too_many_arguments, reason = "what the notice tells, and where its wake goes")]
fn tell(
    gone: &ParticipantId,
    (asker, wakes): (&ParticipantId, bool),
    request: MessageId,
    standing: &Standing,
    origin: Origin,
    ids: &mut dyn Ids,
    now: Timestamp,
    changes: &mut Vec<Change>,
) {
    let telling = Telling {
        kind: NoticeKind::RecipientGone,
        recipient: asker,
        topic: Some(standing.topic.id),
        about: Some(gone),
        message: Some(request),
    };
    if !wakes {
        return telling.tell(ids, changes);
    }
    let pending =
        standing.wakes.iter().find(|wake| wake.agent == *asker && wake.status == WakeStatus::Pending);
    telling.wake(pending, origin, ids, now, changes);
}
