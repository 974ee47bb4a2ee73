//! What people are told outside of Ygg: each message once, taken up by one, tried again, and gone with the person.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::id::OutgoingId;
use ygg_domain::notice::NoticeKind;
use ygg_domain::notification::outbox::{Act, LEASE, Step};
use ygg_domain::participant::{Participant, Role};

use crate::cast::{TEAM, at, id, person};
use crate::history::History;
use crate::same::{Stores, same};

/// Two people with outlets and messages in every step.
pub fn outside() -> History {
    story().0
}

fn story() -> (History, [OutgoingId; 5]) {
    let mut history = History::new();
    let (ana, mia, codex) = (history.person(1, "ana"), history.person(2, "mia"), history.agent("codex"));
    let general = history.conversation(Kind::General);
    let topic = history.topic(general, &codex, None);
    history.notice_of(NoticeKind::Nudge, &ana, Some(topic));
    history.outlet(&ana, true);
    history.outlet(&mia, false);
    history.outlet(&mia, true);
    history.notice_of(NoticeKind::Nudge, &ana, Some(topic));
    let ended = history.notice_of(NoticeKind::Nudge, &ana, None);
    history.then(Change::NoticeEnded { notice: ended.id, recipient: ana.clone() });
    let ids = [("a", 0), ("a", 1), ("b", 0), ("c", 0), ("d", 0)]
        .map(|(key, round)| history.outgoing(&ana, key, round));
    // The same again is nothing new, also from another node.
    history.outgoing(&ana, "a", 0);
    history.outgoing(&mia, "a", 0);
    let [first, second, third, fourth, fifth] = ids;
    let settle = |id, attempt, step, due_at, trouble: Option<&str>| Act::Settle {
        id,
        attempt,
        step,
        due_at,
        trouble: trouble.map(str::to_owned),
    };
    for id in [first, first, second] {
        history.take_up(id);
    }
    history.mail(settle(first, 1, Step::Sent, None, None));
    // Whoever lost it in between settles nothing.
    history.mail(settle(second, 9, Step::Sent, None, None));
    history.mail(settle(second, 1, Step::Waiting, Some(at(1)), Some("nobody answers there")));
    history.take_up(second);
    history.mail(Act::Withdraw(third));
    history.take_up(third);
    history.mail(Act::Postpone(fourth, at(i64::MAX)));
    history.take_up(fourth);
    history.mail(Act::Forget(fifth));
    history.mail(Act::Seen(ana.clone(), 9));
    history.mail(Act::Seen(ana, 3));
    history.outlet(&mia, false);
    history.then(Change::OutletRemoved { person: mia });
    (history, ids)
}

#[test]
fn each_message_is_taken_up_by_one_and_settled_by_the_same() {
    let (history, ids) = story();
    let stores = same(&history);
    let found = |id: OutgoingId| stores.ask(|rows| rows.outgoing(TEAM, id));
    let steps = ids.map(|id| found(id).map(|row| (row.step, row.attempts)));
    let expected = [
        Some((Step::Sent, 1)),
        Some((Step::Waiting, 2)),
        Some((Step::Over, 0)),
        Some((Step::Waiting, 0)),
        None,
    ];
    assert_eq!(steps, expected);
    let second = found(ids[1]).expect("it is tried again");
    assert_eq!(second.trouble.as_deref(), Some("nobody answers there"));
    let due = second.due_at.expect("until its lease ends");
    assert_eq!(stores.ask(|rows| rows.due_outgoing(due, 9)), [(TEAM, ids[1])]);
    assert_eq!(stores.ask(|rows| rows.due_outgoing(at(due.0 - 1), 9)), []);
    assert!(due.0 > i64::try_from(LEASE.as_millis()).expect("a short time"));
    // Of notices only those after the outlet was set, and not what has ended.
    let (_, seen) = stores.ask(|rows| rows.outlet(TEAM, &id("human.1"))).expect("an outlet");
    assert_eq!(seen, 9);
    assert_eq!(stores.ask(|rows| rows.told()).len(), 1);
    assert_eq!(stores.ask(|rows| rows.notices_after(TEAM, &id("human.1"), 5, 9)).len(), 2);
    assert_eq!(stores.ask(|rows| rows.notices_after(TEAM, &id("human.1"), 9, 9)).len(), 1);
}

#[test]
fn nothing_goes_out_to_somebody_who_left() {
    let (mut history, _) = story();
    let gone = Participant { removed: true, ..person(1, "ana", Role::Member) };
    history.then(Change::ParticipantChanged(gone));
    let stores = Stores::after(&history);
    assert_eq!(stores.ask(|rows| rows.told()), []);
    assert_eq!(stores.ask(|rows| rows.outbox(TEAM, &id("human.1"))), []);
}
