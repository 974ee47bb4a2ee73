//! `cargo xtask`: the chores of this repository, written in Rust so that they run wherever the product builds.
//!
//! - `demo` builds the binary and starts its demonstration;
//! - `bench` measures speed against bare SQLite on this machine;
//! - `ci` is exactly what continuous integration runs;
//! - `fuzz` runs the tests that make up their cases for as long as one likes, or the fuzzers led by coverage;
//! - `crash` kills the server as often as it is told and looks for what was lost;
//! - `model` takes every way through small worlds;
//! - `sim` simulates workspaces whose agents are anything but kind;
//! - `mutants` leaves rules out, one at a time, and looks who notices;
//! - `fixture` keeps a database file of today's shape, which later versions must open;
//! - `tidy` checks the house style that no compiler checks.
//!
//! This crate looks at the workspace from outside and must never depend on one of its crates: it has to build and say
//! what is wrong when they do not.

mod pattern;
mod workspace;

mod bench;
mod crash;
mod demo;
mod fixture;

mod fuzz;
mod guided;

mod model;
mod mutants;
mod sim;

mod tidy;

mod ci;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::{Parser, Subcommand};

use workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Chores of the Ygg repository")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build `ygg` and start its demonstration
    Demo {
        /// What is handed to `ygg demo`, after `--`
        #[arg(last = true)]
        args: Vec<OsString>,
    },
    /// Measure Ygg against bare SQLite on this machine: `cargo xtask bench engine --for 10s`
    #[command(disable_help_flag = true)]
    Bench {
        /// How the product and the generator are built; `quick` builds faster and runs a little slower
        #[arg(long, default_value = "release")]
        profile: String,
        /// What is handed to the generator; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Run everything CI runs, in its order, up to the first step that fails
    Ci,
    /// Run the tests that make up their cases, for a time
    Fuzz {
        /// How long, for all targets together: 90s, 10m, 2h
        #[arg(long = "for", default_value = "10m", value_name = "SPAN", value_parser = fuzz::span)]
        span: Duration,
        /// Let what covers new code lead the way: drafts, frames and scenarios alone; needs cargo-fuzz and a nightly
        #[arg(long)]
        guided: bool,
        /// drafts, frames, scenarios, stores or views; all if left out
        target: Option<String>,
    },
    /// Kill the server again and again under load, and check that nothing acknowledged is lost or doubled
    Crash {
        #[arg(long, value_name = "N", default_value_t = 100)]
        kills: u32,
        /// Which database; both by default
        #[arg(long)]
        database: Option<crash::Database>,
        /// The seed that a run printed, to have the same choices again
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Take every way through small worlds by the real rules: ten minutes; `--small` is what CI takes
    #[command(disable_help_flag = true)]
    Model {
        /// How the model is built; `quick` builds faster and runs a little slower
        #[arg(long, default_value = "release")]
        profile: String,
        /// What is handed to the model; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Simulate hundreds of agents that are anything but kind: `cargo xtask sim --for 10m`, or one run by `--seed N`
    #[command(disable_help_flag = true)]
    Sim {
        /// How the simulation is built; `quick` builds faster and runs a little slower
        #[arg(long, default_value = "release")]
        profile: String,
        /// What is handed to the simulation; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Leave rules out, one at a time, and say who notices: `cargo xtask mutants --all` asks everybody each time
    #[command(disable_help_flag = true)]
    Mutants {
        /// What is handed on; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Write a small database file that later versions must open
    Fixture {
        /// Its name, such as 0.1.0: the version that is about to be released
        name: String,
    },
    /// Check the house style and print what to do about each finding
    Tidy,
}

fn main() -> ExitCode {
    match perform(Cli::parse().chore) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(chore: Chore) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    match chore {
        Chore::Demo { args } => demo::start(&workspace, &args),
        Chore::Bench { profile, args } => bench::start(&workspace, &profile, &args),
        Chore::Crash { kills, database, seed } => crash::run(&workspace, kills, database, seed),
        Chore::Model { profile, args } => model::start(&workspace, &profile, &args),
        Chore::Sim { profile, args } => sim::start(&workspace, &profile, &args),
        Chore::Mutants { args } => mutants::start(&workspace, &args),
        Chore::Fixture { name } => fixture::write(&workspace, &name),
        Chore::Ci => Ok(ci::run(workspace)),
        Chore::Fuzz { span, guided: false, target } => fuzz::run(&workspace, span, target.as_deref()),
        Chore::Fuzz { span, guided: true, target } => guided::run(&workspace, span, target.as_deref()),
        Chore::Tidy => tidy::run(&workspace),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn what_follows_two_dashes_goes_to_the_demonstration() {
        let cli = Cli::parse_from(["cargo xtask", "demo", "--", "--keep", "--port=0"]);
        let Chore::Demo { args } = cli.chore else { panic!("not the demo") };
        assert_eq!(args, ["--keep", "--port=0"]);
    }

    #[test]
    fn what_follows_the_profile_goes_to_the_load_generator() {
        let cli = Cli::parse_from([
            "cargo xtask",
            "bench",
            "--profile",
            "quick",
            "engine",
            "--for",
            "1s",
            "--help",
        ]);
        let Chore::Bench { profile, args } = cli.chore else { panic!("not the bench") };
        assert_eq!(profile, "quick");
        assert_eq!(args, ["engine", "--for", "1s", "--help"]);
    }

    #[test]
    fn what_is_asked_of_the_simulation_goes_to_it() {
        let cli = Cli::parse_from(["cargo xtask", "sim", "--for", "10m", "--agents", "50"]);
        let Chore::Sim { profile, args } = cli.chore else { panic!("not the simulation") };
        assert_eq!(profile, "release");
        assert_eq!(args, ["--for", "10m", "--agents", "50"]);
    }
}
