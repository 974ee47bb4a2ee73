//! Many runs, one seed after the other, until one breaks a rule.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::monitor::Wrong;
use super::place::Ground;
use super::report::{Failure, Report};
use super::run::{self, History, Outcome, Ran};
use super::scene::{Scene, Size};
use super::shrink::shrink;

pub struct Batch<'a> {
    /// The first seed.
    pub from: u64,
    /// Runs at most.
    pub runs: u64,
    /// No run begins after that, but the first.
    pub until: Instant,
    pub threads: usize,
    /// One of so many is done once more on SQLite.
    pub sqlite_every: u64,
    /// How long a failing run is made smaller; nothing: it is told as it is.
    pub shrinks: Duration,
    pub size: &'a (dyn Fn(u64) -> Size + Sync),
}

impl Batch<'_> {
    pub fn run(&self) -> Report {
        let (begun, next) = (Instant::now(), AtomicU64::new(self.from));
        let report = Mutex::new(Report::default());
        let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                let over = Instant::now() >= self.until && seed != self.from;
                if over || seed.wrapping_sub(self.from) >= self.runs || !lock().is_good() {
                    return;
                }
                let done = self.seed(seed);
                let mut report = lock();
                match done {
                    Ok(ran) => {
                        report.count(seed, &ran);
                        report.replays += u64::from(self.replays(seed));
                    }
                    Err(failure) => drop(report.failure.get_or_insert(failure)),
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(work);
            }
        });
        let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.span = begun.elapsed();
        report
    }

    fn replays(&self, seed: u64) -> bool {
        seed.is_multiple_of(self.sqlite_every.max(1))
    }

    /// What is no run at all, because something panicked or the world could not even be founded, is a failure too.
    fn seed(&self, seed: u64) -> Result<Ran, Failure> {
        let size = (self.size)(seed);
        let tried = catch_unwind(AssertUnwindSafe(|| -> Result<(Ran, Option<Failure>)> {
            let ran = run::draw(seed, size)?;
            let outcome = if self.replays(seed) { run::replay(&ran)? } else { ran.outcome.clone() };
            let failure = match &outcome {
                Outcome::Rested => None,
                Outcome::Broken { wrong, .. } => Some(self.failure(&ran, &outcome, wrong)?),
            };
            Ok((ran, failure))
        }));
        match tried.unwrap_or_else(|_| Err(anyhow!("it panics"))) {
            Ok((ran, None)) => Ok(ran),
            Ok((_, Some(failure))) => Err(failure),
            Err(trouble) => {
                let wrong = Wrong { rule: "O1", what: format!("{trouble:#}") };
                let told = format!("FAILED: {wrong}\n{}", again(seed, size));
                Err(Failure { seed, wrong, told })
            }
        }
    }

    /// A failing run as it is told: its seed, and the smallest history that fails like it.
    fn failure(&self, ran: &Ran, outcome: &Outcome, wrong: &Wrong) -> Result<Failure> {
        let History { scene, steps } = &ran.history;
        let size = Size { agents: scene.agents.len(), steps: steps.len() };
        let mut told = format!("FAILED: {outcome}\n{}", again(scene.seed, size));
        if !self.shrinks.is_zero() {
            let ground = if ran.outcome == *outcome { Ground::Memory } else { Ground::Sqlite };
            let (small, smallest) = shrink(&ran.history, outcome, ground, self.shrinks)?;
            told += &format!(
                "\nmade smaller, from {} steps to {}: {smallest}\nwith --history FILE of these lines:\n{}",
                steps.len(),
                small.steps.len(),
                print(&small)?
            );
        }
        Ok(Failure { seed: scene.seed, wrong: wrong.clone(), told })
    }
}

fn again(seed: u64, size: Size) -> String {
    format!("again with --seed {seed} --agents {} --steps {}", size.agents, size.steps)
}

/// A batch for a program: runs of these agents, one after the other, each on both stores where `sqlite_every` is 1. The
/// first failure is told as it is.
pub fn check(
    from: u64,
    runs: u64,
    span: Duration,
    size: impl Fn(u64) -> Size + Sync,
) -> Result<Report, Failure> {
    let until = Instant::now() + span;
    let batch =
        Batch { from, runs, until, threads: 1, sqlite_every: 4, shrinks: Duration::ZERO, size: &size };
    let mut report = batch.run();
    match report.failure.take() {
        None => Ok(report),
        Some(failure) => Err(failure),
    }
}

/// A history as it is printed: the scene on the first line, then a step on each.
pub fn print(history: &History) -> Result<String> {
    let mut lines = vec![serde_json::to_string(&history.scene)?];
    for step in &history.steps {
        lines.push(serde_json::to_string(step)?);
    }
    Ok(lines.join("\n"))
}

/// A history as it was printed, on both stores.
pub fn replay(text: &str) -> Result<Report> {
    let begun = Instant::now();
    let mut lines = text.lines().filter(|line| line.starts_with('{'));
    let scene: Scene = serde_json::from_str(lines.next().context("the first line is a scene")?)?;
    let steps = lines.map(serde_json::from_str).collect::<serde_json::Result<Vec<_>>>()?;
    let history = History { scene, steps };
    let seed = history.scene.seed;
    let ran = run::follow(&history, Ground::Memory)?;
    let mut report = Report::default();
    report.count(seed, &ran);
    report.failure = match run::replay(&ran)? {
        Outcome::Rested => None,
        Outcome::Broken { wrong, at } => {
            let told = format!("FAILED: {}", Outcome::Broken { wrong: wrong.clone(), at });
            Some(Failure { seed, wrong, told })
        }
    };
    report.replays = 1;
    report.span = begun.elapsed();
    Ok(report)
}
