//! Once for each item, once a day for what still stands, and nothing for what is over.

use super::*;
use crate::notice::NoticeKind;

struct Count(u128);

impl Ids for Count {
    fn next(&mut self) -> u128 {
        self.0 += 1;
        self.0
    }
}

const HOUR: i64 = 3_600_000;

fn item(key: &str, subject: Subject) -> Item {
    Item { key: key.to_owned(), subject, topic: None, about: None }
}

fn question() -> Item {
    item("q", Subject::NeedsHuman)
}

fn row(item: Item, round: u32, step: Step, made_hour: i64) -> Outgoing {
    Outgoing {
        id: OutgoingId::fresh(&mut Count(u128::from(round))),
        person: ParticipantId::person(1),
        item,
        round,
        step,
        attempts: 1,
        made_at: Timestamp(made_hour * HOUR),
        due_at: None,
        trouble: None,
    }
}

fn facts(standing: Vec<Item>, outbox: Vec<Outgoing>) -> LookFacts {
    let person = ParticipantId::person(1);
    LookFacts { person, standing, notices: Vec::new(), seen: None, outbox, ended: Vec::new() }
}

/// What is added at an hour, as key and round.
fn added(facts: &LookFacts, hour: i64) -> Vec<(String, u32)> {
    let acts = decide(facts, &mut Count(1 << 80), Timestamp(hour * HOUR));
    let add = |act: Act| match act {
        Act::Add(row) => Some((row.item.key, row.round)),
        _ => None,
    };
    acts.into_iter().filter_map(add).collect()
}

#[test]
fn an_item_is_told_once_and_a_question_each_day() {
    let credits = item("c", Subject::Credits);
    // what stands, what there is of it, the hour, the rounds that are added
    let table = [
        (question(), vec![], 0, vec![0]),
        (question(), vec![(0, Step::Waiting)], 100, vec![]),
        (question(), vec![(0, Step::Sent)], 23, vec![]),
        (question(), vec![(0, Step::Sent)], 24, vec![1]),
        (question(), vec![(0, Step::GivenUp)], 24, vec![1]),
        (question(), vec![(0, Step::Sent), (1, Step::Waiting)], 100, vec![]),
        (question(), vec![(0, Step::Sent), (1, Step::Sent)], 24, vec![2]),
        (question(), vec![(0, Step::Over)], 1, vec![1]),
        (credits.clone(), vec![], 0, vec![0]),
        (credits.clone(), vec![(0, Step::Sent)], 1_000, vec![]),
        (credits, vec![(0, Step::GivenUp)], 1_000, vec![]),
    ];
    for (item, there, hour, rounds) in table {
        let outbox = there.iter().map(|(round, step)| row(item.clone(), *round, *step, 0)).collect();
        let told = added(&facts(vec![item.clone()], outbox), hour);
        assert_eq!(
            told.into_iter().map(|(_, round)| round).collect::<Vec<_>>(),
            rounds,
            "{item:?} {there:?} {hour}"
        );
    }
}

#[test]
fn what_is_over_is_not_told_and_forgotten_after_a_month() {
    let waiting = row(question(), 0, Step::Waiting, 0);
    let gone = decide(&facts(vec![], vec![waiting.clone()]), &mut Count(0), Timestamp(HOUR));
    assert_eq!(gone, [Act::Withdraw(waiting.id)]);
    let notice = row(item("n", Subject::Notice(NoticeKind::Nudge)), 0, Step::Waiting, 0);
    let none = decide(&facts(vec![], vec![notice.clone()]), &mut Count(0), Timestamp(HOUR));
    assert_eq!(none, [], "a notice stands by itself");
    let ended = LookFacts { ended: vec![notice.id], ..facts(vec![], vec![notice.clone()]) };
    assert_eq!(decide(&ended, &mut Count(0), Timestamp(HOUR)), [Act::Withdraw(notice.id)]);
    let sent = row(question(), 0, Step::Sent, 0);
    for (days, standing, forgotten) in [(29, false, false), (30, false, true), (30, true, false)] {
        let standing = if standing { vec![question()] } else { vec![] };
        let acts = decide(&facts(standing, vec![sent.clone()]), &mut Count(0), Timestamp(days * 24 * HOUR));
        assert_eq!(acts.contains(&Act::Forget(sent.id)), forgotten, "{days}");
    }
}

#[test]
fn an_outbox_has_a_size() {
    let many: Vec<Item> =
        (0..limits::OUTBOX_WAITING + 9).map(|n| item(&n.to_string(), Subject::Stalled)).collect();
    assert_eq!(added(&facts(many.clone(), vec![]), 0).len(), limits::OUTBOX_WAITING);
    let waits = row(many[0].clone(), 0, Step::Waiting, 0);
    assert_eq!(added(&facts(many, vec![waits]), 0).len(), limits::OUTBOX_WAITING - 1);
}

#[test]
fn what_fails_is_tried_again_for_some_hours_and_then_given_up() {
    let id = OutgoingId::fresh(&mut Count(0));
    let minutes = |attempt| match settle(id, attempt, Attempt::Failed("no".to_owned()), Timestamp(0)) {
        Act::Settle { step: Step::Waiting, due_at: Some(due), .. } => Some(due.0 / 60_000),
        Act::Settle { step: Step::GivenUp, due_at: None, .. } => None,
        other => panic!("{other:?}"),
    };
    let waits: Vec<Option<i64>> = (1..=6).map(minutes).collect();
    assert_eq!(waits, [Some(1), Some(5), Some(30), Some(120), None, None]);
    let end = |how| match settle(id, 1, how, Timestamp(0)) {
        Act::Settle { step, due_at: None, .. } => step,
        other => panic!("{other:?}"),
    };
    assert_eq!(end(Attempt::Arrived), Step::Sent);
    assert_eq!(end(Attempt::Refused("gone".to_owned())), Step::GivenUp);
}
