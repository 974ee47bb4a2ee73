//! `cargo xtask mutants`: leaves rules out, one at a time, and says who notices. One build for all of them; CI leaves out a
//! few.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::{Workspace, run};

/// Optimised as the release is, without the part that takes minutes.
const PROFILE: &str = "quick";

pub fn start(workspace: &Workspace, args: &[OsString]) -> Result<ExitCode> {
    plant(workspace, args)?;
    Ok(ExitCode::SUCCESS)
}

pub fn plant(workspace: &Workspace, args: &[impl AsRef<OsStr>]) -> Result<()> {
    let binary = workspace
        .build_with("faults", "ygg-proof", "ygg-mutants", PROFILE)
        .context("what plants the faults does not build")?;
    run(workspace.command(binary).args(args))
}
