//! `cargo xtask crash`: the crash test of the binary with as many kills as one likes. CI runs the same with a few.

use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;

use crate::workspace::{Workspace, run as run_command};

/// The two tests, one for each database.
const TESTS: &str = "crash::nothing_acknowledged_is_lost_or_doubled_on_";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Database {
    Sqlite,
    Postgres,
}

pub fn run(
    workspace: &Workspace,
    kills: u32,
    database: Option<Database>,
    seed: Option<u64>,
) -> Result<ExitCode> {
    let test = match database {
        None => TESTS.to_owned(),
        Some(Database::Sqlite) => format!("{TESTS}sqlite"),
        Some(Database::Postgres) => format!("{TESTS}postgresql"),
    };
    let mut tests = workspace.cargo();
    tests.args(["test", "--package", "ygg", "--test", "it", &test, "--", "--nocapture", "--test-threads=1"]);
    // Without PostgreSQL the test says so instead of passing.
    tests.env("CI", "true").env("YGG_CRASH_KILLS", kills.to_string());
    if let Some(seed) = seed {
        tests.env("YGG_CRASH_SEED", seed.to_string());
    }
    run_command(&mut tests)?;
    Ok(ExitCode::SUCCESS)
}
