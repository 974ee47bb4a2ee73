//! Memory of a server that holds many event streams open.

use std::path::Path;

use anyhow::{Context, Result};

use super::{Run, surfaces};
use crate::figure::{Figure, Target, Unit};

/// A little below the connections that a server takes, so that others get through.
const STREAMS: usize = 9_900;

pub async fn measure(run: &mut Run, ygg: &Path) -> Result<()> {
    let server = surfaces::start(run, ygg, "streams").await?;
    let mut open = Vec::with_capacity(STREAMS);
    for count in 0..STREAMS {
        let stream = server.events().await;
        open.push(stream.with_context(|| {
            format!("stream {count} was not opened; may a process have enough files open (ulimit -n)?")
        })?);
    }
    run.report.add(
        Figure::new(format!("resident with {STREAMS} open streams"), server.resident_mb()?, Unit::Mb)
            .target(Target::at_most(None, 200.0)),
    );
    drop(open);
    server.stop().await
}
