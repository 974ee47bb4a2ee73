//! Jobs out of closures, and what all stores promise about them: each is told once, in the order of the commits.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};

use ygg_domain::policy::Policy;
use ygg_store::{Job, Result, Rows, Store, Tx};

use crate::cast::{TEAM, at, group_set, slug};
use crate::postgres;
use crate::same::{Stores, each_store};

/// A job that runs `action` and passes what it made to `done`.
pub fn job<T, A, D>(action: A, done: D) -> Box<dyn Job>
where
    T: Send + 'static,
    A: FnMut(&mut dyn Tx) -> Result<T> + Send + 'static,
    D: FnOnce(Result<T>) + Send + 'static,
{
    Box::new(Closures { action, made: None, done })
}

struct Closures<T, A, D> {
    action: A,
    made: Option<T>,
    done: D,
}

impl<T, A, D> Job for Closures<T, A, D>
where
    T: Send,
    A: FnMut(&mut dyn Tx) -> Result<T> + Send,
    D: FnOnce(Result<T>) + Send,
{
    fn within(&self) -> &[ygg_store::Within] {
        &[ygg_store::Within::Server]
    }

    fn run(&mut self, tx: &mut dyn Tx) -> Result<()> {
        self.made = Some((self.action)(tx)?);
        Ok(())
    }

    fn finish(self: Box<Self>, outcome: Result<()>) {
        let Self { made, done, .. } = *self;
        done(outcome.map(|()| made.expect("a job that ended well made something")));
    }
}

/// Writes and waits for the outcome.
pub fn write<T: Send + 'static>(
    store: &dyn Store,
    action: impl FnMut(&mut dyn Tx) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (done, outcome) = mpsc::channel();
    store.write(job(action, move |made| done.send(made).expect("somebody waits for it")));
    outcome.recv().expect("every job is told its outcome")
}

/// The answer to one question.
pub fn read<T>(store: &dyn Store, question: impl Fn(&dyn Rows) -> Result<T>) -> Result<T> {
    let mut answer = None;
    store.read(ygg_store::Within::Server, &mut |rows| {
        answer = Some(question(rows)?);
        Ok(())
    })?;
    Ok(answer.expect("the question was asked"))
}

/// One workspace and nothing in it.
pub fn found(store: &dyn Store) {
    let key = write(store, |tx| tx.create_workspace(&slug("team"), &Policy::default(), at(0)));
    assert_eq!(key.expect("a first workspace"), TEAM);
}

/// Holds the writer inside a transaction until told to go on, so that what comes meanwhile shares a commit.
pub fn hold(store: &dyn Store) -> Sender<()> {
    let (go, wait) = mpsc::channel::<()>();
    let (holds, held) = mpsc::channel();
    let hold = move |_: &mut dyn Tx| {
        holds.send(()).expect("the test waits for it");
        wait.recv().expect("the test lets it go on");
        Ok(())
    };
    store.write(job(hold, |outcome| outcome.expect("holding writes nothing")));
    held.recv().expect("the writer takes the job");
    go
}

/// Queues a job that writes a group and then fails or not; tells `told` its number and outcome.
pub fn queue(store: &dyn Store, number: usize, fails: bool, told: &Sender<(usize, ygg_store::Result<i64>)>) {
    let told = told.clone();
    let write = move |tx: &mut dyn Tx| {
        let seq = tx.apply(TEAM, at(1), &[group_set(&format!("group-{number}"), &[])])?;
        if fails {
            tx.create_workspace(&slug("team"), &Policy::default(), at(1))?;
        }
        Ok(seq)
    };
    store.write(job(write, move |outcome| told.send((number, outcome)).expect("the test waits for it")));
}

#[test]
fn jobs_of_many_threads_are_each_told_once_and_in_the_order_of_the_commits() {
    const THREADS: usize = 8;
    const JOBS: usize = 40;
    each_store(|store| {
        found(store);
        let told = Arc::new(Mutex::new(Vec::new()));
        let (done, outcomes) = mpsc::channel();
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (told, done) = (Arc::clone(&told), done.clone());
                scope.spawn(move || {
                    for number in 0..JOBS {
                        let (told, done) = (Arc::clone(&told), done.clone());
                        let write =
                            move |tx: &mut dyn Tx| tx.apply(TEAM, at(1), &[group_set("all_of_us", &[])]);
                        store.write(job(write, move |seq| {
                            told.lock().unwrap().push(seq.unwrap());
                            done.send((thread, number)).unwrap();
                        }));
                    }
                });
            }
        });
        drop(done);
        let finished: Vec<_> = outcomes.iter().collect();
        assert_eq!(finished.len(), THREADS * JOBS);
        assert_eq!(finished.iter().collect::<BTreeSet<_>>().len(), THREADS * JOBS);
        let expected: Vec<i64> = (1..).take(THREADS * JOBS).collect();
        assert_eq!(*told.lock().unwrap(), expected);
        assert_eq!(read(store, |rows| rows.last_seq(TEAM)).unwrap(), expected.len() as i64);
    });
}

#[test]
fn whoever_is_told_may_come_back_to_the_store() {
    let Stores { memory, sqlite, postgres, place: _place } = Stores::open();
    let mut stores: Vec<Arc<dyn Store>> = vec![Arc::new(memory), Arc::new(sqlite)];
    let database = postgres.map(postgres::Place::split);
    if let Some((store, _)) = &database {
        stores.push(Arc::clone(store) as Arc<dyn Store>);
    }
    for store in stores {
        found(&*store);
        let (done, outcome) = mpsc::channel();
        // Not a strong one: the last to hold SQLite's store waits for its writer, which tells.
        let again = Arc::downgrade(&store);
        store.write(job(
            |tx| tx.apply(TEAM, at(1), &[group_set("one", &[])]),
            move |seq| {
                let store = again.upgrade().unwrap();
                assert_eq!(read(&*store, |rows| rows.last_seq(TEAM)).unwrap(), seq.unwrap());
                let second = |tx: &mut dyn Tx| tx.apply(TEAM, at(2), &[group_set("two", &[])]);
                store.write(job(second, move |seq| done.send(seq.unwrap()).unwrap()));
            },
        ));
        assert_eq!(outcome.recv(), Ok(2));
    }
}

#[test]
fn a_job_sees_what_it_wrote_and_a_workspace_counts_for_itself() {
    each_store(|store| {
        found(store);
        let seqs = write(store, |tx| {
            let plane = tx.create_workspace(&slug("plane"), &Policy::default(), at(0))?;
            let mut seqs = Vec::new();
            for workspace in [TEAM, plane, TEAM] {
                seqs.push(tx.apply(workspace, at(1), &[group_set("one", &[])])?);
                assert_eq!(tx.last_seq(workspace)?, seqs[seqs.len() - 1]);
            }
            Ok(seqs)
        });
        assert_eq!(seqs.unwrap(), [1, 1, 2]);
    });
}

#[test]
fn what_a_look_answers_is_passed_on() {
    each_store(|store| {
        found(store);
        let trouble = store.read(ygg_store::Within::Server, &mut |_| Err(ygg_store::Error::Closed));
        assert!(matches!(trouble, Err(ygg_store::Error::Closed)));
        assert_eq!(read(store, |rows| rows.workspaces()).unwrap().len(), 1);
    });
}
