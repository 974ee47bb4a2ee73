//! Supervised turns in a random history: begun, renewed and ended, well or not; a lease runs out while time passes [U0, K6].

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use ygg_engine::Caller;
use ygg_wire::turn::{BeginTurn, EndTurn, RenewTurn};

use crate::history::without_nonces;
use crate::world::{CALLERS, PEOPLE, World, told};

#[derive(Debug, Clone)]
pub enum Run {
    Begin {
        by: usize,
        lease_seconds: u64,
    },
    Renew {
        turn: usize,
    },
    End {
        turn: usize,
        failed: bool,
        exit_code: Option<i64>,
        /// Whether it says what it cost.
        costs: bool,
    },
}

/// Turns that were begun, with their agents: the same on every store.
#[derive(Debug, Clone, Default)]
pub struct Runs(Vec<(String, String)>);

pub fn run() -> impl Strategy<Value = Run> {
    let ends = (prop::bool::weighted(0.4), prop::option::of(0i64..3), any::<bool>());
    prop_oneof![
        5 => (PEOPLE.len()..CALLERS, select(vec![30u64, 300, 600]))
            .prop_map(|(by, lease_seconds)| Run::Begin { by, lease_seconds }),
        1 => (0usize..3).prop_map(|turn| Run::Renew { turn }),
        4 => (0usize..3, ends)
            .prop_map(|(turn, (failed, exit_code, costs))| Run::End { turn, failed, exit_code, costs }),
    ]
}

impl Runs {
    pub fn learn(&mut self, answer: &Value) {
        let text = |field: &str| answer["turn"][field].as_str().map(str::to_owned);
        self.0.extend(text("id").zip(text("agent")));
    }

    /// The newest are the likeliest to go on.
    fn nth(&self, number: usize) -> Option<&(String, String)> {
        self.0.iter().rev().nth(number % self.0.len().max(1))
    }

    fn id(&self, number: usize) -> &str {
        self.nth(number).map_or("none", |(id, _)| id)
    }
}

impl Run {
    /// Who does it: a turn's own agent goes on with it.
    pub fn by(&self, runs: &Runs, world: &World) -> usize {
        match self {
            Self::Begin { by, .. } => *by,
            Self::Renew { turn } | Self::End { turn, .. } => {
                runs.nth(*turn).and_then(|(_, agent)| world.index(agent)).unwrap_or(PEOPLE.len())
            }
        }
    }
}

impl World {
    pub async fn run(&self, run: &Run, caller: &Caller, runs: &Runs, number: usize) -> Value {
        let engine = &self.engine;
        match run {
            Run::Begin { lease_seconds, .. } => {
                let asked = BeginTurn {
                    taker: "relay".to_owned(),
                    topic_id: None,
                    lease_seconds: Some(*lease_seconds),
                };
                let mut begun = told(engine.begin_turn(caller, asked).await);
                if let Some(turn) = begun.get_mut("turn") {
                    without_nonces(turn, "prompt");
                    // Its key is drawn anew each time.
                    turn["key"] = Value::Null;
                }
                begun
            }
            Run::Renew { turn } => {
                told(engine.renew_turn(caller, runs.id(*turn), RenewTurn::default()).await)
            }
            Run::End { turn, failed, exit_code, costs } => {
                let end = EndTurn {
                    outcome: if *failed { "failed" } else { "ended" }.to_owned(),
                    exit_code: *exit_code,
                    usd: costs.then_some(0.25),
                    tokens: costs.then_some(number as u64),
                    problem: failed.then(|| format!("failed at {number}")),
                };
                told(engine.end_turn(caller, runs.id(*turn), end).await)
            }
        }
    }
}
