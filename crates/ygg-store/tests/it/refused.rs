//! What the shape of the rows forbids: a bug of ours wherever it happens, and refused by every store.

use ygg_domain::Change;
use ygg_domain::change::DebtEnd;
use ygg_domain::conversation::Kind;
use ygg_domain::credits::Pot;
use ygg_domain::id::TopicId;
use ygg_domain::message::ContextReason;
use ygg_domain::participant::Role;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::wake::WakeStatus;
use ygg_store::{Error, Result, Store, Tx};

use crate::cast::{TEAM, at, id, person, room, slug, told};
use crate::history::{History, Step};
use crate::jobs::write;
use crate::same::{each_store, same};

/// A history whose last step must be refused, for the reason that its name says.
type Case = (&'static str, fn(&mut History));

const CASES: [Case; 14] = [
    ("a session with the secret of another, in another workspace", |history| {
        history.session(&id("human.1"), 1);
        history.workspace("plane");
        history.session(&id("human.1"), 1);
    }),
    ("an invite with the code of another", |history| {
        history.invite(&id("human.1"), Role::Member, 1);
        history.invite(&id("human.1"), Role::Member, 1);
    }),
    ("an account with the handle of another", |history| {
        history.account(1, "ana", None);
        history.account(2, "ana", None);
    }),
    ("a handle that another has", |history| {
        history.add(person(2, "ana", Role::Member));
    }),
    ("a handle that another has, by a change", |history| {
        history.person(2, "bo");
        history.then(Change::ParticipantChanged(person(2, "ana", Role::Member)));
    }),
    ("a key with the hash of another, in another workspace", |history| {
        history.key(&id("codex"), 1);
        history.workspace("plane");
        history.key(&id("codex"), 1);
    }),
    ("a conversation of a kind that is there", |history| {
        let founders = [&id("human.1"), &id("codex"), &id("claude")];
        history.conversation(room(&founders, false));
        history.conversation(room(&founders, true));
    }),
    ("a conversation twice", |history| {
        history.conversation(Kind::Direct(id("claude"), id("codex")));
        again(history);
    }),
    ("a topic twice", |history| {
        topic(history);
        again(history);
    }),
    ("a message twice", |history| {
        let topic = topic(history);
        history.tell(topic, &id("codex"), &[]);
        again(history);
    }),
    ("a message to somebody twice", |history| {
        let topic = topic(history);
        let told = told(&id("codex"), ContextReason::Inform);
        history.tell(topic, &id("human.1"), &[told.clone(), told]);
    }),
    ("a notice twice", |history| {
        let topic = topic(history);
        let message = history.tell(topic, &id("codex"), &[]);
        history.notice(&id("codex"), topic, &id("human.1"), message);
        again(history);
    }),
    ("a turn twice", |history| {
        history.turn(&id("codex"), None);
        again(history);
    }),
    ("less than nothing in a pot", |history| {
        history.book(Pot::Pool, 5, 5, &id("human.1"));
        history.book(Pot::Pool, -6, -1, &id("codex"));
    }),
];

fn topic(history: &mut History) -> TopicId {
    let general = history.conversation(Kind::General);
    history.topic(general, &id("codex"), None)
}

/// The last step once more.
fn again(history: &mut History) {
    let last = history.steps.last().expect("there is a step").clone();
    history.steps.push(last);
}

fn write_steps(store: &dyn Store, steps: &[(Timestamp, Step)]) -> Result<()> {
    let steps = steps.to_vec();
    write(store, move |tx: &mut dyn Tx| steps.iter().try_for_each(|(at, step)| step.write(tx, *at).map(drop)))
}

#[test]
fn what_the_shape_forbids_is_refused() {
    for (what, tell) in CASES {
        let mut history = History::new();
        history.person(1, "ana");
        history.agent("codex");
        tell(&mut history);
        let (last, before) = history.steps.split_last().unwrap();
        each_store(|store| {
            write_steps(store, before).unwrap();
            let refused = write_steps(store, std::slice::from_ref(last));
            assert!(matches!(refused, Err(Error::Database(_))), "{what}: {refused:?}");
        });
    }
}

#[test]
fn a_name_of_a_workspace_stands_once() {
    each_store(|store| {
        let make = |tx: &mut dyn Tx| tx.create_workspace(&slug("team"), &Policy::default(), at(0));
        assert_eq!(write(store, make).unwrap(), TEAM);
        assert!(matches!(write(store, make), Err(Error::Database(_))));
    });
}

#[test]
fn changes_of_what_is_not_there_move_nothing_but_the_log() {
    let mut history = History::new();
    // Made in a history that is never written.
    let mut elsewhere = History::new();
    let topic = topic(&mut elsewhere);
    let (codex, ana) = (id("codex"), id("human.1"));
    let wake = elsewhere.wake(&codex, Some(topic));
    let message = elsewhere.tell(topic, &ana, &[told(&codex, ContextReason::Inform)]);
    let notice = elsewhere.notice(&codex, topic, &ana, message);
    let turn = elsewhere.turn(&codex, None);
    let key = elsewhere.key(&codex, 9);
    let begun = elsewhere.steps.len();
    elsewhere.take(&wake, turn);
    elsewhere.end_wake(&wake, WakeStatus::Spent);
    elsewhere.rouse(message, &codex, &wake);
    elsewhere.hand(turn, &codex, &[message], &[notice]);
    elsewhere.show(turn, &codex, &[message]);
    elsewhere.end_turn(turn, &codex);
    elsewhere.debt_ended(topic, message, &codex, DebtEnd::Closed);
    elsewhere.close(topic, &ana);
    elsewhere.key_used(key);
    elsewhere.then(Change::KeyRevoked { key, participant: codex.clone() });
    elsewhere.leave(elsewhere.conversation_of(topic), &codex);
    history.steps.extend_from_slice(&elsewhere.steps[begun..]);
    let stores = same(&history);
    assert_eq!(stores.ask(|rows| rows.last_seq(TEAM)), 12);
    assert_eq!(stores.ask(|rows| rows.topics(TEAM, None, None, 9)), []);
}
