//! `cargo xtask sim`: builds the simulation and has it run for as long as one likes. CI runs the same for a moment, from a
//! seed that is the same each time.

use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::workspace::{Workspace, run};

/// Whoever names one of these says which runs they want; otherwise they are others each time.
const CHOOSES: [&str; 3] = ["--seed", "--from", "--history"];
/// Seeds that one can type.
const SEEDS: u64 = 1_000_000_000;

pub fn start(workspace: &Workspace, profile: &str, args: &[OsString]) -> Result<ExitCode> {
    let binary = workspace.build("ygg-proof", "ygg-sim", profile).context("the simulation does not build")?;
    let mut simulation = workspace.command(binary);
    simulation.args(args);
    if !chooses(args) {
        let from = RandomState::new().build_hasher().finish() % SEEDS;
        simulation.arg("--from").arg(from.to_string());
    }
    run(&mut simulation)?;
    Ok(ExitCode::SUCCESS)
}

fn chooses(args: &[OsString]) -> bool {
    let names = |arg: &OsString| {
        let arg = arg.to_string_lossy();
        CHOOSES.iter().any(|name| arg.split('=').next() == Some(name))
    };
    args.iter().any(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_names_a_seed_gets_it() {
        let chosen = |args: &[&str]| chooses(&args.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(chosen(&["--for", "1m", "--from=7"]) && chosen(&["--seed", "7"]));
        assert!(!chosen(&["--for", "1m", "--agents", "7"]));
    }
}
