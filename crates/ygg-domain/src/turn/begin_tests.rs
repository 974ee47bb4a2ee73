//! What one reading of the inbox takes, and what it leaves [U1, K2].

use super::*;
use crate::id::ConversationId;
use crate::message::{ContextReason, MessageType, Origin};
use crate::name::ParticipantId;
use crate::participant::{Agent, Nature, WakeBy};
use crate::turn::next;

struct Count(u128);

impl Ids for Count {
    fn next(&mut self) -> u128 {
        self.0 += 1;
        self.0
    }
}

fn agent(id: &str) -> Participant {
    let nature = Nature::Agent(Agent {
        wake_by: WakeBy::None,
        description: String::new(),
        operators: Vec::new(),
        connected_by: None,
        paused: false,
    });
    let id = ParticipantId::agent(id).expect("a good id");
    Participant { display_name: id.to_string(), id, nature, removed: false }
}

fn topic(number: u128) -> TopicId {
    TopicId::fresh(&mut Count(number))
}

fn wake(number: u128, of: TopicId) -> Wake {
    let message = MessageId::fresh(&mut Count(0));
    Wake {
        id: WakeId::fresh(&mut Count(number)),
        agent: agent("b").id,
        topic: Some(of),
        kind: WakeKind::Request,
        status: WakeStatus::Pending,
        operator: false,
        origin: Origin { message, hop: 1 },
        made_at: Timestamp(i64::try_from(number).expect("small")),
        turn: None,
        failed: 0,
        not_before: None,
        handed_on: false,
    }
}

fn unread(number: u128, of: TopicId, wake: Option<WakeId>, chars: usize) -> Unread {
    let id = MessageId::fresh(&mut Count(number));
    let message = Message {
        id,
        topic: of,
        conversation: ConversationId::fresh(&mut Count(0)),
        sender: agent("a").id,
        kind: MessageType::Request,
        text: "x".repeat(chars),
        mark: None,
        body: None,
        attachments: Vec::new(),
        in_reply_to: None,
        state: None,
        origin: Origin { message: id, hop: 1 },
        charged: 1,
        sent_at: Timestamp(0),
        turn: None,
        redacted: None,
    };
    let effect = if wake.is_some() { Effect::Wake } else { Effect::Context(ContextReason::Inform) };
    Unread {
        message,
        effect,
        trust: Trust::Participant,
        handle: None,
        wake,
        folded: false,
        owes: wake.is_some(),
    }
}

fn facts(pending: Vec<Wake>, here: Vec<Unread>, elsewhere: Vec<Unread>) -> BeginFacts {
    BeginFacts {
        agent: agent("b"),
        workspace_paused: false,
        taker: Taker::Live,
        wanted: None,
        due: Timestamp(600_009),
        key: None,
        running: None,
        attended: None,
        into: None,
        conversation: None,
        topic: next(&pending, Taker::Live, None, Timestamp(9))
            .and_then(|wake| wake.topic)
            .map(|id| (id, None)),
        pending,
        here,
        elsewhere,
        here_cut: false,
        elsewhere_cut: false,
        notices: Vec::new(),
        left: None,
    }
}

fn begin(facts: BeginFacts) -> Begun {
    decide(facts, &mut Count(1000), Timestamp(9))
}

fn taken(begun: &Begun) -> usize {
    begun.changes.iter().filter(|change| matches!(change, Change::WakeTaken { .. })).count()
}

#[test]
fn one_topic_is_served_and_the_others_are_told_of() {
    let (first, second) = (wake(1, topic(1)), wake(2, topic(2)));
    let here = vec![unread(1, topic(1), Some(first.id), 10), unread(2, topic(1), None, 10)];
    let begun = begin(facts(vec![first, second], here, vec![unread(3, topic(3), None, 10)]));
    assert_eq!((begun.batch.wakes.len(), begun.batch.context.len()), (1, 2));
    assert_eq!((begun.batch.more_topics, taken(&begun)), (1, 1));
}

#[test]
fn operator_lines_come_first() {
    let operator = Wake { operator: true, ..wake(2, topic(2)) };
    assert_eq!(
        next(&[wake(1, topic(1)), operator], Taker::Live, None, Timestamp(9)).and_then(|wake| wake.topic),
        Some(topic(2))
    );
    let only = wake(1, topic(1));
    let mut here = vec![unread(1, topic(1), Some(only.id), 10), unread(2, topic(1), Some(only.id), 10)];
    here[1].trust = Trust::Operator;
    let second = here[1].message.id;
    assert_eq!(begin(facts(vec![only], here, Vec::new())).batch.wakes[0].message.id, second);
}

#[test]
fn what_does_not_fit_stays_pending_and_loses_no_wake() {
    let only = wake(1, topic(1));
    let here = (1..=20).map(|number| unread(number, topic(1), Some(only.id), 5000)).collect();
    let begun = begin(facts(vec![only.clone()], here, Vec::new()));
    let handed = begun.batch.wakes.len();
    assert!((1..20).contains(&handed), "{handed}");
    assert!(begun.batch.more_messages);
    assert_eq!(taken(&begun), 0, "the wake stays with the rest");
    let moved = begun
        .changes
        .iter()
        .filter(|change| matches!(change, Change::DeliveryRoused { wake, .. } if *wake != only.id));
    assert_eq!(moved.count(), handed);
}

#[test]
fn a_text_longer_than_a_page_is_handed_alone_rather_than_never() {
    let only = wake(1, topic(1));
    let here = vec![unread(1, topic(1), Some(only.id), 100_000)];
    assert_eq!(begin(facts(vec![only], here, Vec::new())).batch.wakes.len(), 1);
}

#[test]
fn a_pile_elsewhere_does_not_keep_a_wake_from_being_taken() {
    let only = wake(1, topic(1));
    let here = vec![unread(1, topic(1), Some(only.id), 10)];
    let pile = (2..300).map(|number| unread(number, topic(2), None, 1000)).collect();
    let begun = begin(BeginFacts { elsewhere_cut: true, ..facts(vec![only], here, pile) });
    assert_eq!(taken(&begun), 1);
    assert!(begun.batch.more_messages);
}

#[test]
fn nothing_is_handed_to_one_who_is_paused_and_nothing_written_for_nothing() {
    let only = wake(1, topic(1));
    let here = vec![unread(1, topic(1), Some(only.id), 10)];
    let paused = begin(BeginFacts { workspace_paused: true, ..facts(vec![only], here, Vec::new()) });
    assert!(paused.changes.is_empty() && paused.batch.wakes.is_empty());
    assert_eq!(paused.batch.stands_still, Some(StandsStill::Workspace));
    assert!(begin(facts(Vec::new(), Vec::new(), Vec::new())).changes.is_empty());
}

#[test]
fn what_can_still_wake_elsewhere_is_left_alone() {
    let folded = Unread { folded: true, ..unread(1, topic(2), None, 10) };
    let begun = begin(facts(Vec::new(), Vec::new(), vec![folded, unread(2, topic(3), None, 10)]));
    assert_eq!(begun.batch.context.len(), 1);
}

fn supervised(facts: BeginFacts) -> BeginFacts {
    BeginFacts { taker: Taker::Relay, ..facts }
}

#[test]
fn an_agent_takes_one_turn_at_a_time_and_a_runner_steps_aside_for_a_live_session() {
    let only = wake(1, topic(1));
    let waits = || facts(vec![only.clone()], vec![unread(1, topic(1), Some(only.id), 10)], Vec::new());
    let running = begin(waits()).changes.into_iter().find_map(|change| match change {
        Change::TurnStarted(turn) => Some(turn),
        _ => None,
    });
    let busy = begin(BeginFacts { running, ..waits() });
    assert_eq!(busy.batch.stands_still, Some(StandsStill::Busy(Timestamp(9))));
    let attended = Some(Timestamp(10));
    let aside = begin(supervised(BeginFacts { attended, ..waits() }));
    assert_eq!(aside.batch.stands_still, Some(StandsStill::Attended(Timestamp(10))));
    assert_eq!(taken(&begin(BeginFacts { attended, ..waits() })), 1, "the session itself is handed it");
    assert_eq!(taken(&begin(supervised(BeginFacts { attended: Some(Timestamp(9)), ..waits() }))), 1);
}

#[test]
fn what_failed_waits_for_its_time_and_in_the_end_for_a_person() {
    let first = retry::returned(&wake(1, topic(1)), Timestamp(0));
    let waits = |failed: &Wake| {
        supervised(facts(vec![failed.clone()], vec![unread(1, topic(1), Some(failed.id), 10)], Vec::new()))
    };
    let at = |failed: &Wake, now: i64| decide(waits(failed), &mut Count(1000), Timestamp(now));
    assert_eq!(at(&first, 29_999).batch.stands_still, Some(StandsStill::Retried(Timestamp(30_000))));
    assert_eq!(taken(&at(&first, 30_000)), 1);
    let third = retry::returned(&retry::returned(&first, Timestamp(0)), Timestamp(0));
    assert_eq!(at(&third, i64::MAX / 2).batch.stands_still, Some(StandsStill::Failing));
    assert_eq!(taken(&at(&retry::forgiven(&third), 9)), 1);
    assert_eq!(taken(&begin(facts(vec![third], Vec::new(), Vec::new()))), 1, "a live session is no attempt");
}

#[test]
fn a_turn_that_runs_is_given_operator_lines_and_nothing_else() {
    let mixed = Wake { operator: true, ..wake(1, topic(1)) };
    let mut here = vec![unread(1, topic(1), Some(mixed.id), 10), unread(2, topic(1), Some(mixed.id), 10)];
    here[1].trust = Trust::Operator;
    here.push(unread(3, topic(1), None, 10));
    let line = here[1].message.id;
    let started = begin(facts(Vec::new(), Vec::new(), vec![unread(9, topic(2), None, 1)]));
    let into = started.changes.into_iter().find_map(|change| match change {
        Change::TurnStarted(turn) => Some(turn),
        _ => None,
    });
    let more = begin(supervised(BeginFacts { into, ..facts(vec![mixed], here, Vec::new()) }));
    assert!(!more.changes.iter().any(|change| matches!(change, Change::TurnStarted(_))));
    let wakes: Vec<MessageId> = more.batch.wakes.iter().map(|item| item.message.id).collect();
    assert_eq!((wakes, more.batch.context.len()), (vec![line], 0));
    assert_eq!(taken(&more), 0, "the rest of its wake waits");
}

#[test]
fn no_supervised_turn_begins_for_what_woke_nobody() {
    let begun = begin(supervised(facts(Vec::new(), Vec::new(), vec![unread(1, topic(2), None, 10)])));
    assert!(begun.changes.is_empty() && begun.batch.turn.is_none());
}
