//! How long after its acknowledgement a message is on an open event stream.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::{Run, surfaces};
use crate::figure::{Figure, Target, Unit};
use crate::load::{Times, flat_out, on_schedule};
use crate::surface::Surface;
use crate::traffic::Script;

/// Load as a share of what the surface takes.
const LIGHT: f64 = 0.1;
const HALF: f64 = 0.5;
/// How long the last events may take.
const PATIENCE: Duration = Duration::from_secs(10);

pub async fn measure(run: &mut Run, ygg: &Path) -> Result<()> {
    let server = surfaces::start(run, ygg, "events").await?;
    let (accepted, mut told) = mpsc::unbounded_channel();
    let mut lanes = server.lanes(run.senders, Surface::Http, Script::pair).await?;
    for lane in &mut lanes {
        lane.tell_accepted(accepted.clone());
    }
    drop(accepted);
    let fast = flat_out(lanes, run.span).await?;
    let mut lanes = fast.lanes;
    for (share, name) in [(LIGHT, "a tenth"), (HALF, "half")] {
        let stream = server.events().await?;
        let (seen, mut arrived) = mpsc::unbounded_channel();
        let reader = tokio::spawn(read(stream, seen));
        while told.try_recv().is_ok() {}
        let even = on_schedule(lanes, fast.per_second * share, run.span).await?;
        lanes = even.lanes;
        let mut accepted = HashMap::new();
        while let Ok((id, at)) = told.try_recv() {
            accepted.insert(id, at);
        }
        let times = match_up(accepted, &mut arrived).await?;
        reader.abort();
        let p50 = Figure::new(
            format!("accepted → on the stream, at {name} of HTTP's throughput, p50"),
            times.ms(0.5),
            Unit::Ms,
        );
        let p99 = Figure::new(
            format!("accepted → on the stream, at {name} of HTTP's throughput, p99"),
            times.ms(0.99),
            Unit::Ms,
        );
        if share == LIGHT {
            run.report.add(p50.target(Target::at_most(Some(2.0), 0.7)));
            run.report.add(p99.target(Target::at_most(Some(15.0), 5.0)));
        } else {
            run.report.add(p50);
            run.report.add(p99);
        }
    }
    server.stop().await
}

type Seen = (String, Instant);

/// Every accepted message has to come. One that came before its sender was told took no time.
async fn match_up(
    mut accepted: HashMap<String, Instant>,
    arrived: &mut mpsc::UnboundedReceiver<Seen>,
) -> Result<Times> {
    let mut times = Times::new();
    while !accepted.is_empty() {
        let next = tokio::time::timeout(PATIENCE, arrived.recv()).await;
        let (id, at) = next.ok().flatten().context("accepted messages are missing on the stream")?;
        if let Some(since) = accepted.remove(&id) {
            times.note(at.saturating_duration_since(since));
        }
    }
    Ok(times)
}

/// Notes each posted message of a stream as it comes.
async fn read(mut stream: Incoming, seen: mpsc::UnboundedSender<Seen>) -> Result<()> {
    #[derive(Deserialize)]
    struct Event {
        kind: String,
        data: Data,
    }
    #[derive(Deserialize)]
    struct Data {
        message: Option<Message>,
    }
    #[derive(Deserialize)]
    struct Message {
        id: String,
    }
    let mut pending = Vec::new();
    while let Some(frame) = stream.frame().await {
        let Ok(chunk) = frame?.into_data() else { continue };
        let at = Instant::now();
        pending.extend_from_slice(&chunk);
        while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = pending.drain(..=end).collect();
            let Some(data) = line.strip_prefix(b"data: ") else { continue };
            // Events about messages alone have one in their data.
            let Ok(event) = serde_json::from_slice::<Event>(data) else { continue };
            if event.kind == "conversation.message.posted"
                && let Some(message) = event.data.message
            {
                seen.send((message.id, at))?;
            }
        }
    }
    Ok(())
}
