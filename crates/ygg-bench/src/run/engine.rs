//! Sends in this process: what the law and the store cost, without a surface.

use anyhow::Result;

use super::{Baseline, Run};
use crate::figure::{Figure, Target, Unit};
use crate::traffic::Script;
use crate::world::{EngineLane, Place, World};

/// Returns the messages a second of many senders.
pub async fn measure(run: &mut Run, baseline: &Baseline) -> Result<f64> {
    let senders = run.senders;
    let world = World::found(Place::File(&run.file("engine.db")), senders).await?;
    let lanes = world.lanes(senders, Script::pair).await?;
    let many = run.pace(lanes).await?;
    run.report.add(
        Figure::new(format!("engine, {senders} senders"), many.per_second, Unit::PerSecond)
            .over(baseline.same.group, baseline.plain.group)
            .target(Target::at_least(Some(0.5), 0.8)),
    );
    run.add(format!("engine, {senders} senders at half of that, p50"), many.p50_ms, Unit::Ms);
    run.add(format!("engine, {senders} senders at half of that, p99"), many.p99_ms, Unit::Ms);
    one(run, baseline, many.lanes).await?;
    to_one_inbox(run, baseline).await?;
    Ok(many.per_second)
}

async fn one(run: &mut Run, baseline: &Baseline, mut lanes: Vec<EngineLane>) -> Result<()> {
    lanes.truncate(1);
    let one = run.pace(lanes).await?;
    run.report.add(
        Figure::new("engine, one sender, p50", one.p50_ms, Unit::Ms)
            .over(baseline.same.one_p50_ms, baseline.plain.one_p50_ms),
    );
    run.add("engine, one sender, p99", one.p99_ms, Unit::Ms);
    Ok(())
}

/// Everybody writes to one agent that reads nothing: its wakes coalesce and its inbox grows.
async fn to_one_inbox(run: &mut Run, baseline: &Baseline) -> Result<()> {
    let senders = run.senders;
    let world = World::found(Place::File(&run.file("one-inbox.db")), senders).await?;
    let lanes = world.lanes(senders, Script::to_one_inbox).await?;
    let many = run.pace(lanes).await?;
    run.report.add(
        Figure::new(format!("engine, {senders} senders to one inbox"), many.per_second, Unit::PerSecond)
            .over(baseline.same.group, baseline.plain.group),
    );
    run.add(format!("engine, {senders} senders to one inbox at half of that, p99"), many.p99_ms, Unit::Ms);
    Ok(())
}
