//! What can be asked of a run.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

#[derive(Parser)]
#[command(name = "cargo xtask bench", about = "Measure Ygg against bare SQLite on this machine")]
pub struct Cli {
    /// What to measure, besides the baseline [default: everything but million]
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// How long each measurement takes
    #[arg(long = "for", value_name = "SECONDS", default_value = "10s", value_parser = seconds)]
    pub span: Duration,
    /// Senders at once
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub senders: u16,
    /// Folder in which databases are made and removed again; on the disk that is to be measured
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    pub folder: PathBuf,
    /// Measure the engine and HTTP on this PostgreSQL server as well; the user must be allowed to make databases
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
    /// Messages after which memory and disk are looked at
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub messages: u64,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Put the table into this document, between its two markers
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// The server's binary
    #[arg(long, value_name = "FILE", default_value = "ygg")]
    pub ygg: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The rules alone
    Decide,
    /// Sends in this process, without a surface
    Engine,
    /// Sends over HTTP
    Http,
    /// Sends over the MCP tools
    Mcp,
    /// From the receipt to the event stream
    Events,
    /// Reading an inbox and a topic
    Inbox,
    /// Memory, disk and start of the server
    Process,
    /// Memory of many open streams
    Streams,
    /// One sender after a million messages; takes long, so it has to be named
    Million,
}

impl Cli {
    pub fn measures(&self, part: Part) -> bool {
        self.parts.contains(&part) || self.parts.is_empty() && part != Part::Million
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text);
    let seconds: f64 = number.parse().map_err(|_| "give seconds, like 10s".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|span| *span >= Duration::from_millis(100))
        .ok_or_else(|| "give a tenth of a second or more".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_seconds() {
        assert_eq!(seconds("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("0s").is_err());
        assert!(seconds("1m").is_err());
    }
}
