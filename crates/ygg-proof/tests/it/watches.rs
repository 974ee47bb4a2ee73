//! What watches sees a log that is not as it should be: with an event too few or too many, or one that tells something else.

use std::sync::LazyLock;

use ygg_proof::sim::log::{Entry, Posted};
use ygg_proof::sim::monitor::{Doer, Monitor, Wrong};
use ygg_proof::sim::place::Ground;
use ygg_proof::sim::run;
use ygg_proof::sim::scene::Size;

type Log = Vec<(Doer, Vec<Entry>)>;

/// True logs in which a bit of everything happens.
static LOGS: LazyLock<Vec<Log>> = LazyLock::new(|| {
    let size = Size { agents: 6, steps: 260 };
    let log = |seed| {
        let ran = run::draw(seed, size).expect("a run");
        let kept = run::follow_and_keep(&ran.history, Ground::Memory).expect("it is there").kept;
        kept.into_iter().map(|kept| (kept.doer, kept.entries)).collect()
    };
    (1..=6).map(log).collect()
});

/// What is seen, with places in the log counted anew.
fn seen(log: &Log) -> Option<Wrong> {
    let (mut monitor, mut seq) = (Monitor::default(), 0);
    log.iter().find_map(|(doer, entries)| {
        let mut entries = entries.clone();
        for entry in &mut entries {
            seq += 1;
            entry.seq = seq;
        }
        monitor.look(doer.clone(), &entries).err()
    })
}

/// Rules that are seen to be broken when an event of that kind is changed, one at a time.
fn rules(logs: &[Log], kind: &str, change: impl Fn(&mut Vec<Entry>, usize)) -> Vec<&'static str> {
    let mut rules = Vec::new();
    for log in logs {
        let places = log.iter().enumerate().flat_map(|(step, (_, entries))| {
            let those = entries.iter().enumerate().filter(|(_, entry)| entry.kind == kind);
            those.map(move |(place, _)| (step, place))
        });
        for (step, place) in places.take(8) {
            let mut log = log.clone();
            change(&mut log[step].1, place);
            rules.extend(seen(&log).map(|wrong| wrong.rule));
        }
    }
    rules
}

#[test]
fn a_true_log_is_right_and_one_with_a_gap_is_not() {
    let logs = &*LOGS;
    for log in logs {
        assert_eq!(seen(log), None);
    }
    let mut monitor = Monitor::default();
    let mut entries = logs[0][0].1.clone();
    entries.remove(1);
    assert_eq!(monitor.look(Doer::Person, &entries).unwrap_err().rule, "A1");
}

#[test]
fn an_event_too_few_is_seen() {
    let logs = &*LOGS;
    for kind in [
        "conversation.message.posted",
        "credits.moved",
        "debt.ended",
        "delivery.handed",
        "delivery.returned",
        "delivery.roused",
        "participant.added",
        "topic.closed",
        "topic.opened",
        "turn.ended",
        "turn.started",
        "wake.answered",
        "wake.created",
        "wake.ended",
        "wake.returned",
        "wake.taken",
    ] {
        assert_ne!(rules(logs, kind, |entries, place| drop(entries.remove(place))), [""; 0], "{kind}");
    }
}

#[test]
fn an_event_too_many_is_seen() {
    let logs = &*LOGS;
    for kind in [
        "conversation.message.posted",
        "credits.moved",
        "debt.ended",
        "delivery.handed",
        "delivery.returned",
        "notice.given",
        "notice.handed",
        "nudge.counted",
        "topic.closed",
        "topic.opened",
        "turn.ended",
        "turn.started",
        "wake.answered",
        "wake.created",
        "wake.ended",
        "wake.returned",
        "wake.taken",
    ] {
        let twice = |entries: &mut Vec<Entry>, place: usize| entries.insert(place, entries[place].clone());
        let (rules, there) = (rules(logs, kind, twice), logs.iter().flatten());
        let there = there.flat_map(|(_, entries)| entries).filter(|entry| entry.kind == kind).count();
        assert!(rules.len() >= there.min(8), "{kind}: {there} are there, and {rules:?} was seen");
    }
}

/// The rules that are broken when messages are told otherwise.
fn told_otherwise(of: impl Fn(&Posted) -> bool, change: impl Fn(&mut Posted)) -> Vec<&'static str> {
    let otherwise = |entries: &mut Vec<Entry>, place: usize| {
        let posted = entries[place].posted.as_deref_mut().filter(|posted| of(posted));
        posted.into_iter().for_each(&change);
    };
    rules(&LOGS, "conversation.message.posted", otherwise)
}

#[test]
fn a_message_that_does_what_it_may_not_is_seen() {
    let by_agent = |posted: &Posted| posted.sender.starts_with('a');
    let cheap = told_otherwise(by_agent, |posted| posted.charged -= 1);
    assert!(cheap.contains(&"C1"), "{cheap:?}");
    let wakes = told_otherwise(
        |posted| by_agent(posted) && posted.kind == "request",
        |posted| posted.kind = "inform",
    );
    assert!(wakes.contains(&"M3"), "{wakes:?}");
    let forged = told_otherwise(by_agent, |posted| posted.sender = "a99".to_owned());
    assert!(forged.contains(&"M1"), "{forged:?}");
    let silent = told_otherwise(
        |posted| !by_agent(posted),
        |posted| posted.recipients.iter_mut().for_each(|one| one.effect = "context"),
    );
    assert!(silent.contains(&"K1"), "{silent:?}");
}

#[test]
fn credits_out_of_nothing_are_seen() {
    let more = rules(&LOGS, "credits.moved", |entries, place| {
        for field in ["amount", "balance"] {
            let value = entries[place].data[field].as_i64().expect("it is there");
            entries[place].data[field] = (value + 1).into();
        }
    });
    assert!(more.contains(&"C5") || more.contains(&"C3"), "{more:?}");
}
