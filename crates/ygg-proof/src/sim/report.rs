//! What is told of many runs.

use std::fmt;
use std::time::Duration;

use super::monitor::Wrong;
use super::run::Ran;

/// What many runs came to.
#[derive(Debug, Default)]
pub struct Report {
    pub runs: u64,
    /// Runs that were done once more on SQLite.
    pub replays: u64,
    /// The first and the last.
    pub seeds: Option<(u64, u64)>,
    pub agents: usize,
    pub most_agents: usize,
    /// All that anybody did, and every time the clock went on.
    pub actions: usize,
    pub deaths: usize,
    pub events: i64,
    pub messages: i64,
    pub deliveries: i64,
    pub paid: i64,
    pub handed_out: i64,
    pub agent_wakes: i64,
    pub turns: i64,
    pub closed: i64,
    pub span: Duration,
    pub failure: Option<Failure>,
}

/// A run that broke a rule.
#[derive(Debug, Clone)]
pub struct Failure {
    pub seed: u64,
    pub wrong: Wrong,
    /// For whoever looks into it: how to run it again, and the smallest history that fails like it.
    pub told: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.failure.is_none()
    }

    pub fn count(&mut self, seed: u64, ran: &Ran) {
        let agents = ran.history.scene.agents.len();
        let (first, last) = self.seeds.unwrap_or((seed, seed));
        self.seeds = Some((first.min(seed), last.max(seed)));
        self.runs += 1;
        self.agents += agents;
        self.most_agents = self.most_agents.max(agents);
        self.actions += ran.actions;
        self.deaths += ran.deaths;
        self.events += ran.sums.events;
        self.messages += ran.sums.agent_messages;
        self.deliveries += ran.sums.agent_deliveries;
        self.paid += ran.sums.paid;
        self.handed_out += ran.sums.handed_out;
        self.agent_wakes += ran.sums.agent_wakes;
        self.turns += ran.sums.turns;
        self.closed += ran.sums.closed;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, replays, agents, most_agents, actions, deaths, events, .. } = self;
        if let Some((first, last)) = self.seeds {
            let seconds = self.span.as_secs_f64();
            let per_second = *actions as f64 / seconds.max(0.001);
            writeln!(
                f,
                "{runs} runs, seeds {first} to {last}, {replays} of them once more on SQLite, {seconds:.0} s"
            )?;
            writeln!(f, "{agents} agents, at most {most_agents} in one run")?;
            writeln!(
                f,
                "{actions} actions, {per_second:.0} per second; {deaths} deaths of the server; {events} events"
            )?;
            writeln!(
                f,
                "{} messages of agents to {} recipients, {} credits paid of {} handed out",
                self.messages, self.deliveries, self.paid, self.handed_out
            )?;
            writeln!(
                f,
                "{} wakes of agents by agents, {} turns, {} topics closed",
                self.agent_wakes, self.turns, self.closed
            )?;
        }
        match &self.failure {
            None => write!(f, "no rule was broken"),
            Some(failure) => write!(f, "{failure}"),
        }
    }
}
