//! The process itself: its memory when idle and after many messages, its start, and the disk it uses.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::{Run, surfaces};
use crate::figure::{Figure, Target, Unit};
use crate::load::fixed;
use crate::server::{Plan, Server};
use crate::surface::Surface;
use crate::traffic::Script;

/// Starts of which the middle one is told.
const STARTS: usize = 5;

pub async fn measure(run: &mut Run, ygg: &Path, messages: u64) -> Result<()> {
    let idle = Server::start(&plan(run, ygg, "idle")).await?;
    run.report.add(
        Figure::new("resident, idle", idle.resident_mb()?, Unit::Mb)
            .target(Target::at_most(Some(30.0), 15.0)),
    );
    idle.stop().await?;

    let server = surfaces::start(run, ygg, "process").await?;
    let lanes = server.lanes(run.senders, Surface::Http, Script::pair).await?;
    fixed(lanes, messages).await?;
    run.report.add(
        Figure::new(format!("resident after {messages} messages"), server.resident_mb()?, Unit::Mb)
            .target(Target::at_most(Some(60.0), 30.0)),
    );
    server.stop().await?;
    let bytes = fs::metadata(run.file("process").join("ygg.db"))?.len();
    run.report.add(
        Figure::new("bytes on disk per message", bytes as f64 / messages as f64, Unit::Bytes)
            .target(Target::at_most(Some(4000.0), 2500.0)),
    );
    starts(run, ygg).await
}

/// On the database of the many messages.
async fn starts(run: &mut Run, ygg: &Path) -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let server = Server::start(&plan(run, ygg, "process")).await?;
        times.push(server.answered_after.as_secs_f64() * 1000.0);
        server.stop().await?;
    }
    times.sort_by(f64::total_cmp);
    run.report.add(
        Figure::new("process start → first answer", times[STARTS / 2], Unit::Ms)
            .target(Target::at_most(Some(200.0), 40.0)),
    );
    Ok(())
}

fn plan<'a>(run: &Run, ygg: &'a Path, name: &str) -> Plan<'a> {
    Plan { ygg, folder: run.file(name), database: None }
}
