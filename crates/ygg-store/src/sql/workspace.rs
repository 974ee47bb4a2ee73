//! Rows of `workspaces`.

use ygg_domain::name::Slug;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::{Workspace, WorkspaceKey};
use ygg_wire::policy::PolicyBody;

use super::{Conn, Db, Row, params};
use crate::workspace::Workspaces;
use crate::{Error, Result};

macro_rules! deletes {
    ($($table:literal)*) => {
        &[$(concat!("DELETE FROM ", $table, " WHERE workspace = ?1")),*]
    };
}

/// One for every table with a column `workspace`: a test asks the schema for them.
const DELETES: &[&str] = deletes! {
    "audit" "outlets" "outbox" "claims" "participants" "groups" "keys" "sessions" "invites" "conversations" "stints" "topics" "parties" "messages"
    "cursors" "deliveries" "wakes" "notices" "turns" "pots" "ledger" "shortfalls" "nudges" "sends" "tasks" "attention" "log"
    "attachments" "files" "contents"
};

impl<C: Conn> Workspaces for Db<C> {
    fn workspace_by_slug(&self, slug: &Slug) -> Result<Option<Workspace>> {
        self.one(
            "SELECT key, slug, policy, paused FROM workspaces WHERE slug = ?1",
            params![slug.as_str()],
            read,
        )
    }

    fn workspace(&self, key: WorkspaceKey) -> Result<Option<Workspace>> {
        self.known(
            |known| &known.workspaces,
            key,
            || {
                self.one(
                    "SELECT key, slug, policy, paused FROM workspaces WHERE key = ?1",
                    params![key.0],
                    read,
                )
            },
        )
    }

    fn workspaces(&self) -> Result<Vec<Workspace>> {
        self.many("SELECT key, slug, policy, paused FROM workspaces ORDER BY slug", params![], read)
    }
}

impl<C: Conn> Db<C> {
    pub fn insert_workspace(&self, slug: &Slug, policy: &Policy, at: Timestamp) -> Result<WorkspaceKey> {
        let key = self.one(
            "INSERT INTO workspaces (slug, policy, paused, made_at) VALUES (?1, ?2, 0, ?3) RETURNING key",
            params![slug.as_str(), written(policy)?, at.0],
            |row| Ok(WorkspaceKey(row.get(0)?)),
        )?;
        key.ok_or_else(|| Error::corrupt("workspace", slug.as_str()))
    }

    pub fn delete_rows(&self, key: WorkspaceKey) -> Result<()> {
        self.drop_all_words(key)?;
        DELETES.iter().try_for_each(|delete| self.run(delete, params![key.0]))?;
        self.run("DELETE FROM workspaces WHERE key = ?1", params![key.0])
    }

    pub fn set_policy(&self, key: WorkspaceKey, policy: &Policy) -> Result<()> {
        self.run("UPDATE workspaces SET policy = ?2 WHERE key = ?1", params![key.0, written(policy)?])?;
        Ok(())
    }
}

impl<C: Conn> Db<C> {
    pub fn pause_workspace(&self, key: WorkspaceKey, paused: bool) -> Result<()> {
        self.run("UPDATE workspaces SET paused = ?2 WHERE key = ?1", params![key.0, paused])
    }
}

fn written(policy: &Policy) -> Result<String> {
    serde_json::to_string(&PolicyBody::from(policy))
        .map_err(|error| Error::corrupt("policy", error.to_string()))
}

fn read(row: &Row<'_>) -> Result<Workspace> {
    let text: String = row.get(2)?;
    let body: Option<PolicyBody> = serde_json::from_str(&text).ok();
    let policy = body.and_then(|body| body.read().ok()).ok_or_else(|| Error::corrupt("policy", text))?;
    Ok(Workspace {
        key: WorkspaceKey(row.get(0)?),
        slug: row.parsed(1, "workspace slug")?,
        policy,
        paused: row.get(3)?,
    })
}
