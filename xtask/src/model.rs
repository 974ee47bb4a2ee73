//! `cargo xtask model`: builds the model of small worlds and looks at those that take minutes. CI looks at smaller ones.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::{Workspace, run};

pub fn start(workspace: &Workspace, profile: &str, args: &[OsString]) -> Result<ExitCode> {
    let binary = workspace.build("ygg-proof", "ygg-model", profile).context("the model does not build")?;
    run(workspace.command(binary).args(args))?;
    Ok(ExitCode::SUCCESS)
}
