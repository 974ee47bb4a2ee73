//! What whoever runs the server may set about this surface. Everything has a default.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use tokio::sync::watch;
use ygg_domain::key::KeyHash;

use crate::guard::{Network, PublicUrl};

#[derive(Debug, Clone)]
pub struct Config {
    /// Where the server is reached from outside, `https://host` or `http://host:port`. Its host is answered
    /// besides the loopback names; `--public-url` sets it [O7].
    pub public_url: Option<String>,
    /// Where the server listens. Its address is an allowed host, unless it stands for every interface.
    pub bind: SocketAddr,
    /// The largest request body that is read.
    pub body_limit_bytes: usize,
    /// How long an answer may take to begin. Streams begin at once and then last.
    pub request_timeout: Duration,
    /// Silence on a stream after which a comment is sent, below the idle limits of common proxies.
    pub heartbeat: Duration,
    /// Event streams that one key may hold open at once [O9].
    pub streams_per_key: usize,
    /// Requests with a wrong key that one client address may make in a minute before it is told to wait [O9].
    /// Right keys go on working: many agents share an address.
    pub failed_sign_ins_per_minute: NonZeroU32,
    /// Proxies whose word about the client's address is taken [O7b].
    pub trusted_proxies: Vec<Network>,
    /// The key of the server's operator; without one, nobody is [O4a].
    pub server_key: Option<KeyHash>,
    /// Becomes true when the server stops: open streams are then ended [O6]. A dropped sender means never.
    pub shutdown: watch::Receiver<bool>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            public_url: None,
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 7411)),
            body_limit_bytes: 1024 * 1024,
            request_timeout: Duration::from_secs(30),
            heartbeat: Duration::from_secs(15),
            streams_per_key: 16,
            failed_sign_ins_per_minute: NonZeroU32::new(60).unwrap_or(NonZeroU32::MIN),
            trusted_proxies: Vec::new(),
            server_key: None,
            shutdown: watch::channel(false).1,
        }
    }
}

impl Config {
    /// What is wrong with the configuration, in a sentence. `app` leaves a public URL that does not read out.
    pub fn check(&self) -> Result<(), String> {
        match &self.public_url {
            Some(url) if PublicUrl::read(url).is_none() => Err(format!(
                "--public-url is {url:?}, but it has to be like https://ygg.example.com or http://10.0.0.5:7411"
            )),
            Some(_) | None => Ok(()),
        }
    }
}
