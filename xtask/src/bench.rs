//! `cargo xtask bench`: builds the product and the load generator as they are released and has one measure the other.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::{Workspace, run};

pub fn start(workspace: &Workspace, profile: &str, args: &[OsString]) -> Result<ExitCode> {
    let product = workspace.build("ygg", "ygg", profile).context("the product does not build")?;
    let generator =
        workspace.build("ygg-bench", "ygg-bench", profile).context("the load generator does not build")?;
    run(workspace.command(generator).arg("--ygg").arg(product).args(args))?;
    Ok(ExitCode::SUCCESS)
}
