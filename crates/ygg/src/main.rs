//! The binary: commands, configuration, wiring, shutdown.

mod cli;
mod command;

mod claim_link;
mod identity;
mod names;
mod operator;
mod places;
mod profile;
mod secret_file;

mod failure;
mod output;
mod words;

mod demo;
mod server;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use cli::Cli;
use failure::{Failure, Outcome};

/// The product keeps every rule.
const _: () =
    assert!(!ygg_domain::fault::CAN_BE_PLANTED, "the product is never built with `ygg-domain/faults`");

/// For what still runs on other threads when a command is over; a blocked read of the terminal never ends.
const LEAVE: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    // Somebody else's provider would do as well, and there is none.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (output, command) = Cli::parse().split();
    match perform(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.fail(&failure);
            ExitCode::from(failure.code())
        }
    }
}

fn perform(command: impl Future<Output = Outcome>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Failed(format!("no threads can be started: {error}.")))?;
    let outcome = runtime.block_on(command);
    runtime.shutdown_timeout(LEAVE);
    outcome
}
