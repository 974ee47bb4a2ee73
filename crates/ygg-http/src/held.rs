//! What one key or session holds at once of a kind that costs something while it is held [O9].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ygg_engine::Credential;

use crate::problem::Failure;

/// Seconds after which a place may have come free.
const RETRY_SECONDS: u64 = 5;

pub struct Held {
    held: Mutex<HashMap<Credential, usize>>,
    per_key: usize,
    /// In words, several of them.
    what: &'static str,
}

/// One of the places of a key; dropping it gives it back.
pub struct Place {
    held: Arc<Held>,
    key: Credential,
}

impl Held {
    pub fn new(per_key: usize, what: &'static str) -> Self {
        Self { held: Mutex::default(), per_key, what }
    }

    pub fn take(self: &Arc<Self>, key: Credential) -> Result<Place, Failure> {
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let held = all.entry(key).or_default();
        if *held >= self.per_key {
            let help = format!("You hold {held} {}, and that is the most; end one first.", self.what);
            return Err(Failure::new(429, "rate_limited", help).retry_after(RETRY_SECONDS));
        }
        *held += 1;
        Ok(Place { held: Arc::clone(self), key })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.held.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = all.get_mut(&self.key) {
            *held -= 1;
            if *held == 0 {
                all.remove(&self.key);
            }
        }
    }
}
