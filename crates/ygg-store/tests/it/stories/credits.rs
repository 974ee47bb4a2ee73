//! Pots and the ledger; tasks; what is remembered of sends.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::credits::{Entry, Pot, Reason};
use ygg_domain::id::MessageId;
use ygg_domain::task::{Task, TaskStatus};
use ygg_store::Rows;

use crate::cast::{TEAM, at, id};
use crate::history::History;
use crate::same::{Stores, same};

/// The pool, two wallets and a budget; an entry for each reason.
pub fn movements() -> History {
    let mut history = History::new();
    let (ana, codex) = (history.person(1, "ana"), history.agent("codex"));
    let general = history.conversation(Kind::General);
    let topic = history.topic(general, &codex, Some("what costs"));
    history.book(Pot::Pool, 1000, 1000, &ana);
    history.book(Pot::Wallet(id("zed")), 5, 5, &ana);
    history.book(Pot::Wallet(codex.clone()), 30, 30, &ana);
    history.book(Pot::Budget(topic), 3, 3, &ana);
    let message = MessageId::fresh(&mut history.ids);
    let mut balance = 30;
    for reason in Reason::ALL {
        balance -= 5;
        history.then(Change::CreditsMoved(Entry {
            pot: Pot::Wallet(codex.clone()),
            amount: -5,
            balance,
            reason,
            by: codex.clone(),
            message: (reason == Reason::Message).then_some(message),
        }));
    }
    history.book(Pot::Budget(topic), -3, 0, &codex);
    history
}

#[test]
fn the_ledger_adds_up() {
    let stores = same(&movements());
    let sums = stores.ask(|rows| rows.ledger_sums(TEAM));
    assert_eq!(sums, stores.ask(|rows| rows.balances(TEAM)));
    let names: Vec<String> = sums.iter().map(|(pot, _)| pot.to_string()).collect();
    assert!(names[0].starts_with("budget:"));
    assert_eq!(names[1..], ["pool", "wallet:codex", "wallet:zed"]);
    assert_eq!(stores.ask(|rows| rows.balance(TEAM, &Pot::Pool)), Some(1000));
    assert_eq!(stores.ask(|rows| rows.balance(TEAM, &Pot::Wallet(id("nobody")))), None);
    let last = stores.ask(|rows| rows.ledger(TEAM, i64::MAX, 2));
    assert_eq!(stores.ask(|rows| rows.ledger(TEAM, last[0].seq, 1)), last[1..]);
    assert!(last[0].seq > last[1].seq && last[0].entry.balance == 0);
}

/// Tasks that change place, change hands in vain and go; sends that are remembered, and again.
pub fn lists() -> History {
    let mut history = History::new();
    let (codex, claude) = (history.agent("codex"), history.agent("claude"));
    let general = history.conversation(Kind::General);
    let topic = history.topic(general, &codex, None);
    let (first, second) = (history.task(&codex, 0), history.task(&codex, 1));
    let third = history.task(&codex, 1);
    history.task(&claude, 0);
    history.then(Change::TaskSet(Task {
        text: "moved down".to_owned(),
        status: TaskStatus::Doing,
        topic: Some(topic),
        place: 7,
        ..first
    }));
    let stays = Task { agent: claude.clone(), status: TaskStatus::Done, ..second };
    history.then(Change::TaskSet(stays));
    for _ in 0..2 {
        history.then(Change::TaskRemoved { task: third.id, agent: claude.clone() });
    }
    history.sent(&codex, "once", 1, Some(r#"{"status":"delivered"}"#));
    history.sent(&codex, "paid", 2, None);
    history.sent(&claude, "once", 3, Some("{}"));
    history.sent(&codex, "paid", 4, Some("{}"));
    history
}

#[test]
fn tasks_stand_in_their_order() {
    let stores = same(&lists());
    let tasks = stores.ask(|rows| rows.tasks(TEAM, &id("codex")));
    assert_eq!(tasks.iter().map(|task| task.place).collect::<Vec<_>>(), [1, 7]);
    assert_eq!(stores.ask(|rows| rows.tasks(TEAM, &id("claude"))).len(), 1);
}

#[test]
fn a_send_is_remembered_until_it_is_too_long_ago() {
    let history = lists();
    let stores = Stores::after(&history);
    let steps = history.steps.len();
    let sent = |back: usize| history.steps[steps - back].0;
    let prior = |rows: &dyn Rows, key: &str, since: i64| rows.prior_send(TEAM, &id("codex"), key, at(since));
    let once = stores.ask(|rows| prior(rows, "once", sent(4).0 - 1)).unwrap();
    assert_eq!(once.digest, [1; 32]);
    assert!(once.receipt.is_some());
    assert_eq!(stores.ask(|rows| prior(rows, "once", sent(4).0)), None, "as long ago as `since` is too long");
    let again = stores.ask(|rows| prior(rows, "paid", sent(3).0)).unwrap();
    assert_eq!((again.digest, again.receipt.as_deref()), ([4; 32], Some("{}")));
    assert_eq!(stores.ask(|rows| prior(rows, "never", 0)), None);
}
