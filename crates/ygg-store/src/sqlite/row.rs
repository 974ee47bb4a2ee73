//! Cells of a row as domain values; what does not read is a corrupt row, told as such.

use std::str::FromStr;

use rusqlite::Row;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;

use crate::{Error, Result};

pub trait Cells {
    fn parsed<T: FromStr>(&self, column: usize, what: &'static str) -> Result<T>;
    fn parsed_if<T: FromStr>(&self, column: usize, what: &'static str) -> Result<Option<T>>;
    fn named<T>(&self, column: usize, what: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<T>;
    fn at(&self, column: usize) -> Result<Timestamp>;
    fn at_if(&self, column: usize) -> Result<Option<Timestamp>>;
    /// Ids separated by spaces.
    fn ids(&self, column: usize) -> Result<Vec<ParticipantId>>;
}

impl Cells for Row<'_> {
    fn parsed<T: FromStr>(&self, column: usize, what: &'static str) -> Result<T> {
        let text = self.get_ref(column)?.as_str().map_err(|_| Error::corrupt(what, "not text"))?;
        text.parse().map_err(|_| Error::corrupt(what, text))
    }

    fn parsed_if<T: FromStr>(&self, column: usize, what: &'static str) -> Result<Option<T>> {
        match self.get_ref(column)?.as_str_or_null().map_err(|_| Error::corrupt(what, "not text"))? {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| Error::corrupt(what, text)),
        }
    }

    fn named<T>(&self, column: usize, what: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<T> {
        let text = self.get_ref(column)?.as_str().map_err(|_| Error::corrupt(what, "not text"))?;
        read(text).ok_or_else(|| Error::corrupt(what, text))
    }

    fn at(&self, column: usize) -> Result<Timestamp> {
        Ok(Timestamp(self.get(column)?))
    }

    fn at_if(&self, column: usize) -> Result<Option<Timestamp>> {
        Ok(self.get::<_, Option<i64>>(column)?.map(Timestamp))
    }

    fn ids(&self, column: usize) -> Result<Vec<ParticipantId>> {
        let text = self.get_ref(column)?.as_str().map_err(|_| Error::corrupt("list of ids", "not text"))?;
        text.split_whitespace()
            .map(|id| id.parse().map_err(|_| Error::corrupt("participant id", id)))
            .collect()
    }
}

/// Ids separated by spaces.
pub fn joined(ids: &[ParticipantId]) -> String {
    ids.iter().map(ParticipantId::as_str).collect::<Vec<_>>().join(" ")
}

/// A bound on rows for a statement.
pub fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
