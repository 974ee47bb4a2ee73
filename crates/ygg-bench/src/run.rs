//! A run: the baseline first, since the rest is told in ratios to it, then each part that is asked for.

mod baseline;
mod engine;
mod events;
mod inbox;
mod million;
mod postgres;
mod process;
mod streams;
mod surfaces;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::cli::{Cli, Part};
use crate::decide::Case;
use crate::figure::{Figure, Report, Target, Unit};
use crate::load::{Lane, flat_out, on_schedule};
use crate::table;
use crate::traffic::Texts;

use baseline::Baseline;

/// The share of its throughput at which a way is loaded for its latency.
const LOAD: f64 = 0.5;

/// What the parts share.
pub struct Run {
    span: Duration,
    senders: usize,
    folder: TempDir,
    report: Report,
}

pub async fn all(cli: Cli) -> Result<()> {
    fs::create_dir_all(&cli.folder)
        .with_context(|| format!("the folder {} cannot be made", cli.folder.display()))?;
    let folder = tempfile::Builder::new().prefix("run-").tempdir_in(&cli.folder)?;
    let mut run =
        Run { span: cli.span, senders: usize::from(cli.senders), folder, report: Report::default() };
    let baseline = baseline::measure(&mut run).await?;
    parts(&mut run, &baseline, &cli).await?;
    if let Some(document) = &cli.write {
        table::write(document, &run.report.table())?;
    }
    if cli.json {
        println!("{}", serde_json::to_string_pretty(&run.report)?);
    } else {
        print!("{}", run.report.table());
    }
    Ok(())
}

async fn parts(run: &mut Run, baseline: &Baseline, cli: &Cli) -> Result<()> {
    if cli.measures(Part::Decide) {
        let us = Case::new(Texts::new(0).next())?.us(run.span / 10);
        run.report.add(Figure::new("decide alone", us, Unit::Us).target(Target::at_most(None, 5.0)));
    }
    if cli.measures(Part::Engine) {
        let per_second = engine::measure(run, baseline).await?;
        if let Some(server) = &cli.database {
            postgres::engine(run, server, per_second).await?;
        }
    }
    if cli.measures(Part::Http) {
        let per_second = surfaces::http(run, baseline, &cli.ygg).await?;
        if let Some(server) = &cli.database {
            postgres::http(run, server, &cli.ygg, per_second).await?;
        }
    }
    if cli.measures(Part::Mcp) {
        surfaces::mcp(run, baseline, &cli.ygg).await?;
    }
    if cli.measures(Part::Events) {
        events::measure(run, &cli.ygg).await?;
    }
    if cli.measures(Part::Inbox) {
        inbox::measure(run, &cli.ygg).await?;
    }
    if cli.measures(Part::Process) {
        process::measure(run, &cli.ygg, cli.messages).await?;
    }
    if cli.measures(Part::Streams) {
        streams::measure(run, &cli.ygg).await?;
    }
    if cli.measures(Part::Million) {
        million::measure(run).await?;
    }
    Ok(())
}

/// How fast a way is, and how long its messages take at half of that.
struct Pace<L> {
    lanes: Vec<L>,
    per_second: f64,
    p50_ms: f64,
    p99_ms: f64,
}

impl Run {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn add(&mut self, name: impl Into<String>, value: f64, unit: Unit) {
        self.report.add(Figure::new(name, value, unit));
    }

    async fn pace<L: Lane>(&self, lanes: Vec<L>) -> Result<Pace<L>> {
        let fast = flat_out(lanes, self.span).await?;
        let even = on_schedule(fast.lanes, fast.per_second * LOAD, self.span).await?;
        let times = even.times;
        Ok(Pace {
            lanes: even.lanes,
            per_second: fast.per_second,
            p50_ms: times.ms(0.5),
            p99_ms: times.ms(0.99),
        })
    }
}
