//! A whole server in this process: store, engine, surfaces, listener. `up`, `serve` and `demo` all run this one.

pub mod agent;
pub mod courier;
pub mod first_run;
pub mod log;
mod operator;
pub mod signals;
pub mod store;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use ygg_engine::{Engine, RateLimit, SystemClock};

use crate::failure::{Failure, Outcome};
use crate::places::Places;
use crate::secret_file;
use courier::{Outside, Post};
use signals::Signals;

/// How long a half-written profile lies before it counts as left behind.
const PROFILE_IDLE: Duration = Duration::from_secs(10);

/// How a server is to be.
pub struct Plan {
    pub store: store::Place,
    /// Whose data folder holds the key of the server's operator.
    pub places: Places,
    pub bind: SocketAddr,
    pub public_url: Option<String>,
    pub rate: RateLimit,
    pub streams_per_key: Option<usize>,
    pub failed_sign_ins_per_minute: Option<NonZeroU32>,
    pub trusted_proxies: Vec<ygg_http::Network>,
    pub outside: Outside,
}

impl Plan {
    pub fn new(store: store::Place, places: &Places, bind: SocketAddr) -> Self {
        Self {
            store,
            places: places.clone(),
            bind,
            public_url: None,
            rate: RateLimit::default(),
            streams_per_key: None,
            failed_sign_ins_per_minute: None,
            trusted_proxies: Vec::new(),
            outside: Outside::default(),
        }
    }
}

/// Open and listening, but not answering yet.
pub struct Server {
    pub engine: Engine,
    /// Where it is reached from this machine.
    pub url: String,
    config: ygg_http::Config,
    listener: TcpListener,
    stop: watch::Sender<bool>,
    operator: operator::Kept,
}

impl Server {
    pub async fn open(plan: Plan) -> Outcome<Self> {
        let post = Post::open(&plan.outside, plan.public_url.as_deref())?;
        let store = store::open(&plan.store).await?;
        let listener = listen(plan.bind).await?;
        let bind = listener.local_addr().map_err(|error| unusable(plan.bind, &error))?;
        let (stop, shutdown) = watch::channel(false);
        // The store is ours alone from here on, and with it the data folder; profiles are anybody's.
        secret_file::sweep(&plan.places.data()?, Duration::ZERO);
        secret_file::sweep(&plan.places.profiles()?, PROFILE_IDLE);
        let url = local_url(bind);
        let operator = operator::Kept::make(&plan.places, &url, plan.public_url.as_deref())?;
        let usual = ygg_http::Config::default();
        let config = ygg_http::Config {
            public_url: plan.public_url,
            bind,
            // The guard stands before the tools too, and a frame is larger than the draft in it.
            body_limit_bytes: usual.body_limit_bytes.max(ygg_mcp::Config::default().body_bytes),
            streams_per_key: plan.streams_per_key.unwrap_or(usual.streams_per_key),
            failed_sign_ins_per_minute: plan
                .failed_sign_ins_per_minute
                .unwrap_or(usual.failed_sign_ins_per_minute),
            trusted_proxies: plan.trusted_proxies,
            server_key: Some(operator.hash()),
            shutdown,
            ..usual
        };
        config.check().map_err(|problem| Failure::usage(format!("{problem}.")))?;
        let engine = Engine::new(store, Arc::new(SystemClock), plan.rate).with_courier(Arc::new(post));
        Ok(Self { engine, url, config, listener, stop, operator })
    }

    /// Answers from here on.
    pub fn start(self) -> Running {
        let mcp = ygg_mcp::router(self.engine.clone(), ygg_mcp::Config::default());
        let shutdown = self.config.shutdown.clone();
        let engine = self.engine.clone();
        let app = ygg_http::app(self.engine, mcp, self.config);
        let serving = ygg_http::serve(self.listener, app, shutdown);
        // Time passes for as long as it is served.
        let task = tokio::spawn(async move {
            tokio::select! {
                ended = serving => ended,
                never = engine.keep_time() => match never {},
                never = engine.keep_telling() => match never {},
            }
        });
        Running { task, stop: self.stop, operator: self.operator }
    }
}

/// Answering. Stop it: dropping it does not.
pub struct Running {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
    operator: operator::Kept,
}

impl Running {
    /// Runs until a signal comes, then stops within seconds [O6]; a second signal ends the process at once.
    pub async fn until(self, mut signals: Signals) {
        let Self { mut task, stop, operator } = self;
        tokio::select! {
            () = signals.next() => {}
            _ = &mut task => return,
        }
        tokio::select! {
            () = (Self { task, stop, operator }).stop() => {}
            () = signals.next() => std::process::exit(130),
        }
    }

    /// Ends streams, lets requests finish, and returns when nothing of the server is left.
    pub async fn stop(self) {
        let _ = self.stop.send(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the server did not end well");
        }
    }
}

async fn listen(bind: SocketAddr) -> Outcome<TcpListener> {
    let error = match TcpListener::bind(bind).await {
        Ok(listener) => return Ok(listener),
        Err(error) => error,
    };
    if error.kind() != std::io::ErrorKind::AddrInUse {
        return Err(unusable(bind, &error));
    }
    let url = local_url(bind);
    Err(Failure::usage(match ygg_client::is_there(&url).await {
        Ok(()) => format!(
            "Another Ygg runs at {url} already. Use that one, or choose another port and --data for a second."
        ),
        Err(_) => format!("Port {} is taken by another program. Choose another one.", bind.port()),
    }))
}

fn unusable(bind: SocketAddr, error: &std::io::Error) -> Failure {
    Failure::usage(format!("Nobody can listen at {bind}: {error}."))
}

/// Every server answers to the loopback names, whatever it is called elsewhere.
fn local_url(bind: SocketAddr) -> String {
    if bind.ip().is_unspecified() {
        let loopback = if bind.is_ipv4() { "127.0.0.1" } else { "[::1]" };
        return format!("http://{loopback}:{}", bind.port());
    }
    format!("http://{bind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_reached_from_its_own_machine() {
        for (bind, expected) in [
            ("127.0.0.1:7411", "http://127.0.0.1:7411"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:80", "http://[::1]:80"),
            ("10.0.0.5:7411", "http://10.0.0.5:7411"),
        ] {
            assert_eq!(local_url(bind.parse().expect("an address")), expected);
        }
    }
}
