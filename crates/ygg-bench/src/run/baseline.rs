//! The baseline of a run: bare SQLite, with the rows that sends write and with three plain ones.

use std::sync::Arc;

use anyhow::Result;

use super::Run;
use crate::baseline::{OneCommit, Rows, group};
use crate::figure::Unit;
use crate::recording::Recording;

/// What the ratios are to: one for the same rows, one for plain ones.
pub struct Baseline {
    pub same: Limits,
    pub plain: Limits,
}

pub struct Limits {
    /// Messages a second with shared commits.
    pub group: f64,
    /// One message with a commit of its own.
    pub one_p50_ms: f64,
}

pub async fn measure(run: &mut Run) -> Result<Baseline> {
    let recording = Recording::of_pairs(run.folder.path(), run.senders).await?;
    run.add("statements that write, per send", recording.writes_per_send(), Unit::Count);
    let same = limits(run, "same rows", Rows::Same(Arc::new(recording))).await?;
    let plain = limits(run, "plain rows", Rows::Plain).await?;
    Ok(Baseline { same, plain })
}

async fn limits(run: &mut Run, name: &str, rows: Rows) -> Result<Limits> {
    let stem = name.replace(' ', "-");
    let lane = OneCommit::open(&run.file(&format!("{stem}-one.db")), rows.clone())?;
    let one = run.pace(vec![lane]).await?;
    run.add(format!("bare SQLite, {name}, one commit each"), one.per_second, Unit::PerSecond);
    run.add(format!("bare SQLite, {name}, one commit, p50"), one.p50_ms, Unit::Ms);
    run.add(format!("bare SQLite, {name}, one commit, p99"), one.p99_ms, Unit::Ms);
    let lanes = group(&run.file(&format!("{stem}-group.db")), rows, run.senders)?;
    let shared = run.pace(lanes).await?;
    let senders = run.senders;
    run.add(
        format!("bare SQLite, {name}, group commit, {senders} senders"),
        shared.per_second,
        Unit::PerSecond,
    );
    Ok(Limits { group: shared.per_second, one_p50_ms: one.p50_ms })
}
