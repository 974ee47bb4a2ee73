//! How many looks at the store one participant may have under way. The store's readers are shared by all: without a
//! bound, whoever asks for long lists keeps everybody else waiting [O9].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use ygg_domain::Refusal;
use ygg_domain::name::ParticipantId;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Within;

use crate::{Caller, Result};

/// A quarter of the store's readers.
const AT_ONCE: usize = 4;
/// How long one look more waits for a place.
const PATIENCE: Duration = Duration::from_secs(2);
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// By participant and not by key: one with twenty keys is still one.
type Reader = (WorkspaceKey, ParticipantId);

/// Who looks.
pub struct Looker {
    pub within: Within,
    reader: Option<Reader>,
    patience: Option<Duration>,
}

/// The server itself.
impl From<Within> for Looker {
    fn from(within: Within) -> Self {
        Self { within, reader: None, patience: None }
    }
}

impl Caller {
    /// Looks that are refused when too many are under way.
    pub(crate) fn looker(&self) -> Looker {
        Looker { patience: Some(PATIENCE), ..self.patient_looker() }
    }

    /// Looks that wait for as long as it takes: a stream's, which has time.
    pub(crate) fn patient_looker(&self) -> Looker {
        let reader = (self.workspace, self.participant.id.clone());
        Looker { within: self.workspace.into(), reader: Some(reader), patience: None }
    }
}

#[derive(Default)]
pub struct Reads(Mutex<HashMap<Reader, Arc<Semaphore>>>);

/// A place among the looks of one participant; to be held by the look itself, which outlasts a caller who gave up.
pub struct Place {
    reads: Arc<Reads>,
    reader: Reader,
    permit: Option<OwnedSemaphorePermit>,
}

impl Reads {
    /// None for the server's own looks.
    pub async fn enter(self: &Arc<Self>, looker: &Looker) -> Result<Option<Place>> {
        let Some(reader) = looker.reader.clone() else { return Ok(None) };
        let places =
            self.lock().entry(reader.clone()).or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE))).clone();
        let permit = match (Arc::clone(&places).try_acquire_owned(), looker.patience) {
            (Ok(permit), _) => Some(permit),
            (Err(_), None) => places.acquire_owned().await.ok(),
            (Err(_), Some(patience)) => tokio::time::timeout(patience, places.acquire_owned())
                .await
                .map_err(|_| Refusal::RateLimited { retry_after: RETRY_AFTER })?
                .ok(),
        };
        Ok(Some(Place { reads: Arc::clone(self), reader, permit }))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Reader, Arc<Semaphore>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whoever has nothing under way is not remembered.
impl Drop for Place {
    fn drop(&mut self) {
        let mut readers = self.reads.lock();
        self.permit = None;
        if readers.get(&self.reader).is_some_and(|places| Arc::strong_count(places) == 1) {
            readers.remove(&self.reader);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn looker(name: &str, patience: Option<Duration>) -> Looker {
        let within = WorkspaceKey(1);
        let reader = (within, ParticipantId::agent(name).expect("an id"));
        Looker { within: within.into(), reader: Some(reader), patience }
    }

    #[tokio::test(start_paused = true)]
    async fn one_look_more_waits_a_little_and_is_then_refused() {
        let reads = Arc::new(Reads::default());
        let (scout, other) = (looker("scout", Some(PATIENCE)), looker("other", Some(PATIENCE)));
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(reads.enter(&scout).await.expect("a place"));
        }
        let refused = reads.enter(&scout).await.map(|_| ());
        assert!(
            matches!(refused, Err(Error::Refused(Refusal::RateLimited { retry_after })) if retry_after == RETRY_AFTER)
        );
        assert!(reads.enter(&other).await.is_ok(), "others have places of their own");
        assert!(reads.enter(&Within::Server.into()).await.is_ok_and(|place| place.is_none()));
        // One that comes free in time is taken, by a stream too.
        let stream = looker("scout", None);
        let (waited, streamed, ()) = tokio::join!(reads.enter(&scout), reads.enter(&stream), async {
            tokio::time::advance(PATIENCE / 2).await;
            held.truncate(AT_ONCE - 2);
        });
        held.extend([waited.expect("a place"), streamed.expect("a place")]);
        drop(held);
        assert!(reads.lock().is_empty(), "nobody is remembered");
    }
}
