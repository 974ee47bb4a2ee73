//! What this surface counts of itself. Labels are closed sets: a route is its template, never an address, and nobody is
//! named.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::StatusCode;
use prometheus::core::Collector;
use prometheus::proto::MetricFamily;
use prometheus::{HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts};

const NAMES: &str = "names and labels are constants that the tests read";
/// In seconds, up to the time that a request may take.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

pub struct Figures {
    requests: IntCounterVec,
    seconds: HistogramVec,
    pub refused_sign_ins: IntCounter,
    build: IntGauge,
    started: IntGauge,
}

impl Figures {
    /// Of a process that starts about now.
    pub fn new() -> Self {
        let requests = Opts::new("ygg_http_requests_total", "Requests answered, by route and status.");
        let seconds =
            HistogramOpts::new("ygg_http_request_seconds", "Time until an answer begins, by route.");
        let refused = "Requests without a key that stands, by which nobody was signed in.";
        let build = Opts::new("ygg_build_info", "Always 1; the version is a label.");
        let figures = Self {
            requests: IntCounterVec::new(requests, &["method", "route", "status"]).expect(NAMES),
            seconds: HistogramVec::new(seconds.buckets(BOUNDS.to_vec()), &["route"]).expect(NAMES),
            refused_sign_ins: IntCounter::new("ygg_sign_ins_refused_total", refused).expect(NAMES),
            build: IntGauge::with_opts(build.const_label("version", env!("CARGO_PKG_VERSION"))).expect(NAMES),
            started: IntGauge::new("process_start_time_seconds", "When the server started, in Unix time.")
                .expect(NAMES),
        };
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        figures.build.set(1);
        figures.started.set(i64::try_from(started.as_secs()).unwrap_or(i64::MAX));
        figures
    }

    pub fn count_request(&self, method: &str, route: &str, status: StatusCode, took: Duration) {
        self.requests.with_label_values(&[method, route, status.as_str()]).inc();
        self.seconds.with_label_values(&[route]).observe(took.as_secs_f64());
    }

    pub fn families(&self) -> Vec<MetricFamily> {
        let all: [&dyn Collector; 5] =
            [&self.requests, &self.seconds, &self.refused_sign_ins, &self.build, &self.started];
        all.into_iter()
            .flat_map(Collector::collect)
            .filter(|family| !family.get_metric().is_empty())
            .collect()
    }
}
