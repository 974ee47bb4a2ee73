//! Event streams that are open: how many a key or session holds, and when all of them end [O6, O9].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use ygg_engine::Credential;

use crate::problem::Failure;

/// Seconds after which a place among the streams may have come free.
const RETRY_SECONDS: u64 = 5;

pub struct Streams {
    open: Mutex<HashMap<Credential, usize>>,
    per_key: usize,
}

/// A place among the open streams of a key; dropping it gives it back.
pub struct OpenStream {
    streams: Arc<Streams>,
    key: Credential,
}

impl Streams {
    pub fn new(per_key: usize) -> Self {
        Self { open: Mutex::default(), per_key }
    }

    pub fn open(self: &Arc<Self>, key: Credential) -> Result<OpenStream, Failure> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let held = open.entry(key).or_default();
        if *held >= self.per_key {
            let help = format!("You hold {held} event streams, and that is the most; close one first.");
            return Err(Failure::new(429, "rate_limited", help).retry_after(RETRY_SECONDS));
        }
        *held += 1;
        Ok(OpenStream { streams: Arc::clone(self), key })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = open.get_mut(&self.key) {
            *held -= 1;
            if *held == 0 {
                open.remove(&self.key);
            }
        }
    }
}

/// Returns when the server stops; never when nobody can stop it.
pub async fn stopped(mut shutdown: watch::Receiver<bool>) {
    if shutdown.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
