//! What a store counts of itself, for whoever runs the server. Counting is a few atomic additions: nobody waits for a
//! lock, and nothing is allocated.

use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntGauge};

pub use prometheus::proto::MetricFamily;

const NAMES: &str = "names and bounds are constants that the tests read";

/// Bounds of a time that is well below a millisecond when all is well, in seconds.
pub const SECONDS: [f64; 14] =
    [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

pub struct Figures {
    pub commit_seconds: Histogram,
    pub commit_writes: Histogram,
    pub writes_waiting: IntGauge,
    pub readers_busy: IntGauge,
    pub readers_waited: IntCounter,
    pub size_bytes: IntGauge,
    pub wal_bytes: IntGauge,
}

impl Default for Figures {
    fn default() -> Self {
        let writes = HistogramOpts::new("ygg_commit_writes", "Writes that shared one commit.")
            .buckets(vec![1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]);
        Self {
            commit_seconds: seconds("ygg_commit_seconds", "Time until a commit is durable."),
            commit_writes: Histogram::with_opts(writes).expect(NAMES),
            writes_waiting: gauge(
                "ygg_writes_waiting",
                "Writes before the writer that it has not taken yet.",
            ),
            readers_busy: gauge("ygg_readers_busy", "Readers at work."),
            readers_waited: IntCounter::new(
                "ygg_readers_waited_total",
                "Reads that had to wait because all readers were at work.",
            )
            .expect(NAMES),
            size_bytes: gauge("ygg_store_bytes", "Size of the database."),
            wal_bytes: gauge("ygg_store_wal_bytes", "Size of SQLite's write-ahead log."),
        }
    }
}

impl Figures {
    pub fn families(&self) -> Vec<MetricFamily> {
        let all: [&dyn Collector; 7] = [
            &self.commit_seconds,
            &self.commit_writes,
            &self.writes_waiting,
            &self.readers_busy,
            &self.readers_waited,
            &self.size_bytes,
            &self.wal_bytes,
        ];
        all.into_iter().flat_map(Collector::collect).collect()
    }
}

/// A histogram of times.
pub fn seconds(name: &str, help: &str) -> Histogram {
    Histogram::with_opts(HistogramOpts::new(name, help).buckets(SECONDS.to_vec())).expect(NAMES)
}

pub fn gauge(name: &str, help: &str) -> IntGauge {
    IntGauge::new(name, help).expect(NAMES)
}
