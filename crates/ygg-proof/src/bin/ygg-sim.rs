//! Simulates for a time, or one seed, or a history from a file, and says what it found.

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use ygg_proof::sim::batch::{self, Batch};
use ygg_proof::sim::report::Report;
use ygg_proof::sim::scene::Size;

/// How long a failing run is made smaller.
const SHRINKS: Duration = Duration::from_secs(120);

/// Simulates workspaces whose agents are anything but kind
#[derive(Parser)]
struct Cli {
    /// How long: 20s, 10m, 2h
    #[arg(long = "for", value_name = "SPAN", default_value = "20s", value_parser = span)]
    span: Duration,
    /// This run alone
    #[arg(long, value_name = "N", conflicts_with = "from")]
    seed: Option<u64>,
    /// The first of the seeds that are run one after the other
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,
    /// Agents of each run; by turns a few and hundreds if left out
    #[arg(long, value_name = "N")]
    agents: Option<usize>,
    /// Steps of each run; about a dozen for each agent if left out
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Runs of which one is replayed on SQLite
    #[arg(long, value_name = "N", default_value_t = 4)]
    sqlite_every: u64,
    /// Runs at a time; one for each processor if left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// A history as a failing run prints it, to run it again
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
}

fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    let report = match &cli.history {
        Some(file) => batch::replay(&std::fs::read_to_string(file)?)?,
        None => simulate(&cli),
    };
    println!("{report}");
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn simulate(cli: &Cli) -> Report {
    let size = |seed| {
        let size = cli.agents.map_or_else(|| Size::usual(seed), Size::of);
        Size { steps: cli.steps.unwrap_or(size.steps), ..size }
    };
    let batch = Batch {
        from: cli.seed.unwrap_or(cli.from),
        runs: if cli.seed.is_some() { 1 } else { u64::MAX },
        until: Instant::now() + cli.span,
        threads: cli.threads.unwrap_or(thread::available_parallelism().map_or(1, |count| count.get())),
        sqlite_every: if cli.seed.is_some() { 1 } else { cli.sqlite_every },
        shrinks: SHRINKS,
        size: &size,
    };
    batch.run()
}

/// `90s`, `10m`, `2h`.
fn span(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600)];
    let read = units.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(*seconds).map(Duration::from_secs)
    });
    read.ok_or_else(|| format!("`{text}` is no span such as 90s, 10m or 2h"))
}
