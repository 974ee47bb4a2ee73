//! Rows of `sends`: what was told under a sender's key.

use ygg_domain::message::send::Prior;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Conn, Db, params};
use crate::Result;
use crate::sent::{Remembered, Sends};

impl<C: Conn> Sends for Db<C> {
    fn prior_send(
        &self,
        workspace: WorkspaceKey,
        sender: &ParticipantId,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<Prior>> {
        self.one(
            "SELECT digest, receipt FROM sends WHERE workspace = ?1 AND sender = ?2 AND key = ?3 AND at > ?4",
            params![workspace.0, sender.as_str(), key, since.0],
            |row| Ok(Prior { digest: row.get(0)?, receipt: row.get(1)? }),
        )
    }
}

impl<C: Conn> Db<C> {
    pub fn put_send(&self, workspace: WorkspaceKey, send: &Remembered<'_>) -> Result<()> {
        self.run(
            "INSERT INTO sends (workspace, sender, key, digest, receipt, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (workspace, sender, key) DO UPDATE SET
                 digest = excluded.digest, receipt = excluded.receipt, at = excluded.at",
            params![workspace.0, send.sender.as_str(), send.key, &send.digest, send.receipt, send.at.0],
        )?;
        Ok(())
    }
}
