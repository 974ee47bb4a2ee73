//! How rows are kept: tables that refuse a second row under one key, and indexes that lead to rows.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rusqlite::ffi;

use crate::{Error, Result};

/// What leads from a key to values, in order. A key without values takes no room.
#[derive(Clone)]
pub struct Index<K, V> {
    sets: BTreeMap<K, BTreeSet<V>>,
    none: BTreeSet<V>,
}

impl<K, V> Default for Index<K, V> {
    fn default() -> Self {
        Self { sets: BTreeMap::new(), none: BTreeSet::new() }
    }
}

impl<K: Ord, V: Ord> Index<K, V> {
    pub fn of(&self, key: &K) -> &BTreeSet<V> {
        self.sets.get(key).unwrap_or(&self.none)
    }

    pub fn insert(&mut self, key: K, value: V) {
        self.sets.entry(key).or_default().insert(value);
    }

    pub fn remove(&mut self, key: &K, value: &V) {
        if let Some(set) = self.sets.get_mut(key) {
            set.remove(value);
            if set.is_empty() {
                self.sets.remove(key);
            }
        }
    }
}

/// Adds a row that must not be there yet; `what` names its key.
pub fn insert<K: Ord, V>(rows: &mut BTreeMap<K, V>, key: K, row: V, what: &'static str) -> Result<()> {
    match rows.entry(key) {
        Entry::Vacant(place) => {
            place.insert(row);
            Ok(())
        }
        Entry::Occupied(_) => Err(broken(what)),
    }
}

/// A row that the shape forbids, in the form in which SQLite refuses it: callers tell the two stores apart by
/// nothing.
pub fn broken(what: &'static str) -> Error {
    let code = ffi::Error::new(ffi::SQLITE_CONSTRAINT);
    rusqlite::Error::SqliteFailure(code, Some(format!("constraint failed: {what}"))).into()
}
