//! Every scenario of the repository, at every level.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Semaphore;

use ygg_scenario::{Level, Outcome, Report, Servers, parse, run};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
/// Our own: corners of the rules that were wrong once.
const LAW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/law");

/// Files in which everything is built: they pass wholly.
const WHOLE: [&str; 4] = [
    "01-request-and-answer.yaml",
    "02-topics-and-refusals.yaml",
    "03-states-and-closing.yaml",
    "04-credits-and-loops.yaml",
];

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of scenarios");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn none_fails_and_what_is_built_passes() {
    let files = files(FOLDER);
    assert!(files.len() >= 6, "the scenarios are there");
    let (report, not_passed) = run_all(&files).await;
    println!("{report}");
    assert_eq!(report.totals().failed, 0, "{report}");
    for name in WHOLE {
        assert!(!not_passed.contains(name), "{name} does not pass wholly: {report}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_wrong_once_stays_right() {
    let files = files(LAW);
    assert!(!files.is_empty(), "they are there");
    let (report, not_passed) = run_all(&files).await;
    assert!(not_passed.is_empty(), "{report}");
}

/// Every scenario of the files at every level there is a store for; and the files that do not pass wholly.
async fn run_all(files: &[PathBuf]) -> (Report, BTreeSet<String>) {
    let servers = Servers { postgres: std::env::var("YGG_TEST_POSTGRES").ok() };
    if std::env::var("CI").as_deref() == Ok("true") {
        assert!(servers.postgres.is_some(), "CI runs the scenarios on PostgreSQL too");
    }
    // A database server takes only so many connections.
    let room = Arc::new(Semaphore::new(12));
    let mut running = Vec::new();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let source = std::fs::read_to_string(path).expect("it reads");
        let scenarios = parse(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        for scenario in scenarios.into_iter().map(Arc::new) {
            for level in Level::possible(&servers) {
                let (name, scenario) = (name.clone(), Arc::clone(&scenario));
                let (runs, servers, room) = (Arc::clone(&scenario), servers.clone(), Arc::clone(&room));
                running.push((
                    name,
                    scenario,
                    level,
                    tokio::spawn(async move {
                        let _place = room.acquire().await;
                        run(&runs, level, &servers).await
                    }),
                ));
            }
        }
    }
    let mut report = Report::new();
    let mut not_passed = BTreeSet::new();
    for (name, scenario, level, outcome) in running {
        let outcome = outcome.await.expect("no panic");
        if !matches!(outcome, Outcome::Passed { .. }) {
            not_passed.insert(name.clone());
        }
        report.ran(&name, &scenario, level, outcome);
    }
    (report, not_passed)
}
