//! The beginning of a turn: one topic's wakes, its context, then unread context of others within a size [U1].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{ConversationId, Ids, MessageId, TopicId, TurnId, WakeId};
use crate::key::KeyHash;
use crate::message::{Effect, Message, deliver};
use crate::notice::{Notice, NoticeKind};
use crate::participant::{Participant, Trust};
use crate::render::inbox::{Line, Room};
use crate::time::Timestamp;
use crate::turn::left::Left;
use crate::turn::{Batch, Item, StandsStill, Taker, Turn, Why, next, retry};
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
    pub taker: Taker,
    /// The one topic that the taker asks for.
    pub wanted: Option<TopicId>,
    /// When the new turn is to be looked at first: the end of its lease, or of the attention.
    pub due: Timestamp,
    /// Of the key for this turn alone.
    pub key: Option<KeyHash>,
    /// Another turn of the agent that runs.
    pub running: Option<Turn>,
    /// Until when a live session has the agent's attention.
    pub attended: Option<Timestamp>,
    /// The turn that runs already, where what arrived meanwhile is taken into it: operator lines of its topic [U1].
    pub into: Option<Turn>,
    /// Pending wakes of the agent, of every topic.
    pub pending: Vec<Wake>,
    /// The topic of the wake that is served next, with its title, and where it lives.
    pub topic: Option<(TopicId, Option<String>)>,
    pub conversation: Option<ConversationId>,
    /// What waits in that topic: what its wakes carry first, each in order of sending.
    pub here: Vec<Unread>,
    /// What waits elsewhere and is not carried by a pending wake, in order of sending.
    pub elsewhere: Vec<Unread>,
    /// More waits here than was loaded.
    pub here_cut: bool,
    pub elsewhere_cut: bool,
    pub notices: Vec<Notice>,
    /// For a reminder among them.
    pub left: Option<Left>,
}

pub struct Begun {
    pub changes: Vec<Change>,
    pub batch: Batch,
}

impl Begun {
    fn nothing(batch: Batch) -> Self {
        Self { changes: Vec::new(), batch }
    }
}

/// What is taken of all that waits, and what is left.
struct Shares {
    wakes: Vec<Unread>,
    /// Carried by a served wake, and not taken this time.
    wakes_left: Vec<Unread>,
    here: Vec<Unread>,
    elsewhere: Vec<Unread>,
    notices: Vec<Notice>,
    /// Notices whose time has passed with their wake.
    passed: Vec<Notice>,
    more_messages: bool,
}

pub fn decide(mut facts: BeginFacts, ids: &mut dyn Ids, now: Timestamp) -> Begun {
    if let Some(why) = stands_still(&facts, now) {
        return Begun::nothing(Batch { stands_still: Some(why), ..Batch::default() });
    }
    let pending = std::mem::take(&mut facts.pending);
    let topic = next(&pending, facts.taker, facts.wanted, now).map(|wake| wake.topic);
    let serving: Vec<&Wake> =
        pending.iter().filter(|wake| topic.is_some_and(|topic| wake.topic == topic)).collect();
    // Only a wake starts a supervised turn; a live session that asks is told what else was said.
    if facts.taker.is_supervised() && serving.is_empty() {
        return Begun::nothing(Batch::default());
    }
    let carried = |unread: &Unread| unread.wake.is_some_and(|id| serving.iter().any(|wake| wake.id == id));
    // What wakes carry comes first, so only if the last one loaded is carried may there be more of it.
    let wakes_cut = facts.here_cut && facts.here.last().is_some_and(carried);
    let shares = share(&mut facts, &pending, &serving, now);
    let mut batch = Batch {
        topic: facts.topic.clone(),
        more_topics: other_topics(&pending, &serving),
        more_messages: shares.more_messages,
        ..Batch::default()
    };
    let passed = shares.passed.iter();
    let passed: Vec<Change> = passed
        .map(|notice| Change::NoticeEnded { notice: notice.id, recipient: notice.recipient.clone() })
        .collect();
    let nothing = shares.wakes.is_empty() && shares.here.is_empty() && shares.elsewhere.is_empty();
    if nothing && shares.notices.is_empty() && serving.is_empty() {
        return Begun { changes: passed, batch };
    }
    let mut changes = Vec::new();
    let turn = facts.into.take().unwrap_or_else(|| start(&facts, ids, now, &mut changes));
    let noticed: Vec<Wake> = serving.iter().filter(|wake| wake.kind.is_notice()).copied().cloned().collect();
    for wake in serving {
        let stays = wakes_cut || shares.wakes_left.iter().any(|unread| unread.wake == Some(wake.id));
        let left = stays.then_some(&shares.wakes_left);
        take(wake, left, wakes_cut, &shares.wakes, &turn, ids, &mut changes);
    }
    let Shares { wakes, here, elsewhere, notices, .. } = shares;
    changes.extend(handed(&turn, wakes.iter().chain(&here).chain(&elsewhere)));
    if !notices.is_empty() {
        let notices = notices.clone();
        changes.push(Change::NoticesHanded { turn: turn.id, recipient: turn.agent.clone(), notices });
    }
    changes.extend(passed);
    batch.turn = Some(turn.id);
    batch.noticed = noticed;
    batch.notices = notices;
    batch.left = facts.left;
    batch.wakes = wakes.into_iter().map(|unread| item(unread, true)).collect();
    batch.context = here.into_iter().chain(elsewhere).map(|unread| item(unread, false)).collect();
    Begun { changes, batch }
}

fn start(facts: &BeginFacts, ids: &mut dyn Ids, now: Timestamp, changes: &mut Vec<Change>) -> Turn {
    let topic = facts.topic.as_ref().map(|(id, _)| *id);
    let turn = Turn {
        id: TurnId::fresh(ids),
        agent: facts.agent.id.clone(),
        taker: facts.taker,
        topic,
        conversation: facts.conversation,
        began_at: now,
        due: facts.due,
        key: facts.key,
    };
    changes.push(Change::TurnStarted(turn.clone()));
    turn
}

/// As much of what waits as one answer has room for, wakes first.
fn share(facts: &mut BeginFacts, pending: &[Wake], serving: &[&Wake], now: Timestamp) -> Shares {
    let carried = |unread: &Unread| unread.wake.is_some_and(|id| serving.iter().any(|wake| wake.id == id));
    let (mut wakes, mut context): (Vec<Unread>, Vec<Unread>) =
        std::mem::take(&mut facts.here).into_iter().partition(carried);
    wakes.sort_by_key(|unread| unread.trust != Trust::Operator);
    let mut waits = Vec::new();
    if facts.into.is_some() {
        let place = wakes.iter().take_while(|unread| unread.trust == Trust::Operator).count();
        waits = wakes.split_off(place);
        waits.append(&mut context);
    }
    let mut room = Room::new(now);
    let (wakes, mut wakes_left) = fitting(&mut room, wakes, true);
    let (here, here_left) = fitting(&mut room, context, false);
    let (due, passed) = readable(std::mem::take(&mut facts.notices), pending, serving);
    facts.left = facts.left.take().filter(|_| due.iter().any(|notice| notice.kind == NoticeKind::Resume));
    if let Some(left) = &facts.left {
        room.take_left(left);
    }
    let waiting = due.len();
    let notices: Vec<Notice> = due.into_iter().take_while(|notice| room.take_notice(notice)).collect();
    let elsewhere = std::mem::take(&mut facts.elsewhere).into_iter().filter(|unread| !unread.folded);
    let (elsewhere, elsewhere_left) = fitting(&mut room, elsewhere.collect(), false);
    wakes_left.append(&mut waits);
    let more_messages = facts.here_cut
        || facts.elsewhere_cut
        || notices.len() < waiting
        || !(wakes_left.is_empty() && here_left.is_empty() && elsewhere_left.is_empty());
    Shares { wakes, wakes_left, here, elsewhere, notices, passed, more_messages }
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

fn stands_still(facts: &BeginFacts, now: Timestamp) -> Option<StandsStill> {
    if facts.workspace_paused {
        return Some(StandsStill::Workspace);
    }
    if facts.agent.as_agent().is_some_and(|agent| agent.paused && !planted(Fault::PausedIsHanded)) {
        return Some(StandsStill::Agent);
    }
    if let Some(running) = facts.running.as_ref().filter(|_| !planted(Fault::TwoTurns)) {
        return Some(StandsStill::Busy(running.began_at));
    }
    let supervised = facts.taker.is_supervised() && facts.into.is_none();
    if let Some(until) = facts.attended.filter(|until| supervised && *until > now) {
        return Some(StandsStill::Attended(until));
    }
    let ready = |wake: &Wake| retry::is_ready(wake, now);
    if !supervised || facts.pending.is_empty() || facts.pending.iter().any(ready) {
        return None;
    }
    let again = facts.pending.iter().filter(|wake| !retry::is_given_up(wake));
    let again = again.filter_map(|wake| wake.not_before).min();
    Some(again.map_or(StandsStill::Failing, StandsStill::Retried))
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
        read: !turn.taker.is_supervised(),
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
