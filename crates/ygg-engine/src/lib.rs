//! The conductor: authenticate, load facts, decide, commit, announce.
//!
//! It holds order, not rules: what may happen is decided in `ygg-domain`, what is kept is `ygg-store`'s. Every
//! write of every caller goes through `commit`, every read is guarded by who reads. Nothing is announced that
//! was not committed, and no call to a network or a model happens inside a transaction.

mod attention;
mod bus;
mod clock;
mod commit;
mod elsewhere;
mod error;
mod figures;
mod fresh;
mod guard;
mod rate;
mod reads;
mod signed_in;
mod standing;
mod unfinished;

mod audit;
mod caller;
mod claim;
mod conversation;
mod credits;
mod cursor;
mod file;
mod group;
mod invite;
mod key;
mod log;
mod message;
mod needs_you;
mod notify;
mod page;
mod participant;
mod password;
mod person;
mod presence;
mod remove;
mod search;
mod session;
mod task;
mod timer;
mod topic;
mod turn;
mod workspace;

pub use audit::AuditQuery;
pub use caller::{Caller, Credential};
pub use clock::{Clock, ManualClock, SystemClock};
pub use error::Error;
pub use file::Fetched;
pub use fresh::SystemNonces;
pub use log::EventStream;
pub use message::ReadBack;
pub use notify::{Carried, Courier, Parcel};
pub use rate::RateLimit;
pub use session::{Browser, Entered};
pub use workspace::Founded;

use std::sync::Arc;

use tracing::Span;
use ygg_store::{Rows, Store, Within};

pub type Result<T> = std::result::Result<T, Error>;

/// The one way in to everything. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    bus: Arc<bus::Bus>,
    random: Arc<std::sync::Mutex<fresh::Random>>,
    rate: Arc<rate::Rates>,
    passwords: Arc<password::Passwords>,
    signed_in: Arc<signed_in::SignedIn>,
    reads: Arc<reads::Reads>,
    figures: Arc<figures::Figures>,
    attention: Arc<attention::Attention>,
    kept: Arc<audit::Kept>,
    courier: Option<Arc<dyn Courier>>,
    looked: Arc<notify::Looked>,
    tested: Arc<notify::Tested>,
}

impl Engine {
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, rate: RateLimit) -> Self {
        let signed_in = signed_in::SignedIn::new(store.elsewhere().is_none());
        Self {
            store,
            clock,
            bus: Arc::default(),
            random: Arc::default(),
            rate: Arc::new(rate::Rates::new(rate)),
            passwords: Arc::default(),
            signed_in: Arc::new(signed_in),
            reads: Arc::default(),
            figures: Arc::default(),
            attention: Arc::default(),
            kept: Arc::default(),
            courier: None,
            looked: Arc::default(),
            tested: Arc::default(),
        }
    }

    /// The same with ids drawn from a seed: the same calls lead to the same ids.
    #[must_use]
    pub fn with_seeded_ids(self, seed: u64) -> Self {
        Self { random: Arc::new(std::sync::Mutex::new(fresh::Random::seeded(seed))), ..self }
    }

    /// The same with ids counted within each instant: for whoever takes up a state where another engine left it, and
    /// lets time pass between the two.
    #[must_use]
    pub fn with_counted_ids(self) -> Self {
        Self { random: Arc::new(std::sync::Mutex::new(fresh::Random::counted())), ..self }
    }

    /// A server like this one over another store: it shares what is counted and limited, and remembers nothing.
    #[must_use]
    pub fn over(&self, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        let signed_in = signed_in::SignedIn::new(store.elsewhere().is_none());
        Self {
            store,
            clock,
            bus: Arc::default(),
            random: Arc::default(),
            signed_in: Arc::new(signed_in),
            attention: Arc::default(),
            kept: Arc::default(),
            looked: Arc::default(),
            tested: Arc::default(),
            ..self.clone()
        }
    }

    /// Looks at one consistent state, off the async threads.
    async fn look<T: Send + 'static>(
        &self,
        looker: impl Into<reads::Looker>,
        look: impl FnOnce(&dyn Rows) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let looker = looker.into();
        let place = self.reads.enter(&looker).await?;
        if self.store.answers_at_once() {
            return see(self.store.as_ref(), looker.within, look);
        }
        let (store, within, span) = (Arc::clone(&self.store), looker.within, Span::current());
        let looked = tokio::task::spawn_blocking(move || {
            let (_within, _held) = (span.entered(), place);
            see(store.as_ref(), within, look)
        });
        looked.await.map_err(|_| Error::broken("a read panicked"))?
    }

    /// Whether the store answers and its writer lives: what `/readyz` asks. Writes no row.
    pub async fn ready(&self) -> Result<()> {
        self.look(Within::Server, |rows| Ok(rows.workspaces().map(|_| ())?)).await?;
        self.commit(commit::Write::of_server(Within::Server), |_| Ok(())).await
    }
}

fn see<T>(store: &dyn Store, within: Within, look: impl FnOnce(&dyn Rows) -> Result<T>) -> Result<T> {
    let mut look = Some(look);
    let mut seen = Err(Error::broken("a read ended without an answer"));
    store.read(within, &mut |rows| {
        if let Some(look) = look.take() {
            seen = look(rows);
        }
        Ok(())
    })?;
    seen
}
