//! What the writer knows: with every question asked before and after every step, so that it knows all it can, it
//! answers like a reader, which knows nothing; also after writes that were undone and those of another node.

use ygg_store::{Error, Store};

use crate::history::Step;
use crate::jobs::{read, write};
use crate::questions::Subjects;
use crate::same::Stores;
use crate::shuffled::drawn;

/// Steps from one write that is undone to the next.
const UNDONE: usize = 7;
/// Steps from one comparison with a reader to the next.
const STRIDE: usize = 5;

/// Writes a drawn history, each step at the next of the writers in turn, which see the same database.
fn knows_the_truth(name: &str, seed: u64, steps: usize, writers: &[&dyn Store]) {
    let mut history = drawn(seed);
    history.steps.truncate(steps);
    let steps = history.steps.clone();
    for (number, (at, step)) in steps.into_iter().enumerate() {
        let writer = writers[number % writers.len()];
        if number % UNDONE == 0 && !matches!(step, Step::Workspace(..)) {
            let (step, subjects) = (step.clone(), Subjects::of(&history));
            let undone = write(writer, move |tx| {
                step.write(tx, at)?;
                subjects.ask(&*tx);
                Err::<(), _>(Error::Undone)
            });
            assert!(matches!(undone, Err(Error::Undone)), "{undone:?}");
        }
        let subjects = Subjects::of(&history);
        let said = format!("{name}, seed {seed}, after step {number}, {step:?}");
        let by_writer = write(writer, move |tx| {
            step.write(tx, at)?;
            Ok(subjects.ask(&*tx))
        });
        if number % STRIDE == 0 {
            let subjects = Subjects::of(&history);
            let by_reader = read(writer, |rows| Ok(subjects.ask(rows)));
            assert_eq!(by_writer.expect("a step is written"), by_reader.expect("a look"), "{said}");
        }
    }
}

#[test]
fn a_writer_that_remembers_answers_like_a_reader_that_does_not() {
    let stores = Stores::open();
    knows_the_truth("SQLite", 4, 120, &[&stores.sqlite]);
}

#[test]
fn two_nodes_know_what_the_other_wrote() {
    let Some(place) = crate::postgres::place() else { return };
    let other = place.other_node();
    knows_the_truth("PostgreSQL", 5, 60, &[&place.store, &other, &other]);
}
