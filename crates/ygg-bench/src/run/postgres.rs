//! The same load on PostgreSQL, in a database of its own on a server that is named.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use ygg_store::postgres::Scratch;

use super::Run;
use crate::figure::{Figure, Target, Unit};
use crate::server::{Plan, Server};
use crate::surface::Surface;
use crate::traffic::Script;
use crate::world::{Place, World};

const TARGET: Target = Target::at_least(None, 0.5);

pub async fn engine(run: &mut Run, server: &str, on_sqlite: f64) -> Result<()> {
    let scratch = scratch(server, "engine").await?;
    let world = World::found(Place::Postgres(Box::new(scratch.config().clone())), run.senders).await?;
    let many = run.pace(world.lanes(run.senders, Script::pair).await?).await?;
    let senders = run.senders;
    run.add(format!("engine on PostgreSQL, {senders} senders"), many.per_second, Unit::PerSecond);
    run.add(format!("engine on PostgreSQL, {senders} senders at half of that, p99"), many.p99_ms, Unit::Ms);
    let ratio = many.per_second / on_sqlite;
    run.report.add(Figure::new("PostgreSQL over SQLite, engine", ratio, Unit::Times).target(TARGET));
    Ok(())
}

pub async fn http(run: &mut Run, server: &str, ygg: &Path, on_sqlite: f64) -> Result<()> {
    let scratch = scratch(server, "http").await?;
    let (base, _) = server.rsplit_once('/').context("--database ends with a database's name")?;
    let database = Some(format!("{base}/{}", scratch.name()));
    let server = Server::start(&Plan { ygg, folder: run.file("postgres"), database }).await?;
    server.cast(run.senders).await?;
    let many = run.pace(server.lanes(run.senders, Surface::Http, Script::pair).await?).await?;
    run.add(format!("HTTP on PostgreSQL, {} senders", run.senders), many.per_second, Unit::PerSecond);
    let ratio = many.per_second / on_sqlite;
    run.report.add(Figure::new("PostgreSQL over SQLite, HTTP", ratio, Unit::Times).target(TARGET));
    server.stop().await
}

async fn scratch(server: &str, name: &str) -> Result<Scratch> {
    let at = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let (server, name) = (server.to_owned(), format!("ygg_bench_{name}_{at}"));
    Ok(tokio::task::spawn_blocking(move || Scratch::create(&server, &name)).await??)
}
