//! Connections for readers: opened when needed, kept while idle, and never more than a few.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::figures::Figures;
use crate::sql::{Conn, Db};
use crate::{Error, Result};

/// Readers at work at once; more wait for a place.
const READERS: usize = 16;
/// How long a reader waits for a place before it is told that the store is busy.
const WAIT: Duration = Duration::from_secs(5);

pub struct Readers<C> {
    places: Mutex<Places<C>>,
    freed: Condvar,
    figures: Arc<Figures>,
}

struct Places<C> {
    idle: Vec<Db<C>>,
    busy: usize,
}

impl<C: Conn> Readers<C> {
    pub fn new(figures: Arc<Figures>) -> Self {
        Self { places: Mutex::new(Places { idle: Vec::new(), busy: 0 }), freed: Condvar::new(), figures }
    }

    /// Lends a connection, a new one when none is idle. One that `look` calls unfit is not kept.
    pub fn with<T>(
        &self,
        open: impl FnOnce() -> Result<C>,
        is_fit: impl FnOnce(&C) -> bool,
        look: impl FnOnce(&mut Db<C>) -> Result<T>,
    ) -> Result<T> {
        let mut place = self.take()?;
        let mut db = match place.idle.take() {
            Some(db) => db,
            None => Db::of_reader(open()?),
        };
        let seen = look(&mut db);
        if is_fit(&db.conn) {
            self.lock().idle.push(db);
        }
        seen
    }

    fn take(&self) -> Result<Place<'_, C>> {
        let until = Instant::now() + WAIT;
        let mut places = self.lock();
        if places.busy >= READERS {
            self.figures.readers_waited.inc();
        }
        while places.busy >= READERS {
            let left = until.checked_duration_since(Instant::now()).ok_or(Error::Busy)?;
            places = self.freed.wait_timeout(places, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        places.busy += 1;
        self.figures.readers_busy.inc();
        let idle = places.idle.pop();
        Ok(Place { readers: self, idle })
    }
}

impl<C> Readers<C> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Places<C>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place among the readers, given back however the look ends.
struct Place<'a, C> {
    readers: &'a Readers<C>,
    idle: Option<Db<C>>,
}

impl<C> Drop for Place<'_, C> {
    fn drop(&mut self) {
        self.readers.lock().busy -= 1;
        self.readers.figures.readers_busy.dec();
        self.readers.freed.notify_one();
    }
}
