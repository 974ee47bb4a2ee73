//! Simulates for a time, or one seed, or a history from a file, and says what it found.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use ygg_proof::sim::batch::{self, Batch};
use ygg_proof::sim::scene::Size;

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
    if let Some(file) = &cli.history {
        return told(batch::replay(&std::fs::read_to_string(file)?)?);
    }
    let size = |seed| sized(seed, cli.agents, cli.steps);
    if let Some(seed) = cli.seed {
        return told(batch::one(seed, size(seed))?);
    }
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let batch = Batch {
        from: cli.from,
        until: Instant::now() + cli.span,
        threads: cli.threads.unwrap_or(threads),
        sqlite_every: cli.sqlite_every.max(1),
        size: &size,
    };
    told(batch.run()?)
}

fn told(report: batch::Report) -> Result<ExitCode> {
    println!("{report}");
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Most runs are small, because small worlds come into every corner soonest.
fn sized(seed: u64, agents: Option<usize>, steps: Option<usize>) -> Size {
    let agents = agents.unwrap_or(match seed % 10 {
        0 => 300,
        1..4 => 40,
        4..7 => 12,
        _ => 4,
    });
    let agents = agents.clamp(1, 5_000);
    Size { agents, steps: steps.unwrap_or(150 + 12 * agents) }
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
