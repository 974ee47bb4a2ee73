//! `ygg-counts`: statements, allocations and instructions of one action each, against their limits. A program of its
//! own because it counts every allocation, which would slow the load generator down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use ygg_bench::counts::{Action, PAIRS, perform};
use ygg_bench::limits::{self, Cost};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

static STATEMENTS: AtomicU64 = AtomicU64::new(0);

#[derive(Parser)]
#[command(name = "ygg-counts", about = "Count what one action costs and compare with its limits")]
struct Cli {
    /// Do only so many of the actions and count nothing: for running under valgrind
    #[arg(long, value_name = "N")]
    perform: Option<usize>,
    /// Tell which statements each action makes, and how often
    #[arg(long)]
    statements: bool,
    /// Write where allocations come from, for the viewer of dhat
    #[arg(long, value_name = "FILE")]
    allocations_to: Option<PathBuf>,
}

fn main() -> ExitCode {
    match count(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn count(cli: &Cli) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if let Some(actions) = cli.perform {
        return runtime.block_on(perform(folder.path(), actions, |_| {}, || {}));
    }
    if cli.statements {
        return runtime.block_on(tell_statements(folder.path()));
    }
    let profiler = match &cli.allocations_to {
        Some(file) => dhat::Profiler::builder().file_name(file).build(),
        None => dhat::Profiler::builder().testing().build(),
    };
    let mut seen = Vec::new();
    let hear = |_| {
        STATEMENTS.fetch_add(1, Relaxed);
    };
    let look = || seen.push((STATEMENTS.load(Relaxed), dhat::HeapStats::get().total_blocks));
    runtime.block_on(perform(folder.path(), Action::ALL.len(), hear, look))?;
    drop(profiler);
    let instructions = instructions()?;
    let each = |before: u64, after: u64| after.saturating_sub(before) as f64 / PAIRS as f64;
    let costs = Action::ALL.into_iter().zip(seen.windows(2)).zip(instructions.windows(2));
    let costs: Vec<(Action, Cost)> = costs
        .map(|((action, seen), instructions)| {
            let cost = Cost {
                statements: each(seen[0].0, seen[1].0),
                allocations: each(seen[0].1, seen[1].1),
                instructions: each(instructions[0], instructions[1]),
            };
            (action, cost)
        })
        .collect();
    limits::check(&costs)
}

async fn tell_statements(folder: &Path) -> Result<()> {
    let heard: Arc<Mutex<BTreeMap<&str, usize>>> = Arc::default();
    let ear = Arc::clone(&heard);
    let hear = move |sql| *ear.lock().unwrap_or_else(PoisonError::into_inner).entry(sql).or_default() += 1;
    let mut actions = Action::ALL.into_iter();
    let mut ready = false;
    let done = || {
        let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(action) = std::mem::replace(&mut ready, true).then(|| actions.next()).flatten() {
            println!("{}:", action.name());
            for (sql, times) in heard {
                let words: Vec<&str> = sql.split_whitespace().collect();
                println!("  {:>5.2} × {}", times as f64 / PAIRS as f64, words.join(" "));
            }
        }
    };
    perform(folder, Action::ALL.len(), hear, done).await
}

/// Instructions of getting ready, and of that with ever more actions: what an action takes is the difference.
fn instructions() -> Result<Vec<u64>> {
    let mut running = Vec::new();
    for actions in 0..=Action::ALL.len() {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
        valgrind.arg(std::env::current_exe()?).arg(format!("--perform={actions}"));
        let child = valgrind.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        running.push(child.context("valgrind could not be started: is it installed?")?);
    }
    let mut found = Vec::new();
    for child in running {
        let output = child.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "valgrind ended with {}: {said}", output.status);
        let line = said.lines().find_map(|line| line.split_once("refs:"));
        let (_, number) = line.with_context(|| format!("valgrind told no number of instructions: {said}"))?;
        found.push(number.trim().replace(',', "").parse()?);
    }
    Ok(found)
}
