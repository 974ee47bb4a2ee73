//! How load is put on: as fast as the senders go, for throughput, and on a fixed schedule, for latency. There each
//! message counts from when it was due, so that waiting behind a slow one is not left out.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Longest time that is told apart, in microseconds.
const LONGEST_US: u64 = 120_000_000;

/// One sender, one message at a time.
pub trait Lane: Send + 'static {
    fn send(&mut self) -> impl Future<Output = Result<()>> + Send;
}

/// Times of many messages, in microseconds.
pub struct Times(Histogram<u64>);

impl Times {
    pub fn new() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_US, 3).expect("these bounds are fit for a histogram"))
    }

    pub fn note(&mut self, took: Duration) {
        self.0.saturating_record(u64::try_from(took.as_micros()).unwrap_or(LONGEST_US));
    }

    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("histograms of the same bounds");
    }

    /// Milliseconds below which this share of them stays.
    pub fn ms(&self, share: f64) -> f64 {
        self.0.value_at_quantile(share) as f64 / 1000.0
    }

    pub fn count(&self) -> u64 {
        self.0.len()
    }
}

pub struct Throughput<L> {
    pub lanes: Vec<L>,
    pub per_second: f64,
}

/// As fast as the lanes go, after a tenth of the time for warming up.
pub async fn flat_out<L: Lane>(lanes: Vec<L>, span: Duration) -> Result<Throughput<L>> {
    let begun = Instant::now() + span / 10;
    let end = begun + span;
    let mut running = JoinSet::new();
    for mut lane in lanes {
        running.spawn(async move {
            let mut sent = 0_u64;
            while Instant::now() < end {
                lane.send().await?;
                sent += u64::from(Instant::now() >= begun);
            }
            anyhow::Ok((lane, sent))
        });
    }
    let (mut lanes, mut sent) = (Vec::new(), 0);
    while let Some(ended) = running.join_next().await {
        let (lane, count) = ended.context("a sender broke")??;
        lanes.push(lane);
        sent += count;
    }
    Ok(Throughput { lanes, per_second: sent as f64 / begun.elapsed().as_secs_f64() })
}

/// So many messages in all, as fast as the lanes go.
pub async fn fixed<L: Lane>(lanes: Vec<L>, messages: u64) -> Result<Vec<L>> {
    let left = Arc::new(AtomicU64::new(messages));
    let mut running = JoinSet::new();
    for mut lane in lanes {
        let left = Arc::clone(&left);
        running.spawn(async move {
            let take = || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            while take().is_ok() {
                lane.send().await?;
            }
            anyhow::Ok(lane)
        });
    }
    let mut lanes = Vec::new();
    while let Some(ended) = running.join_next().await {
        lanes.push(ended.context("a sender broke")??);
    }
    Ok(lanes)
}

pub struct Latency<L> {
    pub lanes: Vec<L>,
    pub times: Times,
}

/// So many messages a second, spread evenly over the lanes, each timed from when it was due.
pub async fn on_schedule<L: Lane>(lanes: Vec<L>, per_second: f64, span: Duration) -> Result<Latency<L>> {
    let mut running = JoinSet::new();
    let mut queues = Vec::new();
    for mut lane in lanes {
        let (queue, mut due) = mpsc::unbounded_channel::<Instant>();
        queues.push(queue);
        running.spawn(async move {
            let mut times = Times::new();
            while let Some(due) = due.recv().await {
                lane.send().await?;
                times.note(due.elapsed());
            }
            anyhow::Ok((lane, times))
        });
    }
    // A thread of its own: the runtime's timers are a millisecond coarse.
    thread::spawn(move || call_out(&queues, per_second, span));
    let (mut lanes, mut times) = (Vec::new(), Times::new());
    while let Some(ended) = running.join_next().await {
        let (lane, own) = ended.context("a sender broke")??;
        lanes.push(lane);
        times.add(&own);
    }
    Ok(Latency { lanes, times })
}

fn call_out(queues: &[mpsc::UnboundedSender<Instant>], per_second: f64, span: Duration) {
    let begun = Instant::now();
    for (message, queue) in queues.iter().cycle().enumerate() {
        let after = Duration::from_secs_f64(message as f64 / per_second);
        if after >= span {
            return;
        }
        let due = begun + after;
        if let Some(left) = due.checked_duration_since(Instant::now()) {
            thread::sleep(left);
        }
        if queue.send(due).is_err() {
            return;
        }
    }
}
