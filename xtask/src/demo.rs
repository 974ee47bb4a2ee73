//! `cargo xtask demo`: builds the binary as a developer would and becomes its demonstration, so that signals, the
//! terminal and the exit code are those of `ygg demo` itself.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::workspace::{Workspace, run};

pub fn start(workspace: &Workspace, args: &[OsString]) -> Result<ExitCode> {
    run(workspace.cargo().args(["build", "--package", "ygg", "--bin", "ygg"]))
        .context("the product does not build")?;
    // The caller's folder is kept: a relative path among the arguments means what the caller meant.
    let mut command = Command::new(workspace.binary());
    command.arg("demo").args(args);
    become_command(command)
}

#[cfg(unix)]
fn become_command(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    // Returns only when the program could not be started.
    Err(command.exec()).context("the binary was built but could not be started")
}

#[cfg(not(unix))]
fn become_command(mut command: Command) -> Result<ExitCode> {
    let status = command.status().context("the binary was built but could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
