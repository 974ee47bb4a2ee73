//! Rows of `log`: every change, in the order of commit. Changes that were written together share a row: it stands
//! at the place of its last event.

use std::fmt::Write;

use ygg_domain::Change;
use ygg_domain::change::Scope;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_wire::event;

use super::row::limit;
use super::{Conn, Db, Enough, Row, params};
use crate::log::{Log, Logged};
use crate::{Error, Result};

impl<C: Conn> Log for Db<C> {
    fn last_seq(&self, workspace: WorkspaceKey) -> Result<i64> {
        self.known(|known| &known.seqs, workspace, || self.end_of_log(workspace))
    }

    fn events(&self, workspace: WorkspaceKey, after: i64, rows: usize) -> Result<Vec<Logged>> {
        let mut events = Vec::new();
        self.conn.query(
            "SELECT seq, at, events FROM log WHERE workspace = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
            params![workspace.0, after, limit(rows)],
            &mut |row| {
                events.extend(read(row)?.into_iter().filter(|event| event.seq > after));
                Ok(if events.len() < rows { Enough::No } else { Enough::Yes })
            },
        )?;
        events.truncate(rows);
        Ok(events)
    }
}

impl<C: Conn> Db<C> {
    pub fn end_of_log(&self, workspace: WorkspaceKey) -> Result<i64> {
        let last = "SELECT max(seq) FROM log WHERE workspace = ?1";
        let last = self.one(last, params![workspace.0], |row| row.get::<Option<i64>>(0))?;
        Ok(last.flatten().unwrap_or(0))
    }

    /// Adds what was written together; `last` is the place of the last change.
    pub fn append(
        &self,
        workspace: WorkspaceKey,
        last: i64,
        at: Timestamp,
        changes: &[Change],
    ) -> Result<()> {
        let mut events = String::new();
        changes.iter().for_each(|change| write(change, &mut events));
        self.run(
            "INSERT INTO log (workspace, seq, at, events) VALUES (?1, ?2, ?3, ?4)",
            params![workspace.0, last, at.0, events],
        )
    }
}

/// An event is a line: its kind, its scope by name and two ids, `-` for none, and its data. Ids have no spaces, and
/// JSON text has no line breaks.
fn write(change: &Change, out: &mut String) {
    let kind = event::kind(change);
    let data = event::data(change);
    let _ = match change.scope() {
        Scope::Workspace => writeln!(out, "{kind} workspace - - {data}"),
        Scope::Conversation(id, None) => writeln!(out, "{kind} conversation {id} - {data}"),
        Scope::Conversation(id, Some(topic)) => writeln!(out, "{kind} conversation {id} {topic} {data}"),
        Scope::Departure(id, who) => writeln!(out, "{kind} departure {id} {who} {data}"),
        Scope::Participant(id) => writeln!(out, "{kind} participant {id} - {data}"),
        Scope::Own(id) => writeln!(out, "{kind} own {id} - {data}"),
        Scope::Admins => writeln!(out, "{kind} admins - - {data}"),
        Scope::Message(id) => writeln!(out, "{kind} message {id} - {data}"),
    };
}

/// The events of a row, each with its place.
fn read(row: &Row<'_>) -> Result<Vec<Logged>> {
    let (last, at) = (row.get::<i64>(0)?, row.at(1)?);
    let lines: Vec<&str> = row.text(2)?.unwrap_or_default().lines().collect();
    let first = last + 1 - lines.len() as i64;
    (first..).zip(lines).map(|(seq, line)| read_line(seq, at, line)).collect()
}

fn read_line(seq: i64, at: Timestamp, line: &str) -> Result<Logged> {
    let corrupt = || Error::corrupt("event", line);
    let fields: Vec<&str> = line.splitn(5, ' ').collect();
    let [kind, name, id, below, data] = fields.try_into().map_err(|_| corrupt())?;
    let scope = scope(name, id, below).ok_or_else(corrupt)?;
    Ok(Logged { seq, at, kind: kind.to_owned(), scope, data: data.to_owned() })
}

fn scope(name: &str, id: &str, below: &str) -> Option<Scope> {
    match name {
        "workspace" => Some(Scope::Workspace),
        "conversation" => {
            let topic = if below == "-" { None } else { Some(below.parse().ok()?) };
            Some(Scope::Conversation(id.parse().ok()?, topic))
        }
        "departure" => Some(Scope::Departure(id.parse().ok()?, below.parse().ok()?)),
        "participant" => id.parse().ok().map(Scope::Participant),
        "own" => id.parse().ok().map(Scope::Own),
        "admins" => Some(Scope::Admins),
        "message" => id.parse().ok().map(Scope::Message),
        _ => None,
    }
}
