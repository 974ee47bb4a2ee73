//! Whether a workspace that has seen a million messages is slower than one that has seen ten thousand.

use anyhow::Result;

use super::Run;
use crate::figure::{Figure, Target, Unit};
use crate::load::{fixed, on_schedule};
use crate::traffic::Script;
use crate::world::{EngineLane, Place, World};

const FEW: u64 = 10_000;
const MANY: u64 = 1_000_000;
/// Slow enough for every disk, and the same both times.
const PER_SECOND: f64 = 100.0;

pub async fn measure(run: &mut Run) -> Result<()> {
    let world = World::found(Place::File(&run.file("million.db")), run.senders).await?;
    let lanes = world.lanes(run.senders, Script::pair).await?;
    let lanes = fixed(lanes, FEW).await?;
    let (lanes, few) = one(run, lanes).await?;
    let lanes = fixed(lanes, MANY - FEW).await?;
    let (_, many) = one(run, lanes).await?;
    run.add(format!("engine, one sender after {FEW} messages, p50"), few, Unit::Ms);
    run.add(format!("engine, one sender after {MANY} messages, p50"), many, Unit::Ms);
    run.report.add(
        Figure::new("one sender's p50, many messages over few", many / few, Unit::Times)
            .target(Target::at_most(Some(2.0), 1.1)),
    );
    Ok(())
}

async fn one(run: &Run, mut lanes: Vec<EngineLane>) -> Result<(Vec<EngineLane>, f64)> {
    let rest = lanes.split_off(1);
    let paced = on_schedule(lanes, PER_SECOND, run.span).await?;
    let mut lanes = paced.lanes;
    lanes.extend(rest);
    Ok((lanes, paced.times.ms(0.5)))
}
