//! A seed is a run for good, on either store.

use ygg_proof::sim::batch;
use ygg_proof::sim::place::Ground;
use ygg_proof::sim::run::{self, Outcome};
use ygg_proof::sim::scene::Size;

const SIZE: Size = Size { agents: 5, steps: 120 };

#[test]
fn a_seed_gives_the_same_run_again() {
    for seed in [1, 2] {
        let (one, other) = (run::draw(seed, SIZE).unwrap(), run::draw(seed, SIZE).unwrap());
        assert_eq!(one.outcome, Outcome::Rested);
        assert_eq!(one.history, other.history);
        assert_eq!(one.prints, other.prints);
        assert!(one.sums.agent_messages > 0 && one.sums.turns > 0, "{:?}", one.sums);
    }
    assert_ne!(run::draw(1, SIZE).unwrap().history.steps, run::draw(2, SIZE).unwrap().history.steps);
}

#[test]
fn sqlite_tells_what_memory_tells() {
    // One in which the server dies.
    let ran = (1..).map(|seed| run::draw(seed, SIZE).unwrap()).find(|ran| ran.deaths > 2).unwrap();
    let other = run::follow(&ran.history, Ground::Sqlite).unwrap();
    assert_eq!(other.deaths, ran.deaths);
    assert_eq!(other.prints, ran.prints);
    assert_eq!(run::replay(&ran).unwrap(), Outcome::Rested);
}

#[test]
fn a_history_reads_as_it_is_printed() {
    let ran = run::draw(3, SIZE).unwrap();
    let text = batch::print(&ran.history).unwrap();
    let report = batch::replay(&format!("what was printed before\n{text}\n")).unwrap();
    assert!(report.is_good(), "{report}");
    assert_eq!((report.runs, report.actions), (1, ran.actions));
}

/// Histories that broke a rule once, as they were printed.
#[test]
fn what_was_wrong_once_stays_right() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let report = batch::replay(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(report.is_good(), "{}: {report}", path.display());
        files += 1;
    }
    assert!(files > 0);
}
