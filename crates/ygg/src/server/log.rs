//! The server's log: on stderr, so that what commands print stays clean, and of our own crates alone.

use clap::ValueEnum;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, fmt};

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
    let filter = EnvFilter::try_new(&text).map_err(|error| {
        Failure::usage(format!("{text:?} is no log filter ({error}). Write it like info or ygg_http=debug."))
    })?;
    let log = layer(format).with_filter(filter.and(filter_fn(is_ours)));
    // Not `init`, which would take up what libraries write by the `log` crate as well.
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(log))
        .map_err(|error| Failure::Failed(format!("the log cannot be started: {error}.")))
}

fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(format: Format) -> Box<dyn Layer<S> + Send + Sync> {
    let log = fmt::layer().with_writer(std::io::stderr);
    match format {
        Format::Text => {
            // A terminal that wants colour, as NO_COLOR and its like have it.
            let choice = anstream::AutoStream::choice(&std::io::stderr());
            log.with_ansi(choice != anstream::ColorChoice::Never).boxed()
        }
        Format::Json => log.json().with_span_list(false).boxed(),
    }
}

/// Libraries log what passes through them, such as the values of a statement or whole frames, and with them what
/// people and agents said. No filter makes them speak: only our own crates are known to keep that to themselves [O9].
fn is_ours(place: &Metadata<'_>) -> bool {
    let of = place.target().split("::").next().unwrap_or_default();
    of == "ygg" || of.starts_with("ygg_")
}
