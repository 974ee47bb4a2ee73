//! Why a message was decided as it was: rule by rule, and what came of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::message::Fired;
use ygg_domain::message::fired::Called;
use ygg_domain::rule::Rule;
use ygg_domain::wake::Wake;

use crate::message::DeliveryView;
use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WhyView {
    pub message_id: String,
    /// In the order in which they were looked at. What is somebody's own, such as credits, is left out for who may not
    /// see it.
    pub rules: Vec<FiredView>,
    pub recipients: Vec<CameOfIt>,
}

/// A rule that fired when the message was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FiredView {
    /// Its id, such as `K3`.
    pub rule: String,
    /// What the rule is called; absent for one that this version does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it did here, and the facts that decided it.
    pub says: String,
    /// The page that explains the rule, on this server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// What came of the message at one recipient, as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CameOfIt {
    #[serde(flatten)]
    pub delivery: DeliveryView,
    /// The wake that carries the message or that it was folded into; absent where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake: Option<CarrierView>,
}

/// A wake that carries a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CarrierView {
    pub id: String,
    /// What made it, such as `request`.
    pub kind: String,
    /// `pending`, `taken`, `answered`, `spent`, `lapsed` or `cancelled`.
    pub status: String,
    pub made_at: String,
}

impl FiredView {
    pub fn new(fired: &Fired, called: &Called<'_>) -> Self {
        let rule = Rule::find(fired.rule());
        Self {
            rule: fired.rule().to_owned(),
            title: rule.map(|rule| rule.name.to_owned()),
            says: fired.says(called),
            link: rule.map(|rule| format!("/rules/{}.md#{}", rule.page, rule.id)),
        }
    }
}

impl From<&Wake> for CarrierView {
    fn from(wake: &Wake) -> Self {
        Self {
            id: wake.id.to_string(),
            kind: wake.kind.name().to_owned(),
            status: wake.status.name().to_owned(),
            made_at: time::text(wake.made_at),
        }
    }
}
