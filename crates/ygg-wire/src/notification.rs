//! Where a person is told outside of Ygg what needs them, and what they are told there.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::id::{OutgoingId, TopicId};
use ygg_domain::notification::outbox::{Outgoing, Step};
use ygg_domain::notification::{Outlet, Quiet};

use crate::secret::Secret;
use crate::time;

/// Where you are told, and how that goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NotificationsView {
    /// Absent while you are told nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlet: Option<OutletView>,
    /// Whether this server can send mail.
    pub mail: bool,
    /// Messages that wait to be sent.
    pub waiting: usize,
    /// The last ones that were given up, or tried in vain so far.
    pub troubles: Vec<TroubleView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OutletView {
    /// `webhook` or `mail`.
    pub kind: String,
    /// The address; of a webhook only its host, for the rest is a secret as often as not.
    pub address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<QuietHours>,
    pub set_at: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TroubleView {
    pub id: String,
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// `waiting` or `given_up`.
    pub step: String,
    pub attempts: u32,
    pub trouble: String,
}

/// When you are not told; what comes then is told when it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// `22:00`
    pub from: String,
    /// `07:00`
    pub to: String,
    /// Your time zone, such as `Europe/Berlin`, or your offset, such as `+02:00`.
    pub zone: String,
}

/// Where you want to be told: exactly one of `webhook` and `mail`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetNotifications {
    /// An address that takes a POST, such as that of an ntfy topic or of a Slack-style webhook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
    /// A mail address, where this server can send mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<QuietHours>,
    /// Make a new secret, although the webhook stays.
    #[serde(default)]
    pub new_secret: bool,
}

/// Where you are told from now on.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NotificationsSet {
    #[serde(flatten)]
    pub about: NotificationsView,
    /// What calls are signed with, shown once: when the webhook is new, or a new secret was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub secret: Option<Secret>,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NotificationTested {
    pub delivered: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// What a webhook is sent, as JSON. `text` alone is what Slack-style receivers show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Notification {
    pub text: String,
    pub title: String,
    /// `needs_human`, `credits`, `closing`, `stalled`, the kind of a notice, or `test`.
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// To the topic, where the server knows its public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    pub workspace: String,
    /// The same each time this message is tried: a receiver drops what it had.
    pub id: String,
}

impl From<&Outlet> for OutletView {
    fn from(outlet: &Outlet) -> Self {
        Self {
            kind: outlet.way.name().to_owned(),
            address: outlet.way.shown(),
            quiet: outlet.quiet.as_ref().map(QuietHours::from),
            set_at: time::text(outlet.set_at),
        }
    }
}

impl From<&Quiet> for QuietHours {
    fn from(quiet: &Quiet) -> Self {
        let clock = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
        Self { from: clock(quiet.from_minute), to: clock(quiet.to_minute), zone: quiet.zone.clone() }
    }
}

impl TroubleView {
    /// None of what has had no trouble, or has none any more.
    pub fn new(row: &Outgoing) -> Option<Self> {
        let trouble = row.trouble.clone().filter(|_| matches!(row.step, Step::Waiting | Step::GivenUp))?;
        let (id, topic): (OutgoingId, Option<TopicId>) = (row.id, row.item.topic);
        Some(Self {
            id: id.to_string(),
            kind: row.item.subject.name().to_owned(),
            topic_id: topic.map(|topic| topic.to_string()),
            step: row.step.name().to_owned(),
            attempts: row.attempts,
            trouble,
        })
    }
}
