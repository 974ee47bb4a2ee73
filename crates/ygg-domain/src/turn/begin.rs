//! The beginning of a turn: one topic's wakes, its context, then unread context of others within a size [U1].

use crate::change::{Change, Turn};
use crate::id::{ConversationId, Ids, MessageId, TopicId, TurnId, WakeId};
use crate::message::{Effect, Message, deliver};
use crate::notice::Notice;
use crate::participant::{Participant, Trust};
use crate::render::inbox::{Line, Room};
use crate::time::Timestamp;
use crate::turn::{Batch, Item, StandsStill, Why, next};
use crate::wake::{Wake, WakeKind, WakeStatus};

/// A delivery that nobody was handed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    pub message: Message,
    pub effect: Effect,
    pub trust: Trust,
    pub handle: Option<String>,
    /// The wake that carries it.
    pub wake: Option<WakeId>,
    /// Folded into a wake that is still unanswered: it can wake yet.
    pub folded: bool,
    /// The reader owes it an answer still [M4].
    pub owes: bool,
}

impl Unread {
    fn line(&self) -> Line<'_> {
        let Self { message, trust, handle, owes, .. } = self;
        Line { message, trust: *trust, handle: handle.as_deref(), owes: *owes }
    }
}

pub struct BeginFacts {
    pub agent: Participant,
    pub workspace_paused: bool,
    /// Pending wakes of the agent, of every topic.
    pub pending: Vec<Wake>,
    /// The topic of the wake that is served next, with its title.
    pub topic: Option<(TopicId, Option<String>)>,
    /// What waits in that topic: what its wakes carry first, each in order of sending.
    pub here: Vec<Unread>,
    /// What waits elsewhere and is not carried by a pending wake, in order of sending.
    pub elsewhere: Vec<Unread>,
    /// More waits here than was loaded.
    pub here_cut: bool,
    pub elsewhere_cut: bool,
    pub notices: Vec<Notice>,
}

pub struct Begun {
    pub changes: Vec<Change>,
    pub batch: Batch,
}

pub fn decide(facts: BeginFacts, ids: &mut dyn Ids, now: Timestamp) -> Begun {
    if let Some(paused) = stands_still(&facts) {
        let batch = Batch { stands_still: Some(paused), ..Batch::default() };
        return Begun { changes: Vec::new(), batch };
    }
    let topic = next(&facts.pending).map(|wake| wake.topic);
    let serving: Vec<&Wake> =
        facts.pending.iter().filter(|wake| topic.is_some_and(|topic| wake.topic == topic)).collect();
    let carried = |unread: &Unread| unread.wake.is_some_and(|id| serving.iter().any(|wake| wake.id == id));
    // What wakes carry comes first, so only if the last one loaded is carried may there be more of it.
    let wakes_cut = facts.here_cut && facts.here.last().is_some_and(carried);
    let (mut wakes, context): (Vec<Unread>, Vec<Unread>) = facts.here.into_iter().partition(carried);
    wakes.sort_by_key(|unread| unread.trust != Trust::Operator);
    let mut room = Room::new(now);
    let (wakes, wakes_left) = fitting(&mut room, wakes, true);
    let (here, here_left) = fitting(&mut room, context, false);
    let (due, passed) = readable(facts.notices, &facts.pending, &serving);
    let waiting = due.len();
    let notices: Vec<Notice> = due.into_iter().take_while(|notice| room.take_notice(notice)).collect();
    let elsewhere = facts.elsewhere.into_iter().filter(|unread| !unread.folded).collect();
    let (elsewhere, elsewhere_left) = fitting(&mut room, elsewhere, false);
    let more_messages = facts.here_cut
        || facts.elsewhere_cut
        || notices.len() < waiting
        || !(wakes_left.is_empty() && here_left.is_empty() && elsewhere_left.is_empty());
    let mut batch = Batch {
        turn: None,
        topic: facts.topic,
        more_topics: other_topics(&facts.pending, &serving),
        more_messages,
        ..Batch::default()
    };
    let nothing = wakes.is_empty() && here.is_empty() && elsewhere.is_empty();
    let passed = passed
        .into_iter()
        .map(|notice| Change::NoticeEnded { notice: notice.id, recipient: notice.recipient });
    if nothing && notices.is_empty() && serving.is_empty() {
        return Begun { changes: passed.collect(), batch };
    }
    let agent = facts.agent.id;
    let topic = batch.topic.as_ref().map(|(id, _)| *id);
    let turn = Turn { id: TurnId::fresh(ids), agent: agent.clone(), topic, began_at: now };
    let mut changes = vec![Change::TurnStarted(turn.clone())];
    let noticed: Vec<Wake> = serving.iter().filter(|wake| wake.kind.is_notice()).copied().cloned().collect();
    for wake in serving {
        let stays = wakes_cut || wakes_left.iter().any(|unread| unread.wake == Some(wake.id));
        take(wake, stays.then_some(&wakes_left), wakes_cut, &wakes, &turn, ids, &mut changes);
    }
    changes.extend(handed(&turn, wakes.iter().chain(&here).chain(&elsewhere)));
    if !notices.is_empty() {
        let notices = notices.clone();
        changes.push(Change::NoticesHanded { turn: turn.id, recipient: turn.agent.clone(), notices });
    }
    changes.extend(passed);
    batch.turn = Some(turn.id);
    batch.noticed = noticed;
    batch.notices = notices;
    batch.wakes = wakes.into_iter().map(|unread| item(unread, true)).collect();
    batch.context = here.into_iter().chain(elsewhere).map(|unread| item(unread, false)).collect();
    Begun { changes, batch }
}

/// Of the notices that wait: those to be told now, and those whose time has passed with their wake. One that another
/// pending wake carries is told with that.
fn readable(notices: Vec<Notice>, pending: &[Wake], serving: &[&Wake]) -> (Vec<Notice>, Vec<Notice>) {
    let (mut due, mut passed) = (Vec::new(), Vec::new());
    for notice in notices {
        let carried_by = |wake: &Wake| notice.wake == Some(wake.id);
        let waits = pending.iter().any(carried_by);
        if notice.wake.is_none() || serving.iter().any(|wake| carried_by(wake)) {
            due.push(notice);
        } else if !waits && notice.kind.passes_with_its_wake() {
            passed.push(notice);
        } else if !waits {
            due.push(Notice { wake: None, ..notice });
        }
    }
    (due, passed)
}

fn stands_still(facts: &BeginFacts) -> Option<StandsStill> {
    if facts.workspace_paused {
        return Some(StandsStill::Workspace);
    }
    facts.agent.as_agent().is_some_and(|agent| agent.paused).then_some(StandsStill::Agent)
}

/// Takes a wake. When not all that it carries fits, it stays pending with the rest, and what is handed over goes
/// with a wake of its own.
fn take(
    wake: &Wake,
    left: Option<&Vec<Unread>>,
    cut: bool,
    handed: &[Unread],
    turn: &Turn,
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) {
    let Some(left) = left else {
        let (id, agent, topic) = (wake.id, wake.agent.clone(), wake.topic);
        changes.push(Change::WakeTaken { wake: id, agent, topic, turn: turn.id });
        return;
    };
    let has_operator = |items: &[Unread]| {
        items.iter().any(|unread| unread.wake == Some(wake.id) && unread.trust == Trust::Operator)
    };
    // The rest ranks by what is left in it: an operator's line that was handed over lends it nothing.
    if wake.operator && !cut && !has_operator(left) {
        changes.push(Change::WakeMerged(Wake { operator: false, ..wake.clone() }));
    }
    let part = Wake {
        id: WakeId::fresh(ids),
        status: WakeStatus::Taken,
        operator: has_operator(handed),
        turn: Some(turn.id),
        ..wake.clone()
    };
    let messages = handed.iter().filter(|unread| unread.wake == Some(wake.id));
    let moves = messages.map(|unread| Change::DeliveryRoused {
        message: unread.message.id,
        recipient: wake.agent.clone(),
        wake: part.id,
        again: false,
    });
    let moves: Vec<Change> = moves.collect();
    changes.push(Change::WakeCreated(part));
    changes.extend(moves);
}

/// What was handed over, topic by topic: each topic's readers see how far its messages got [K5a].
fn handed<'a>(turn: &Turn, items: impl Iterator<Item = &'a Unread>) -> Vec<Change> {
    let mut topics: Vec<(ConversationId, TopicId, Vec<MessageId>)> = Vec::new();
    for Message { id, conversation, topic, .. } in items.map(|unread| &unread.message) {
        match topics.iter_mut().find(|(_, known, _)| known == topic) {
            Some((_, _, messages)) => messages.push(*id),
            None => topics.push((*conversation, *topic, vec![*id])),
        }
    }
    let change = |(conversation, topic, messages)| Change::DeliveriesHanded {
        turn: turn.id,
        recipient: turn.agent.clone(),
        conversation,
        topic,
        messages,
    };
    topics.into_iter().map(change).collect()
}

fn other_topics(pending: &[Wake], serving: &[&Wake]) -> usize {
    let mut topics: Vec<Option<TopicId>> = pending
        .iter()
        .filter(|wake| serving.iter().all(|served| served.id != wake.id))
        .map(|wake| wake.topic)
        .collect();
    topics.sort();
    topics.dedup();
    topics.len()
}

/// The first ones that fit, and the rest.
fn fitting(room: &mut Room, mut unread: Vec<Unread>, wakes: bool) -> (Vec<Unread>, Vec<Unread>) {
    let fit = unread.iter().take_while(|unread| room.take_line(unread.line(), wakes)).count();
    let rest = unread.split_off(fit);
    (unread, rest)
}

/// An unread delivery as it is shown; `wakes` when one of the served wakes carries it.
pub fn item(unread: Unread, wakes: bool) -> Item {
    let why = if wakes {
        Why::Wake(wake_kind(&unread.message))
    } else {
        match unread.effect {
            Effect::Wake => Why::Ended,
            Effect::Context(reason) => Why::Context(reason),
            Effect::Notify { .. } => Why::Notify,
        }
    };
    let Unread { message, effect, trust, handle, owes, .. } = unread;
    Item { message, effect, trust, handle, owes, why }
}

fn wake_kind(message: &Message) -> WakeKind {
    deliver::kind(message.sender.kind(), message.kind)
}

#[cfg(test)]
#[path = "begin_tests.rs"]
mod tests;
