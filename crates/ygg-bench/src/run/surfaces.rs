//! Sends over HTTP and over the MCP tools, to a server that is a process of its own.

use std::path::Path;

use anyhow::Result;

use super::{Baseline, Run};
use crate::figure::{Figure, Target, Unit};
use crate::server::{Plan, Server};
use crate::surface::Surface;
use crate::traffic::Script;

/// Returns the messages a second of many senders.
pub async fn http(run: &mut Run, baseline: &Baseline, ygg: &Path) -> Result<f64> {
    let senders = run.senders;
    let server = start(run, ygg, "http").await?;
    let lanes = server.lanes(senders, Surface::Http, Script::pair).await?;
    let many = run.pace(lanes).await?;
    run.report.add(
        Figure::new(format!("HTTP, {senders} senders"), many.per_second, Unit::PerSecond)
            .over(baseline.same.group, baseline.plain.group)
            .target(Target::at_least(Some(0.3), 0.5)),
    );
    run.add(format!("HTTP, {senders} senders at half of that, p50"), many.p50_ms, Unit::Ms);
    run.report.add(
        Figure::new(format!("HTTP, {senders} senders at half of that, p99"), many.p99_ms, Unit::Ms)
            .target(Target::at_most(Some(20.0), 10.0)),
    );
    let mut lanes = many.lanes;
    lanes.truncate(1);
    let one = run.pace(lanes).await?;
    run.report.add(
        Figure::new("HTTP, one sender, p50", one.p50_ms, Unit::Ms)
            .over(baseline.same.one_p50_ms, baseline.plain.one_p50_ms)
            .target(Target::at_most(Some(2.5), 1.5)),
    );
    run.add("HTTP, one sender, p99", one.p99_ms, Unit::Ms);
    server.stop().await?;
    Ok(many.per_second)
}

pub async fn mcp(run: &mut Run, baseline: &Baseline, ygg: &Path) -> Result<()> {
    let senders = run.senders;
    let server = start(run, ygg, "mcp").await?;
    let lanes = server.lanes(senders, Surface::Mcp, Script::pair).await?;
    let many = run.pace(lanes).await?;
    run.report.add(
        Figure::new(format!("MCP over HTTP, {senders} senders"), many.per_second, Unit::PerSecond)
            .over(baseline.same.group, baseline.plain.group)
            .target(Target::at_least(Some(0.15), 0.3)),
    );
    run.add(format!("MCP over HTTP, {senders} senders at half of that, p99"), many.p99_ms, Unit::Ms);
    server.stop().await
}

/// A server with the agents of the traffic on it.
pub async fn start(run: &Run, ygg: &Path, name: &str) -> Result<Server> {
    let server = Server::start(&Plan { ygg, folder: run.file(name), database: None }).await?;
    server.cast(run.senders).await?;
    Ok(server)
}
