//! Rows of `log`: every change, in the order of commit.

use ygg_domain::Change;
use ygg_domain::change::Scope;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_wire::event;

use super::row::limit;
use super::{Conn, Db, Row, params};
use crate::log::{Log, Logged};
use crate::{Error, Result};

impl<C: Conn> Log for Db<C> {
    fn last_seq(&self, workspace: WorkspaceKey) -> Result<i64> {
        let last =
            self.one("SELECT max(seq) FROM log WHERE workspace = ?1", params![workspace.0], |row| {
                row.get::<Option<i64>>(0)
            })?;
        Ok(last.flatten().unwrap_or(0))
    }

    fn events(&self, workspace: WorkspaceKey, after: i64, rows: usize) -> Result<Vec<Logged>> {
        self.many(
            "SELECT seq, at, kind, scope, scope_id, topic, data FROM log WHERE workspace = ?1 AND seq > ?2
             ORDER BY seq LIMIT ?3",
            params![workspace.0, after, limit(rows)],
            |row| {
                Ok(Logged {
                    seq: row.get(0)?,
                    at: row.at(1)?,
                    kind: row.get(2)?,
                    scope: scope(row)?,
                    data: row.get(6)?,
                })
            },
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn append(&self, workspace: WorkspaceKey, seq: i64, at: Timestamp, change: &Change) -> Result<()> {
        let (scope, id, topic) = match change.scope() {
            Scope::Workspace => ("workspace", None, None),
            Scope::Conversation(id, topic) => {
                ("conversation", Some(id.to_string()), topic.map(|id| id.to_string()))
            }
            // Who left stands where a topic would.
            Scope::Departure(id, who) => ("departure", Some(id.to_string()), Some(who.to_string())),
            Scope::Participant(id) => ("participant", Some(id.to_string()), None),
            Scope::Own(id) => ("own", Some(id.to_string()), None),
            Scope::Admins => ("admins", None, None),
        };
        self.run(
            "INSERT INTO log (workspace, seq, at, kind, scope, scope_id, topic, data)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                workspace.0,
                seq,
                at.0,
                event::kind(change),
                scope,
                id,
                topic,
                event::data(change).to_string()
            ],
        )?;
        Ok(())
    }
}

fn scope(row: &Row<'_>) -> Result<Scope> {
    let name: String = row.get(3)?;
    match name.as_str() {
        "workspace" => Ok(Scope::Workspace),
        "conversation" => {
            Ok(Scope::Conversation(row.parsed(4, "conversation id")?, row.parsed_if(5, "topic id")?))
        }
        "departure" => {
            Ok(Scope::Departure(row.parsed(4, "conversation id")?, row.parsed(5, "participant id")?))
        }
        "participant" => row.parsed(4, "participant id").map(Scope::Participant),
        "own" => row.parsed(4, "participant id").map(Scope::Own),
        "admins" => Ok(Scope::Admins),
        _ => Err(Error::corrupt("scope", name)),
    }
}
