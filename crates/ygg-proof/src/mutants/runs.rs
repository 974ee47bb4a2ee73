//! The simulation as a checker: the first seed whose run breaks a rule. Runs are small, so that there are many of them.

use std::time::{Duration, Instant};

use crate::sim::batch::Batch;
use crate::sim::scene::Size;

const FIRST: u64 = 1;

pub fn look(span: Duration) -> Option<String> {
    let size = |seed: u64| {
        Size::of(match seed % 4 {
            0 => 30,
            1 | 2 => 4,
            _ => 12,
        })
    };
    let batch = Batch {
        from: FIRST,
        runs: u64::MAX,
        until: Instant::now() + span,
        threads: 1,
        // Both stores are compared elsewhere: a rule left out is left out on both.
        sqlite_every: u64::MAX,
        shrinks: Duration::ZERO,
        size: &size,
    };
    let failure = batch.run().failure?;
    Some(format!("seed {}: {}", failure.seed, failure.wrong))
}
