//! Many runs, and what is told of them.

use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::place::Ground;
use super::run::{self, History, Outcome, Ran};
use super::scene::{Scene, Size};
use super::shrink::shrink;

/// How long a failing run is made smaller.
const SHRINKS: Duration = Duration::from_secs(120);

pub struct Batch<'a> {
    /// The first seed.
    pub from: u64,
    pub until: Instant,
    pub threads: usize,
    /// One of so many is replayed on SQLite.
    pub sqlite_every: u64,
    pub size: &'a (dyn Fn(u64) -> Size + Sync),
}

#[derive(Default)]
pub struct Report {
    runs: u64,
    replays: u64,
    seeds: Option<(u64, u64)>,
    agents: usize,
    most_agents: usize,
    steps: usize,
    deaths: usize,
    events: i64,
    messages: i64,
    deliveries: i64,
    paid: i64,
    handed_out: i64,
    agent_wakes: i64,
    turns: i64,
    topics: i64,
    seconds: f64,
    failure: Option<String>,
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.failure.is_none()
    }

    fn count(&mut self, seed: u64, ran: &Ran) {
        let agents = ran.history.scene.agents.len();
        let (first, last) = self.seeds.unwrap_or((seed, seed));
        self.seeds = Some((first.min(seed), last.max(seed)));
        self.runs += 1;
        self.agents += agents;
        self.most_agents = self.most_agents.max(agents);
        self.steps += ran.history.steps.len();
        self.deaths += ran.deaths;
        self.events += ran.sums.events;
        self.messages += ran.sums.agent_messages;
        self.deliveries += ran.sums.agent_deliveries;
        self.paid += ran.sums.paid;
        self.handed_out += ran.sums.handed_out;
        self.agent_wakes += ran.sums.agent_wakes;
        self.turns += ran.sums.turns;
        self.topics += ran.sums.closed;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((first, last)) = self.seeds {
            writeln!(f, "{} runs of seeds {first} to {last} in {:.0} s", self.runs, self.seconds)?;
            writeln!(f, "{} agents, at most {} in one run", self.agents, self.most_agents)?;
            writeln!(
                f,
                "{} steps, {} deaths of the server, {} events",
                self.steps, self.deaths, self.events
            )?;
            writeln!(
                f,
                "{} messages of agents to {} recipients for {} credits of {} handed out",
                self.messages, self.deliveries, self.paid, self.handed_out
            )?;
            writeln!(
                f,
                "{} wakes of agents by agents, {} turns, {} topics closed",
                self.agent_wakes, self.turns, self.topics
            )?;
            writeln!(f, "{} runs replayed on SQLite", self.replays)?;
        }
        match &self.failure {
            None => write!(f, "no rule was broken"),
            Some(failure) => write!(f, "{failure}"),
        }
    }
}

impl Batch<'_> {
    /// Seeds one after the other until the time is over or one fails; one at least.
    pub fn run(&self) -> Result<Report> {
        let (begun, next) = (Instant::now(), AtomicU64::new(self.from));
        let report = Mutex::new(Report::default());
        let lock = || report.lock().unwrap_or_else(PoisonError::into_inner);
        thread::scope(|scope| {
            let work = || -> Result<()> {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let over = Instant::now() >= self.until && seed != self.from;
                    if over || !lock().is_good() {
                        return Ok(());
                    }
                    let ran = run::draw(seed, (self.size)(seed))?;
                    let replays = seed % self.sqlite_every == 0;
                    let outcome = if replays { run::replay(&ran)? } else { ran.outcome.clone() };
                    let failure = match outcome {
                        Outcome::Rested => None,
                        outcome @ Outcome::Broken { .. } => Some(failure(&ran, &outcome)?),
                    };
                    let mut report = lock();
                    report.count(seed, &ran);
                    report.replays += u64::from(replays);
                    if let Some(failure) = failure {
                        report.failure.get_or_insert(failure);
                    }
                }
            };
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            let ended = workers.into_iter().map(|worker| worker.join());
            ended.map(|ended| ended.map_err(|_| anyhow!("a run panicked"))?).collect::<Result<Vec<()>>>()
        })?;
        let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }
}

/// One run, on both stores.
pub fn one(seed: u64, size: Size) -> Result<Report> {
    let size = move |_| size;
    let now = Instant::now();
    Batch { from: seed, until: now, threads: 1, sqlite_every: 1, size: &size }.run()
}

/// A history as it was printed: the scene on the first line, then a step on each.
pub fn replay(text: &str) -> Result<Report> {
    let mut lines = text.lines().filter(|line| line.starts_with('{'));
    let scene: Scene = serde_json::from_str(lines.next().context("the first line is a scene")?)?;
    let steps = lines.map(serde_json::from_str).collect::<serde_json::Result<Vec<_>>>()?;
    let history = History { scene, steps };
    let ran = run::follow(&history, Ground::Memory)?;
    let mut report = Report::default();
    report.count(history.scene.seed, &ran);
    report.failure = match run::replay(&ran)? {
        Outcome::Rested => None,
        outcome @ Outcome::Broken { .. } => Some(outcome.to_string()),
    };
    report.replays = 1;
    Ok(report)
}

/// A failing run as it is told: its seed, and the smallest history that fails like it.
fn failure(ran: &Ran, outcome: &Outcome) -> Result<String> {
    let scene = &ran.history.scene;
    let (agents, steps) = (scene.agents.len(), ran.history.steps.len());
    let ground = if ran.outcome == *outcome { Ground::Memory } else { Ground::Sqlite };
    let (small, smallest) = shrink(&ran.history, outcome, ground, SHRINKS)?;
    let mut told = format!(
        "FAILED: {outcome}\nagain with --seed {} --agents {agents} --steps {steps}\n\
         made smaller, from {steps} steps to {}: {smallest}\nwith --history FILE of these lines:\n",
        scene.seed,
        small.steps.len()
    );
    told.push_str(&serde_json::to_string(&small.scene)?);
    for step in &small.steps {
        told.push('\n');
        told.push_str(&serde_json::to_string(step)?);
    }
    Ok(told)
}
