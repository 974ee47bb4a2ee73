//! The end of a turn that went well: what it took and did not answer is spent, what had folded in comes up, and a turn
//! that said nothing where it was woken is told to whoever waits [K2, K5b].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{ConversationId, Ids, MessageId, TopicId};
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling};
use crate::time::Timestamp;
use crate::turn::{Report, Turn, TurnStatus};
use crate::wake::answer::{Up, carry};
use crate::wake::{Folded, Wake, WakeStatus};

pub struct EndFacts {
    pub turn: Turn,
    /// Wakes that the turn took and that are still unanswered.
    pub taken: Vec<Wake>,
    /// It is done with its part in the topic.
    pub done: bool,
    /// Requests folded into those and not handed yet.
    pub folded: Vec<Folded>,
    /// A pending wake of the agent in the same topic.
    pub pending: Option<Wake>,
    /// What a supervised turn was handed, topic by topic.
    pub handed: Handed,
    /// Who waits on the agent there, or is owed an answer by it.
    pub waiting: Vec<ParticipantId>,
}

/// Messages by conversation and topic: each topic's readers see how far they got [K5a].
pub type Handed = Vec<(ConversationId, TopicId, Vec<MessageId>)>;

/// How a turn came to its end.
pub struct Ending {
    pub status: TurnStatus,
    pub silent: bool,
    pub report: Report,
}

pub fn decide(facts: &EndFacts, report: Report, ids: &mut dyn Ids, now: Timestamp) -> Vec<Change> {
    closing(facts, TurnStatus::Ended, report, ids, now)
}

/// What it took is dealt with, however it came to its end.
pub fn closing(
    facts: &EndFacts,
    status: TurnStatus,
    report: Report,
    ids: &mut dyn Ids,
    now: Timestamp,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for wake in &facts.taken {
        changes.push(ended(wake, WakeStatus::Spent));
    }
    come_up(facts, ids, now, &mut changes);
    // Any word there would have answered what it took.
    let woken_in: Option<TopicId> = facts.taken.iter().find_map(|wake| wake.topic);
    if let Some(topic) = woken_in.filter(|_| facts.turn.taker.is_supervised()) {
        tell(facts, topic, ids, &mut changes);
    }
    changes.extend(shown(&facts.turn, &facts.handed));
    let ending = Ending { status, silent: woken_in.is_some(), report };
    changes.extend(over(&facts.turn, ending));
    changes
}

/// Requests that had folded into what the turn took become a wake of their own [K3].
pub fn come_up(facts: &EndFacts, ids: &mut dyn Ids, now: Timestamp, changes: &mut Vec<Change>) {
    // One who is done is woken by people alone [S4].
    let Some(topic) = facts.turn.topic.filter(|_| !facts.done) else { return };
    let folded: Vec<Up> =
        facts.folded.iter().filter(|_| !planted(Fault::FoldForgottenAtEnd)).map(Up::from).collect();
    carry(&folded, facts.pending.as_ref(), &facts.turn.agent, topic, ids, now, changes);
}

/// As context: an end that disturbs nobody else.
fn tell(facts: &EndFacts, topic: TopicId, ids: &mut dyn Ids, changes: &mut Vec<Change>) {
    let waiting = facts.waiting.iter().filter(|_| !planted(Fault::SilentEndUntold));
    for waiting in waiting.filter(|id| **id != facts.turn.agent) {
        let telling = Telling {
            kind: NoticeKind::SilentEnd,
            recipient: waiting,
            topic: Some(topic),
            about: Some(&facts.turn.agent),
            message: None,
        };
        telling.tell(ids, changes);
    }
}

pub fn ended(wake: &Wake, how: WakeStatus) -> Change {
    Change::WakeEnded { wake: wake.id, agent: wake.agent.clone(), topic: wake.topic, how }
}

/// A turn that is over has shown what it was handed.
pub fn shown(turn: &Turn, handed: &Handed) -> impl Iterator<Item = Change> {
    handed.iter().map(|(conversation, topic, messages)| Change::DeliveriesShown {
        turn: turn.id,
        recipient: turn.agent.clone(),
        conversation: *conversation,
        topic: *topic,
        messages: messages.clone(),
    })
}

/// The end itself, which readers of the topic see, and what is told of it, which is the agent's own.
pub fn over(turn: &Turn, ending: Ending) -> impl Iterator<Item = Change> + use<> {
    let Ending { status, silent, report } = ending;
    let (id, agent) = (turn.id, turn.agent.clone());
    let told = (report != Report::default()).then_some(Change::TurnReported { turn: id, agent, report });
    [Change::TurnEnded { turn: Box::new(turn.clone()), status, silent }].into_iter().chain(told)
}
