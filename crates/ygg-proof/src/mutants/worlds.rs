//! The model as a checker: the first thing that is wrong in one of its small worlds. Each gets its share of the time;
//! ways at random come first, for they see more of a world in a short time.

use std::time::Duration;

use anyhow::Result;
use stateright::{Checker as _, HasDiscoveries, Model as _};

use crate::model::bounds::{self, Ways};
use crate::model::walk::walk;
use crate::model::{Model, quiet};

const SEED: u64 = 1;

pub fn look(span: Duration) -> Result<Option<String>> {
    let mut worlds = bounds::small();
    worlds.sort_by_key(|bounds| bounds.ways == Ways::Every);
    let share = span / u32::try_from(worlds.len().max(1))?;
    for bounds in worlds {
        let (name, ways) = (bounds.name, bounds.ways);
        let model = Model::new(bounds)?;
        let wrong = match ways {
            Ways::Random(_) => walk(&model, 1, SEED, share).wrong.map(|way| end_of(&way)),
            Ways::Every => every(model, share),
        };
        if let Some(wrong) = wrong {
            return Ok(Some(format!("{name}: {wrong}")));
        }
    }
    Ok(None)
}

/// The way itself is not told: it is found again by planting the fault.
fn end_of(way: &str) -> String {
    let last = way.lines().last().unwrap_or_default().trim();
    last.strip_prefix("then ").unwrap_or(last).to_owned()
}

fn every(model: Model, span: Duration) -> Option<String> {
    let checker = model.checker().timeout(span).finish_when(HasDiscoveries::AnyFailures);
    let checker = checker.spawn_dfs().join();
    let path = checker.discoveries().into_values().next()?;
    let last = path.last_state();
    let wrong = last.wrong.as_ref().map(ToString::to_string);
    Some(wrong.or_else(|| quiet::why_not(checker.model(), last)).unwrap_or_default())
}
