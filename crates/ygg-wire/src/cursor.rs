//! How far a person has read in a topic.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::cursor::Reading;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CursorView {
    pub topic_id: String,
    /// The place in the event log up to which you have read.
    pub read_seq: i64,
    /// Messages of others after it, counted up to 10000.
    pub unread: usize,
    /// You take part, or something addressed to you is unread there.
    pub concerns_you: bool,
}

impl From<&Reading> for CursorView {
    fn from(reading: &Reading) -> Self {
        Self {
            topic_id: reading.topic.to_string(),
            read_seq: reading.seq,
            unread: reading.unread,
            concerns_you: reading.concerns_reader,
        }
    }
}

/// How far you have read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadTo {
    /// The `seq` of the last message that you have read; one beyond the newest counts as the newest.
    pub seq: i64,
}
