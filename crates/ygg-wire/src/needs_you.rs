//! What waits for a person.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::credits::shortfall::Shortfall;
use ygg_domain::name::ParticipantId;
use ygg_domain::topic::Topic;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NeedsYou {
    /// `needs_human`, `credits`, `closing`, `stalled` or `failing`.
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The agent that lacks credits, or whose runs fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The pot that it pays from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pot: Option<String>,
    /// Credits that its send costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<i64>,
}

impl NeedsYou {
    pub fn of_topic(kind: &str, topic: &Topic) -> Self {
        Self {
            kind: kind.to_owned(),
            topic_id: Some(topic.id.to_string()),
            title: topic.title.clone(),
            agent: None,
            pot: None,
            needed: None,
        }
    }

    /// Its runs failed so often that what waits for it is tried no more until a person has looked.
    pub fn failing(agent: &ParticipantId) -> Self {
        let (kind, agent) = ("failing".to_owned(), Some(agent.to_string()));
        Self { kind, topic_id: None, title: None, agent, pot: None, needed: None }
    }

    pub fn credits(short: &Shortfall) -> Self {
        Self {
            kind: "credits".to_owned(),
            topic_id: short.topic.map(|topic| topic.to_string()),
            title: None,
            agent: Some(short.agent.to_string()),
            pot: Some(short.pot.to_string()),
            needed: Some(short.needed),
        }
    }
}
