//! Every scenario of the repository, at every level.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use ygg_scenario::{Level, Outcome, Report, Servers, parse, run};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");

/// Files in which everything is built: they pass wholly.
const WHOLE: [&str; 2] = ["01-request-and-answer.yaml", "02-topics-and-refusals.yaml"];

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).expect("the folder of scenarios");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn none_fails_and_what_is_built_passes() {
    let files = files();
    assert!(files.len() >= 6, "the scenarios are there");
    let servers = Servers { postgres: std::env::var("YGG_TEST_POSTGRES").ok() };
    if std::env::var("CI").as_deref() == Ok("true") {
        assert!(servers.postgres.is_some(), "CI runs the scenarios on PostgreSQL too");
    }
    let mut running = Vec::new();
    for path in &files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let source = std::fs::read_to_string(path).expect("it reads");
        let scenarios = parse(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        for scenario in scenarios.into_iter().map(Arc::new) {
            for level in Level::possible(&servers) {
                let (name, scenario) = (name.clone(), Arc::clone(&scenario));
                let (runs, servers) = (Arc::clone(&scenario), servers.clone());
                running.push((
                    name,
                    scenario,
                    level,
                    tokio::spawn(async move { run(&runs, level, &servers).await }),
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
    println!("{report}");
    assert_eq!(report.totals().failed, 0, "{report}");
    for name in WHOLE {
        assert!(!not_passed.contains(name), "{name} does not pass wholly: {report}");
    }
}
