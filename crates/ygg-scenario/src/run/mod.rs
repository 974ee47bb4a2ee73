//! One scenario at one level: its world is made, its steps are taken in order, and what each shows is compared.

mod body;
mod bound;
mod cast;
mod seen;
mod shelf;
mod step;
mod turn;
mod world;

use serde_json::{Map, Value};

use crate::built;
use crate::compare::{Difference, Seen, differences};
use crate::drive::{Driver, EngineDriver, HttpDriver};
use crate::level::{Level, Servers};
use crate::scenario::{ExpectKey, Scenario, Step};
use crate::show::{cut, flow};
use shelf::Shelf;
use step::Stop;
use world::World;

/// Characters of an account of trouble.
const TROUBLE_CHARS: usize = 600;

/// What became of a scenario at one level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed {
        steps: usize,
    },
    /// A step did not show what it must.
    Failed {
        line: usize,
        step: String,
        expected: String,
        seen: String,
        /// Refusals before it that nothing expected: often the cause.
        refused_before: Vec<String>,
    },
    /// It needs what is not built: from this line on it was not run.
    NotBuilt {
        names: Vec<&'static str>,
        line: usize,
        passed_before: usize,
    },
}

pub async fn run(scenario: &Scenario, level: Level, servers: &Servers) -> Outcome {
    if let Some((line, names)) = built::missing_in_world(scenario) {
        return Outcome::NotBuilt { names, line, passed_before: 0 };
    }
    let shelf = match level {
        Level::Memory => Ok(Shelf::memory()),
        Level::Sqlite | Level::Http => Shelf::sqlite(),
        Level::Postgres => Shelf::postgres(servers).await,
    };
    let shelf = match shelf {
        Ok(shelf) => shelf,
        Err(problem) => return not_set_up(scenario, problem),
    };
    match level {
        Level::Memory | Level::Sqlite | Level::Postgres => play::<EngineDriver>(scenario, shelf).await,
        Level::Http => play::<HttpDriver>(scenario, shelf).await,
    }
}

async fn play<D: Driver>(scenario: &Scenario, shelf: Shelf) -> Outcome {
    let runs: Vec<&str> = scenario.steps.iter().filter_map(|step| step.act.runs()).collect();
    let mut world = match World::<D>::set_up(&scenario.world, &runs, shelf).await {
        Ok(world) => world,
        Err(problem) => return not_set_up(scenario, problem),
    };
    let outcome = play_steps(&mut world, &scenario.steps).await;
    world.end().await;
    outcome
}

fn not_set_up(scenario: &Scenario, problem: String) -> Outcome {
    let expected = "the world that it describes".to_owned();
    let step = "given".to_owned();
    Outcome::Failed { line: scenario.line, step, expected, seen: problem, refused_before: Vec::new() }
}

async fn play_steps<D: Driver>(world: &mut World<D>, steps: &[Step]) -> Outcome {
    let mut refused_before = Vec::new();
    for (passed_before, step) in steps.iter().enumerate() {
        let names = built::missing_in_step(step);
        if !names.is_empty() {
            return Outcome::NotBuilt { names, line: step.line, passed_before };
        }
        let taken = match step::take(world, step).await {
            Ok(seen) => judge(world, step, seen),
            Err(Stop::Refused(problem)) => judge(world, step, Seen::refused(&problem.reason, &problem.help)),
            Err(Stop::Broken(problem)) => Err(("an answer".to_owned(), cut(&problem, TROUBLE_CHARS))),
            Err(Stop::Differs { expected, seen }) => Err((expected, cut(&seen, TROUBLE_CHARS))),
        };
        match taken {
            Ok(None) => {}
            Ok(Some(refusal)) => {
                refused_before.push(format!(
                    "line {}: {} was refused: {refusal}",
                    step.line,
                    step.act.label()
                ));
            }
            Err((expected, seen)) => {
                let (line, step) = (step.line, step.act.label());
                return Outcome::Failed { line, step, expected, seen, refused_before };
            }
        }
    }
    Outcome::Passed { steps: steps.len() }
}

/// A refusal that nothing expected, or what was expected and what was seen.
fn judge<D>(world: &World<D>, step: &Step, seen: Seen) -> Result<Option<String>, (String, String)> {
    let Some(expect) = &step.expect else { return Ok(seen.refusal().map(str::to_owned)) };
    let wants = expect.wants.iter().map(|want| world.bound.expected(want)).collect::<Result<Vec<_>, _>>();
    let wants = wants.map_err(|problem| ("a message".to_owned(), problem))?;
    let differences = differences(&wants, &seen);
    if differences.is_empty() {
        let names_it = wants.iter().any(|want| matches!(want.key, ExpectKey::Outcome | ExpectKey::Reason));
        return Ok(seen.refusal().filter(|_| !names_it).map(str::to_owned));
    }
    let expected = shown(&differences, |difference| &difference.wanted);
    let mut found = shown(&differences, |difference| &difference.seen);
    if let Some(refusal) = seen.refusal() {
        found = format!("{found}; it was refused: {refusal}");
    }
    Err((expected, found))
}

/// Every key that differs, as the file writes them.
fn shown(differences: &[Difference], side: impl Fn(&Difference) -> &Value) -> String {
    if let [Difference { key: ExpectKey::Whole, .. }] = differences {
        return differences.iter().map(|whole| flow(side(whole))).collect();
    }
    let named = differences.iter().map(|one| (one.key.name().to_owned(), side(one).clone()));
    flow(&Value::Object(named.collect::<Map<_, _>>()))
}
