//! What the engine counts of itself, for whoever runs the server: sums over all workspaces, with neither ids nor names
//! in them. Counting a delivered send is an atomic addition; reading the figures is what does the work.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus::core::Collector;
use prometheus::{Histogram, IntCounter, IntCounterVec, IntGauge, Opts};
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Within;
use ygg_store::figures::{MetricFamily, gauge, seconds};
use ygg_wire::Receipt;

use crate::bus::Bus;
use crate::{Engine, Error, Result};

const NAMES: &str = "names and labels are constants that the tests read";

pub struct Figures {
    /// By outcome and reason: both closed sets.
    sends: IntCounterVec,
    /// The member of `sends` that most are, looked up once.
    delivered: IntCounter,
    pub write_seconds: Histogram,
    pub turns: IntCounter,
    wakes_pending: IntGauge,
    wakes_oldest_seconds: IntGauge,
    streams: IntGauge,
    stream_lag_events: IntGauge,
    readers: Mutex<HashMap<u64, (WorkspaceKey, Arc<AtomicI64>)>>,
    next_reader: AtomicU64,
}

impl Default for Figures {
    fn default() -> Self {
        let opts =
            Opts::new("ygg_sends_total", "Sends by how they ended; the reason of a refusal is its code.");
        let sends = IntCounterVec::new(opts, &["outcome", "reason"]).expect(NAMES);
        Self {
            delivered: sends.with_label_values(&["delivered", ""]),
            sends,
            write_seconds: seconds(
                "ygg_write_seconds",
                "Time of one write inside its transaction: facts asked, decided, changes written.",
            ),
            turns: IntCounter::new("ygg_turns_total", "Turns that began.").expect(NAMES),
            wakes_pending: gauge("ygg_wakes_pending", "Wakes that nobody has taken yet."),
            wakes_oldest_seconds: gauge("ygg_wakes_oldest_seconds", "Age of the oldest pending wake."),
            streams: gauge("ygg_streams_open", "Event streams that are open."),
            stream_lag_events: gauge(
                "ygg_stream_lag_events",
                "Log entries between the slowest open stream and the end of its workspace's log.",
            ),
            readers: Mutex::default(),
            next_reader: AtomicU64::new(0),
        }
    }
}

impl Figures {
    pub fn count_send(&self, sent: &Result<Receipt>) {
        let (outcome, reason) = match sent {
            Ok(receipt) if receipt.duplicate => (receipt.outcome.as_str(), "duplicate"),
            Ok(receipt) if receipt.outcome == "delivered" => return self.delivered.inc(),
            Ok(receipt) => (receipt.outcome.as_str(), receipt.reason.as_deref().unwrap_or_default()),
            Err(Error::Refused(refusal)) => ("refused", refusal.code()),
            Err(Error::Unauthenticated | Error::WrongPassword) => ("failed", "unauthenticated"),
            Err(Error::Unavailable(_)) => ("failed", "unavailable"),
            Err(Error::Broken(_)) => ("failed", "internal"),
        };
        self.sends.with_label_values(&[outcome, reason]).inc();
    }

    /// Watches a stream from its place on, until the answer is dropped.
    pub fn follow(self: &Arc<Self>, workspace: WorkspaceKey, after: i64) -> Followed {
        let (id, place) = (self.next_reader.fetch_add(1, Ordering::Relaxed), Arc::new(AtomicI64::new(after)));
        self.readers().insert(id, (workspace, Arc::clone(&place)));
        Followed { figures: Arc::clone(self), id, place }
    }

    fn readers(&self) -> MutexGuard<'_, HashMap<u64, (WorkspaceKey, Arc<AtomicI64>)>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look_at_streams(&self, bus: &Bus) {
        let readers = self.readers();
        let behind = |(workspace, place): &(WorkspaceKey, Arc<AtomicI64>)| {
            bus.last(*workspace) - place.load(Ordering::Relaxed)
        };
        self.streams.set(readers.len() as i64);
        self.stream_lag_events.set(readers.values().map(behind).max().unwrap_or(0).max(0));
    }

    fn families(&self) -> Vec<MetricFamily> {
        let all: [&dyn Collector; 7] = [
            &self.sends,
            &self.write_seconds,
            &self.turns,
            &self.wakes_pending,
            &self.wakes_oldest_seconds,
            &self.streams,
            &self.stream_lag_events,
        ];
        all.into_iter().flat_map(Collector::collect).collect()
    }
}

/// An open stream, counted for as long as this lives.
pub struct Followed {
    figures: Arc<Figures>,
    id: u64,
    place: Arc<AtomicI64>,
}

impl Followed {
    /// Its reader has taken everything up to here.
    pub fn reach(&self, seq: i64) {
        self.place.store(seq, Ordering::Relaxed);
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.figures.readers().remove(&self.id);
    }
}

impl Engine {
    /// Everything that engine and store count. What the store cannot say just now is left out: the rest is needed most
    /// when something is wrong.
    pub async fn figures(&self) -> Vec<MetricFamily> {
        self.figures.look_at_streams(&self.bus);
        let now = self.clock.now();
        match self.look(Within::Server, |rows| Ok(rows.pending_everywhere()?)).await {
            Ok((pending, oldest)) => {
                let age = oldest.map_or(0, |made_at| now.since(made_at).as_secs());
                self.figures.wakes_pending.set(pending);
                self.figures.wakes_oldest_seconds.set(i64::try_from(age).unwrap_or(i64::MAX));
            }
            Err(error) => tracing::warn!(%error, "pending wakes were not counted"),
        }
        let mut families = self.figures.families();
        let store = Arc::clone(&self.store);
        match tokio::task::spawn_blocking(move || store.figures()).await {
            Ok(Ok(more)) => families.extend(more),
            Ok(Err(error)) => tracing::warn!(%error, "the store's figures were not read"),
            Err(error) => tracing::error!(%error, "reading the store's figures broke"),
        }
        families
    }
}
