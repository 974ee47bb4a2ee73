//! The model as a checker: the first thing that is wrong in one of its small worlds. Each gets its share of the time. Ways
//! are taken at random, also where every way could be: what is wrong is found sooner.

use std::time::Duration;

use anyhow::Result;

use crate::model::Model;
use crate::model::bounds::{self, Ways};
use crate::model::walk::walk;

const SEED: u64 = 1;

pub fn look(span: Duration) -> Result<Option<String>> {
    let mut worlds = bounds::small();
    // The larger ones first, for most can happen in them.
    worlds.sort_by_key(|bounds| bounds.ways == Ways::Every);
    let share = span / u32::try_from(worlds.len().max(1))?;
    for bounds in worlds {
        let name = bounds.name;
        if let Some(way) = walk(&Model::new(bounds)?, 1, SEED, share).wrong {
            return Ok(Some(format!("{name}: {}", end_of(&way))));
        }
    }
    Ok(None)
}

/// The way itself is not told: it is found again by planting the fault.
fn end_of(way: &str) -> String {
    let last = way.lines().last().unwrap_or_default().trim();
    last.strip_prefix("then ").unwrap_or(last).to_owned()
}
