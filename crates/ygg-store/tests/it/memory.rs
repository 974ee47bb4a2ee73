//! What the store in memory does otherwise than SQLite: it writes at once, and a write cut short is its end.

use std::sync::mpsc;

use ygg_domain::policy::Policy;
use ygg_store::memory::Memory;
use ygg_store::{Error, Store, Tx};

use crate::cast::{TEAM, at, group_set, slug};
use crate::jobs::{found, job, read, write};

fn fails_half_way(tx: &mut dyn Tx) -> ygg_store::Result<()> {
    tx.apply(TEAM, at(1), &[group_set("half", &[])])?;
    tx.create_workspace(&slug("team"), &Policy::default(), at(1)).map(drop)
}

fn is_closed<T>(outcome: &ygg_store::Result<T>) -> bool {
    matches!(outcome, Err(Error::Closed))
}

#[test]
fn a_job_is_run_and_told_before_write_returns() {
    let store = Memory::new();
    found(&store);
    let (done, outcome) = mpsc::channel();
    let caller = std::thread::current().id();
    store.write(job(
        move |_| Ok(std::thread::current().id() == caller),
        move |same| done.send((same.unwrap(), std::thread::current().id())).unwrap(),
    ));
    assert_eq!(outcome.try_recv(), Ok((true, caller)));
}

#[test]
fn a_job_that_fails_before_it_wrote_harms_nothing() {
    let store = Memory::new();
    found(&store);
    let failed = write(&store, |tx| {
        tx.last_seq(TEAM)?;
        Err::<(), _>(Error::Newer { found: 2, known: 1 })
    });
    assert!(matches!(failed, Err(Error::Newer { .. })));
    assert_eq!(write(&store, |tx| tx.apply(TEAM, at(1), &[group_set("one", &[])])).unwrap(), 1);
}

#[test]
fn a_job_that_fails_after_it_wrote_closes_the_store() {
    let store = Memory::new();
    found(&store);
    assert!(matches!(write(&store, fails_half_way), Err(Error::Database(_))));
    assert!(is_closed(&write(&store, |tx| tx.last_seq(TEAM))));
    assert!(is_closed(&read(&store, |rows| rows.last_seq(TEAM))));
}

#[test]
fn a_job_that_panics_closes_the_store_and_a_look_that_panics_does_not() {
    let store = Memory::new();
    found(&store);
    std::thread::scope(|scope| {
        let look = scope.spawn(|| {
            store.read(ygg_store::Within::Server, &mut |_| panic!("a look that panics, as the test wants"))
        });
        assert!(look.join().is_err());
    });
    assert_eq!(read(&store, |rows| rows.last_seq(TEAM)).unwrap(), 0);
    std::thread::scope(|scope| {
        let writes = scope.spawn(|| {
            store.write(job(
                |_| -> ygg_store::Result<()> { panic!("a job that panics, as the test wants") },
                drop,
            ));
        });
        assert!(writes.join().is_err());
    });
    assert!(is_closed(&write(&store, |tx| tx.last_seq(TEAM))));
}
