//! What is remembered of sends, by their key [M8].

use ygg_domain::message::send::Prior;
use ygg_domain::name::ParticipantId;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

use crate::Result;

/// A send to remember.
pub struct Remembered<'a> {
    pub sender: &'a ParticipantId,
    pub key: &'a str,
    pub digest: [u8; 32],
    /// The receipt as JSON; none for a refusal that was paid for [T1].
    pub receipt: Option<&'a str>,
    pub at: Timestamp,
}

pub trait Sends {
    /// The send under this key, if it happened after `since`.
    fn prior_send(
        &self,
        workspace: WorkspaceKey,
        sender: &ParticipantId,
        key: &str,
        since: Timestamp,
    ) -> Result<Option<Prior>>;
}
