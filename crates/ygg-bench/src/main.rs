//! `ygg-bench`: puts load on Ygg and on bare SQLite, and prints what came of it. `cargo xtask bench` builds and starts it.

use std::process::ExitCode;

use clap::Parser;
use ygg_bench::cli::Cli;
use ygg_bench::run;

#[tokio::main]
async fn main() -> ExitCode {
    match run::all(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
