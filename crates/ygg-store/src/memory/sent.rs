//! Rows of sends: what was told under a sender's key [M8].

use std::collections::BTreeMap;

use ygg_domain::message::send::Prior;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use super::{Space, World};
use crate::Result;
use crate::sent::{Remembered, Sends};

/// Sender, then key.
pub type Table = BTreeMap<ParticipantId, BTreeMap<String, Row>>;

#[derive(Clone)]
pub struct Row {
    prior: Prior,
    at: Timestamp,
}

impl Sends for World {
    fn prior_send(
        &self,
        workspace: WorkspaceKey,
        sender: &ParticipantId,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<Prior>> {
        let row = self.space(workspace).sends.get(sender).and_then(|sends| sends.get(key));
        Ok(row.filter(|row| row.at > since).map(|row| row.prior.clone()))
    }
}

impl Space {
    pub fn put_send(&mut self, send: &Remembered<'_>) {
        let prior = Prior { digest: send.digest, receipt: send.receipt.map(str::to_owned) };
        let sends = self.sends.entry(send.sender.clone()).or_default();
        sends.insert(send.key.to_owned(), Row { prior, at: send.at });
    }
}
