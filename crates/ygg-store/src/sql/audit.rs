//! Rows of `audit`.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use ygg_domain::audit::{Datum, Entry, Kind};
use ygg_domain::id::AuditId;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::audit::{Audits, Kept, Place, Which};
use crate::{Error, Result};

macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT id, kind, by_id, participant, conversation, topic, data, first_at, at, times FROM audit
             WHERE workspace = ?1 AND (at, id) < (?2, ?3) ",
            $which,
            " ORDER BY at DESC, id DESC LIMIT ?4"
        )
    };
}

impl<C: Conn> Audits for Db<C> {
    fn audit(
        &self,
        workspace: WorkspaceKey,
        which: &Which,
        before: Option<Place>,
        rows: usize,
    ) -> Result<Vec<Kept>> {
        // '~' sorts after every id.
        let (at, id) = before.map_or((i64::MAX, "~".to_owned()), |(at, id)| (at.0, id.to_string()));
        let kind = which.kind.map(Kind::name);
        let by = which.by.as_ref().map(|by| by.as_ref().map_or("", ParticipantId::as_str));
        let (workspace, rows) = (workspace.0, limit(rows));
        match (kind, by) {
            (None, None) => self.many(select!(""), params![workspace, at, id, rows], read),
            (Some(kind), None) => {
                self.many(select!("AND kind = ?5"), params![workspace, at, id, rows, kind], read)
            }
            (None, Some(by)) => {
                self.many(select!("AND by_id = ?5"), params![workspace, at, id, rows, by], read)
            }
            (Some(kind), Some(by)) => self.many(
                select!("AND by_id = ?5 AND kind = ?6"),
                params![workspace, at, id, rows, by, kind],
                read,
            ),
        }
    }

    fn kept_at(&self, workspace: WorkspaceKey, same: &str) -> Result<Option<Timestamp>> {
        self.one(
            "SELECT at FROM audit WHERE workspace = ?1 AND same = ?2",
            params![workspace.0, same],
            |row| row.at(0),
        )
    }
}

impl<C: Conn> Db<C> {
    /// One more entry, or one more time of the one that is the same.
    pub fn keep_entry(
        &self,
        workspace: WorkspaceKey,
        id: AuditId,
        at: Timestamp,
        entry: &Entry,
    ) -> Result<()> {
        self.run(
            "INSERT INTO audit (workspace, id, kind, by_id, participant, conversation, topic, data, same, first_at, at,
                                times)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, 1)
             ON CONFLICT (workspace, same) WHERE same IS NOT NULL
             DO UPDATE SET at = excluded.at, times = audit.times + 1",
            params![
                workspace.0,
                id,
                entry.kind.name(),
                entry.by.as_ref().map_or("", ParticipantId::as_str),
                entry.participant.as_ref().map(ParticipantId::as_str),
                entry.conversation,
                entry.topic,
                written(&entry.data)?,
                &entry.same,
                at.0,
            ],
        )
    }
}

fn written(data: &BTreeMap<String, Datum>) -> Result<String> {
    let value = |datum: &Datum| match datum {
        Datum::Name(name) => Json::from(name.as_str()),
        Datum::Number(number) => Json::from(*number),
    };
    let data: Map<String, Json> = data.iter().map(|(name, datum)| (name.clone(), value(datum))).collect();
    serde_json::to_string(&data).map_err(|error| Error::corrupt("audit data", error.to_string()))
}

fn data(text: &str) -> Result<BTreeMap<String, Datum>> {
    let corrupt = || Error::corrupt("audit data", text);
    let found: BTreeMap<String, Json> = serde_json::from_str(text).map_err(|_| corrupt())?;
    let datum = |value: Json| match (value.as_str(), value.as_i64()) {
        (Some(name), _) => Ok(Datum::Name(name.to_owned())),
        (None, Some(number)) => Ok(Datum::Number(number)),
        (None, None) => Err(corrupt()),
    };
    found.into_iter().map(|(name, value)| Ok((name, datum(value)?))).collect()
}

fn read(row: &Row<'_>) -> Result<Kept> {
    let by = row.text(2)?.filter(|by| !by.is_empty());
    let by = by.map(|by| by.parse().map_err(|_| Error::corrupt("participant id", by))).transpose()?;
    let entry = Entry {
        kind: row.named(1, "kind of entry", Kind::read)?,
        by,
        participant: row.parsed_if(3, "participant id")?,
        conversation: row.parsed_if(4, "conversation id")?,
        topic: row.parsed_if(5, "topic id")?,
        data: data(row.text(6)?.unwrap_or_default())?,
        same: None,
    };
    Ok(Kept {
        id: row.parsed(0, "audit id")?,
        first_at: row.at(7)?,
        at: row.at(8)?,
        times: row.get(9)?,
        entry,
    })
}
