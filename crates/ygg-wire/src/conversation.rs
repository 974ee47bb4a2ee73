//! Conversations as they are shown.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::conversation::{Conversation, Kind};
use ygg_domain::name::ParticipantId;

use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConversationView {
    pub id: String,
    /// `general`, `group`, `direct` or `room`.
    pub kind: String,
    /// The group of a group's conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    pub private: bool,
    /// Current participants.
    pub participants: Vec<String>,
    pub made_at: String,
}

/// A room that is to be.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRoom {
    /// Agents and people, by id or handle. You are in it yourself.
    pub members: Vec<String>,
    /// Whether only its members, those who operate an agent in it, and admins read it.
    #[serde(default)]
    pub private: bool,
}

impl ConversationView {
    pub fn new(conversation: &Conversation, participants: &[ParticipantId]) -> Self {
        let (group, private) = match &conversation.kind {
            Kind::General | Kind::Direct(..) => (None, false),
            Kind::Group(name) => (Some(name.to_string()), false),
            Kind::Room { private, .. } | Kind::OwnRoom { private, .. } => (None, *private),
        };
        Self {
            id: conversation.id.to_string(),
            kind: conversation.kind.name().to_owned(),
            group,
            private,
            participants: participants.iter().map(ToString::to_string).collect(),
            made_at: time::text(conversation.made_at),
        }
    }
}
