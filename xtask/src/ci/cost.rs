//! What one send costs in statements, allocations and instructions, against its limits: counts, since no time that is
//! measured in CI means anything.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::run;

use super::{Ci, debian};

/// Optimised as the release is, without the part that takes minutes.
const PROFILE: &str = "quick";

pub fn count(ci: &mut Ci) -> Result<()> {
    if !is_there() {
        if !debian::may_install() {
            bail!(
                "counting instructions needs valgrind: install it (on Debian and Ubuntu: apt-get install valgrind)"
            );
        }
        debian::install(&ci.workspace, &["valgrind"])?;
    }
    let binary = ci.workspace.build("ygg-bench", "ygg-counts", PROFILE)?;
    run(&mut ci.workspace.command(binary))
        .context("an action costs more than it may; the lines above say what")
}

fn is_there() -> bool {
    let asked =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}
