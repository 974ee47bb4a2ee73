//! The one way out over HTTP, for webhooks and whatever else the server calls of its own accord [O7a].
//!
//! It is told addresses by people and agents who are not its operator, so an address is never taken at its word: names
//! are looked up here, what leads into this machine or a private network is refused unless the operator declared it,
//! and the connection goes to the very address that was looked at. Redirects are looked at again. Nothing is kept from
//! one call to the next: no cookies, no connections; no proxy of the environment is used.

mod address;
mod allowed;
mod call;
mod error;
mod lookup;

pub use allowed::Allowed;
pub use call::{Answer, Request};
pub use error::Error;
pub use lookup::{Looked, Lookup, SystemLookup};
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Method, Url};

use std::sync::Arc;
use std::time::Duration;

use rustls::{ClientConfig, RootCertStore};
use tokio::sync::OnceCell;

pub type Result<T> = std::result::Result<T, Error>;

/// From the lookup of the name to the last byte of the answer, redirects included.
pub const TIME: Duration = Duration::from_secs(10);
/// Of an answer; what is longer is an error.
pub const ANSWER_BYTES: usize = 64 * 1024;
pub const REDIRECTS: usize = 3;

/// Calls addresses that others named. Cheap to clone.
#[derive(Clone)]
pub struct Outbound {
    allowed: Arc<[Allowed]>,
    lookup: Arc<dyn Lookup>,
    /// Read from the machine when the first call needs it.
    tls: Arc<OnceCell<ClientConfig>>,
}

impl Outbound {
    /// `allowed`: what the server's operator declared; everything else has to be public.
    pub fn new(allowed: Vec<Allowed>) -> Self {
        Self { allowed: allowed.into(), lookup: Arc::new(SystemLookup), tls: Arc::default() }
    }

    /// The same, looking names up by other means.
    #[must_use]
    pub fn with_lookup(self, lookup: impl Lookup + 'static) -> Self {
        Self { lookup: Arc::new(lookup), ..self }
    }

    /// The same, with these authorities instead of the machine's.
    #[must_use]
    pub fn trusting(self, roots: RootCertStore) -> Self {
        Self { tls: Arc::new(OnceCell::new_with(Some(config(roots)))), ..self }
    }

    /// One call, with the redirects that it may follow.
    pub async fn call(&self, request: Request) -> Result<Answer> {
        tokio::time::timeout(TIME, call::follow(self, request)).await.map_err(|_| Error::TimedOut)?
    }

    /// Whether an address may be called at all, as far as it says so itself: before it is stored.
    pub fn check(&self, url: &Url) -> Result<()> {
        call::Host::of(url)?.check_itself(&self.allowed)
    }

    async fn tls(&self) -> Result<ClientConfig> {
        let read = || async {
            let roots = tokio::task::spawn_blocking(machine_roots).await;
            roots
                .map(config)
                .map_err(|_| Error::Failed("this machine's certificates cannot be read".to_owned()))
        };
        self.tls.get_or_try_init(read).await.cloned()
    }
}

/// Some of a machine's collection may not read; without any, no certificate is believed.
fn machine_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn config(roots: RootCertStore) -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().expect("ring speaks the versions of today");
    builder.with_root_certificates(roots).with_no_client_auth()
}
