//! `cargo xtask fixture`: a small database file of today's shape and what is in it, kept in
//! crates/ygg-store/tests/fixtures for all later versions to open.

use std::process::ExitCode;

use anyhow::Result;

use crate::workspace::{Workspace, run as run_command};

const TEST: &str = "frozen::a_file_of_today_holds_what_is_asked_of_one_that_is_kept";

pub fn write(workspace: &Workspace, name: &str) -> Result<ExitCode> {
    let mut test = workspace.cargo();
    test.args(["test", "--package", "ygg", "--test", "it", TEST, "--", "--exact"]);
    run_command(test.env("YGG_FIXTURE", name))?;
    Ok(ExitCode::SUCCESS)
}
