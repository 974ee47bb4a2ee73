//! What waits for a reader: wakes that carry and fold, debts, turns that are handed things, notices.

use ygg_domain::Change;
use ygg_domain::change::DebtEnd;
use ygg_domain::conversation::Kind;
use ygg_domain::id::{MessageId, TopicId, WakeId};
use ygg_domain::message::{ContextReason, Message, MessageType, Origin};
use ygg_domain::turn::TurnStatus;
use ygg_domain::turn::begin::Unread;
use ygg_domain::wake::{Wake, WakeKind, WakeStatus};
use ygg_store::delivery::{DebtStatus, Step};

use crate::cast::{TEAM, folded, id, notified, told, woken};
use crate::history::History;
use crate::same::{Stores, same};

/// A team with two topics in one conversation.
fn team() -> (History, TopicId, TopicId) {
    let mut history = History::new();
    let ana = history.person(1, "ana");
    history.agent("codex");
    history.agent("claude");
    let general = history.conversation(Kind::General);
    let here = history.topic(general, &ana, Some("here"));
    let there = history.topic(general, &ana, Some("there"));
    (history, here, there)
}

fn messages(unread: &[Unread]) -> Vec<MessageId> {
    unread.iter().map(|unread| unread.message.id).collect()
}

/// A request wakes, a second merges, a third folds; one is answered, what had folded comes up, the topic closes.
pub fn wakes_and_debts() -> History {
    let (mut history, here, there) = team();
    let (ana, codex, claude) = (id("human.1"), id("codex"), id("claude"));
    let wake = history.wake(&codex, Some(here));
    let first = history.ask(here, &claude, &[woken(&codex, wake.id), notified(&ana, false)]);
    history.ask(here, &ana, &[woken(&codex, wake.id), told(&claude, ContextReason::Inform)]);
    // Of a wake that is there only its rank moves, whatever else the change says.
    history.then(Change::WakeMerged(Wake {
        operator: true,
        origin: Origin { message: first, hop: 3 },
        kind: WakeKind::Human,
        status: WakeStatus::Lapsed,
        topic: Some(there),
        ..wake.clone()
    }));
    let fold = history.ask(here, &claude, &[folded(&codex, wake.id)]);
    history.tell(there, &claude, &[told(&codex, ContextReason::Inform)]);
    let elsewhere = history.wake(&codex, Some(there));
    history.ask(there, &ana, &[woken(&codex, elsewhere.id)]);
    let own = history.wake(&claude, None);
    let plain = history.message(here, &codex, MessageType::Response);
    let answer =
        history.post(Message { in_reply_to: Some(first), ..plain }, &[told(&claude, ContextReason::Inform)]);
    history.end_wake(&wake, WakeStatus::Answered);
    let second = history.wake(&codex, Some(here));
    history.rouse(fold, &codex, &second);
    history.debt_ended(here, first, &codex, DebtEnd::Settled(answer));
    history.debt_ended(here, first, &codex, DebtEnd::Closed);
    history.debt_ended(here, first, &claude, DebtEnd::Closed);
    history.debt_ended(here, fold, &codex, DebtEnd::Closed);
    history.end_wake(&second, WakeStatus::Cancelled);
    history.end_wake(&own, WakeStatus::Lapsed);
    history.close(here, &ana);
    history
}

#[test]
fn a_debt_ends_once() {
    let stores = same(&wakes_and_debts());
    let here = stores.ask(|rows| rows.topics(TEAM, None, None, 10))[1].id;
    let said = stores.ask(|rows| rows.messages_after(TEAM, here, 0, 10));
    let debts = |nth: usize| {
        let found = stores.ask(|rows| rows.deliveries(TEAM, said[nth].message.id));
        found.iter().map(|delivered| delivered.debt).collect::<Vec<_>>()
    };
    assert_eq!(debts(0), [Some(DebtStatus::Settled), None]);
    assert_eq!(debts(1), [None, Some(DebtStatus::Open)]);
    assert_eq!(debts(2), [Some(DebtStatus::Closed)]);
    let open = stores.ask(|rows| rows.open_debts(TEAM, here));
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].request, &open[0].creditor), (said[1].message.id, &id("human.1")));
}

#[test]
fn what_wakes_stands_first_and_what_folded_is_nowhere_else() {
    let (mut history, here, there) = team();
    let (ana, codex) = (id("human.1"), id("codex"));
    let context = history.tell(here, &ana, &[told(&codex, ContextReason::Inform)]);
    let wake = history.wake(&codex, Some(here));
    let first = history.ask(here, &ana, &[woken(&codex, wake.id)]);
    let fold = history.ask(here, &ana, &[folded(&codex, wake.id)]);
    let second = history.ask(here, &ana, &[woken(&codex, wake.id)]);
    let other = history.tell(there, &ana, &[told(&codex, ContextReason::Inform)]);
    let stores = Stores::after(&history);

    let unread = stores.ask(|rows| rows.unread_here(TEAM, &codex, here, 10));
    assert_eq!(messages(&unread), [first, second, context, fold]);
    assert_eq!(unread.iter().map(|unread| unread.folded).collect::<Vec<_>>(), [false, false, false, true]);
    assert_eq!(unread[0].handle.as_deref(), Some("ana"));
    assert_eq!(
        messages(&stores.ask(|rows| rows.unread_here(TEAM, &codex, here, 3))),
        [first, second, context]
    );
    assert_eq!(messages(&stores.ask(|rows| rows.unread_elsewhere(TEAM, &codex, None, 10))), [context, other]);
    assert_eq!(messages(&stores.ask(|rows| rows.unread_elsewhere(TEAM, &codex, Some(there), 10))), [context]);
    assert_eq!(stores.ask(|rows| rows.folded(TEAM, &codex, here))[0].message, fold);
    assert_eq!(stores.ask(|rows| rows.unread_count(TEAM, &codex)), 5);

    // Once its wake is over, what folded is context like any other.
    history.end_wake(&wake, WakeStatus::Spent);
    let stores = Stores::after(&history);
    let elsewhere = stores.ask(|rows| rows.unread_elsewhere(TEAM, &codex, Some(there), 10));
    assert_eq!(messages(&elsewhere), [context, first, fold, second]);
    assert_eq!(messages(&stores.ask(|rows| rows.unread_here(TEAM, &codex, here, 1))), [context]);
}

/// A turn takes a wake, another takes a part of one; notices go with them.
pub fn turns() -> History {
    let (mut history, here, there) = team();
    let (ana, codex, claude) = (id("human.1"), id("codex"), id("claude"));
    let wake = history.wake(&codex, Some(here));
    let first = history.ask(here, &ana, &[woken(&codex, wake.id), notified(&ana, true)]);
    let context = history.tell(there, &claude, &[told(&codex, ContextReason::Inform), notified(&ana, true)]);
    let given = history.notice(&codex, here, &claude, first);
    let kept = history.notice(&codex, there, &claude, context);
    history.notice(&claude, here, &codex, first);
    let turn = history.turn(&codex, Some(here));
    history.take(&wake, turn);
    history.hand(turn, &codex, &[context, first], std::slice::from_ref(&given));
    let fold = history.ask(here, &claude, &[folded(&codex, wake.id)]);
    history.end_wake(&wake, WakeStatus::Spent);
    let next = history.wake(&codex, Some(here));
    history.rouse(fold, &codex, &next);
    history.end_turn(turn, &codex);
    let late = history.ask(here, &ana, &[woken(&codex, next.id)]);

    // Not all fits: the wake stays, and what is handed goes with a wake of its own, taken from the start.
    let second = history.turn(&codex, Some(here));
    let part = Wake { id: WakeId::fresh(&mut history.ids), ..next.clone() };
    history.then(Change::WakeCreated(Wake { status: WakeStatus::Taken, turn: Some(second), ..part.clone() }));
    history.rouse(fold, &codex, &part);
    history.hand(second, &codex, &[fold], &[]);
    // What was handed stays handed; a notice goes with the last turn that took it.
    history.hand(second, &codex, &[first, fold], &[given, kept]);
    history.hand(second, &claude, &[late], &[]);
    history.end_wake(&part, WakeStatus::Answered);
    // A run that fails gives back what it was handed, and its wake.
    let again = history.wake(&claude, Some(there));
    let tried = history.ask(there, &ana, &[woken(&claude, again.id)]);
    let note = history.notice(&claude, there, &codex, first);
    let failing = history.turn(&claude, Some(there));
    history.take(&again, failing);
    history.hand_as(false, failing, &claude, &[tried], std::slice::from_ref(&note));
    history.take_back(failing, &claude, &[tried], &[note]);
    history.return_wake(&again, 1);
    history.end_turn_as(failing, &claude, TurnStatus::Failed);
    // What one that ends was handed is read then; what one was handed that goes with its agent is read by nobody.
    for status in [TurnStatus::Ended, TurnStatus::Gone] {
        let seen = history.tell(there, &ana, &[told(&claude, ContextReason::Inform)]);
        let run = history.turn(&claude, Some(there));
        history.hand_as(false, run, &claude, &[seen], &[]);
        if status == TurnStatus::Ended {
            history.show(run, &claude, &[seen, late]);
        }
        history.end_turn_as(run, &claude, status);
    }
    let alone = history.turn(&claude, None);
    history.hand(alone, &claude, &[], &[]);
    history
}

#[test]
fn turns_are_handed_what_waits() {
    let stores = same(&turns());
    let codex = id("codex");
    let (second, runs) = stores.ask(|rows| rows.last_turn(TEAM, &codex)).unwrap();
    assert!(runs && second.topic.is_some());
    let handed = stores.ask(|rows| rows.handed(TEAM, second.id));
    assert_eq!(handed.len(), 1);
    assert!(handed[0].was_wake && !handed[0].unread.folded);
    assert_eq!(stores.ask(|rows| rows.handed_notices(TEAM, second.id)).len(), 2);
    assert_eq!(stores.ask(|rows| rows.pending_notices(TEAM, &codex, 10)), []);
    assert_eq!(stores.ask(|rows| rows.unread_count(TEAM, &codex)), 1);
    assert_eq!(stores.ask(|rows| rows.pending_wakes(TEAM, &codex)).len(), 1);
    let said = stores.ask(|rows| rows.messages_after(TEAM, second.topic.unwrap(), 0, 10));
    let steps = stores.ask(|rows| rows.deliveries(TEAM, said[0].message.id));
    let steps: Vec<_> =
        steps.iter().map(|delivered| (delivered.recipient.as_str(), delivered.step)).collect();
    assert_eq!(steps, [("codex", Step::Read), ("human.1", Step::Pending)]);
    let claude = id("claude");
    let back = stores.ask(|rows| rows.pending_wakes(TEAM, &claude));
    assert_eq!((back.len(), back[0].failed), (1, 1));
    assert_eq!(stores.ask(|rows| rows.unread_count(TEAM, &claude)), 1);
    assert_eq!(stores.ask(|rows| rows.failing_agents(TEAM)), []);
    let told = stores.ask(|rows| rows.messages_after(TEAM, back[0].topic.unwrap(), 0, 10));
    let step = |place: usize| stores.ask(|rows| rows.deliveries(TEAM, told[place].message.id))[0].step;
    assert_eq!([told.len() - 2, told.len() - 1].map(step), [Step::Read, Step::Gone]);
}

#[test]
fn a_first_turn_keeps_what_it_was_handed_in_the_order_of_sending() {
    let (mut history, here, there) = team();
    let (ana, codex) = (id("human.1"), id("codex"));
    let wake = history.wake(&codex, Some(here));
    let first = history.ask(here, &ana, &[woken(&codex, wake.id)]);
    let context = history.tell(there, &ana, &[told(&codex, ContextReason::Inform)]);
    let turn = history.turn(&codex, Some(here));
    history.take(&wake, turn);
    history.hand(turn, &codex, &[context, first], &[]);
    let stores = Stores::after(&history);
    let handed = stores.ask(|rows| rows.handed(TEAM, turn));
    let handed: Vec<_> = handed.iter().map(|handed| (handed.unread.message.id, handed.was_wake)).collect();
    assert_eq!(handed, [(first, true), (context, false)]);
    assert_eq!(stores.ask(|rows| rows.taken_wakes(TEAM, turn)).len(), 1);
    assert_eq!(stores.ask(|rows| rows.unanswered_wakes(TEAM, here)).len(), 1);
    history.end_wake(&wake, WakeStatus::Spent);
    history.end_turn(turn, &codex);
    let stores = Stores::after(&history);
    assert_eq!(stores.ask(|rows| rows.taken_wakes(TEAM, turn)), []);
    assert_eq!(stores.ask(|rows| rows.unanswered_wakes(TEAM, here)), []);
    assert!(stores.ask(|rows| rows.handed(TEAM, turn))[0].was_wake);
    assert!(!stores.ask(|rows| rows.last_turn(TEAM, &codex)).unwrap().1);
}
