//! Smaller bounds of the model, and a short batch of the simulation: the same seeds in their order, as many as the time
//! allows.

use anyhow::{Context, Result};

use crate::workspace::run;

use super::Ci;

/// Optimised as the release is, without the part that takes minutes.
const PROFILE: &str = "quick";
const SPAN: &str = "15s";

pub fn model(ci: &mut Ci) -> Result<()> {
    let binary = ci.workspace.build("ygg-proof", "ygg-model", PROFILE)?;
    run(ci.workspace.command(binary).arg("--small"))
        .context("a rule is broken; the lines above are the way to where it is")
}

pub fn simulation(ci: &mut Ci) -> Result<()> {
    let binary = ci.workspace.build("ygg-proof", "ygg-sim", PROFILE)?;
    run(ci.workspace.command(binary).args(["--for", SPAN]))
        .context("a rule is broken; the lines above are a history that shows it")
}
