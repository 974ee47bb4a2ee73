//! The server's log: on stderr, so that what commands print stays clean.

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

use crate::failure::{Failure, Outcome};
use crate::identity::variable;

const FILTER_VARIABLE: &str = "YGG_LOG";

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
}

/// `named` is what the command line says, `usual` what holds when nobody says anything.
pub fn start(named: Option<&str>, usual: &str, format: Format) -> Outcome {
    let text =
        named.map(str::to_owned).or_else(|| variable(FILTER_VARIABLE)).unwrap_or_else(|| usual.to_owned());
    // The MCP library logs whole frames, and with them what agents said: it speaks only when it is asked for by name.
    let text = if text.contains("rmcp") { text } else { format!("{text},rmcp=off") };
    let filter = EnvFilter::try_new(&text).map_err(|error| {
        Failure::usage(format!("{text:?} is no log filter ({error}). Write it like info or ygg_http=debug."))
    })?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        Format::Text => {
            // A terminal that wants colour, as NO_COLOR and its like have it.
            let choice = anstream::AutoStream::choice(&std::io::stderr());
            log.with_ansi(choice != anstream::ColorChoice::Never).try_init()
        }
        Format::Json => log.json().with_span_list(false).try_init(),
    };
    started.map_err(|error| Failure::Failed(format!("the log cannot be started: {error}.")))
}
