//! Topics as they are shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::cursor::Reading;
use ygg_domain::topic::{Party, Paused, State, Status, Topic};

use crate::receipt::status_name;
use crate::time;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TopicView {
    pub id: String,
    pub conversation_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub opener: String,
    /// `open`, `paused` or `closed`.
    pub status: String,
    /// `needs_human` or `credits`; `needs_human` when both hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_for: Option<String>,
    /// Participant id to state.
    pub states: BTreeMap<String, String>,
    /// Participant id to those it waits for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub waiting_for: BTreeMap<String, Vec<String>>,
    /// Somebody waits there on one whom the last reminder did not move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
    /// A loop was suspected there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub looped: bool,
    /// Credits left of the topic's budget, where one is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    pub opened_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<String>,
    /// To people: messages of others that you have not read, counted up to 10000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<usize>,
    /// To people: the place in the event log up to which you have read, 0 before the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_seq: Option<i64>,
    /// To people: you take part, or something addressed to you is unread here, so it counts in what you have unread in
    /// all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concerns_you: Option<bool>,
}

impl TopicView {
    pub fn new(topic: &Topic, parties: &[Party], budget: Option<i64>) -> Self {
        let waiting = parties.iter().filter_map(|party| match &party.state {
            State::Waiting(for_whom) => {
                Some((party.participant.to_string(), for_whom.iter().map(ToString::to_string).collect()))
            }
            State::Informed | State::Working | State::NeedsHuman | State::Done => None,
        });
        Self {
            id: topic.id.to_string(),
            conversation_id: topic.conversation.to_string(),
            title: topic.title.clone(),
            opener: topic.opener.to_string(),
            status: status_name(topic.status).to_owned(),
            paused_for: paused_for(topic.status).map(str::to_owned),
            states: parties
                .iter()
                .map(|party| (party.participant.to_string(), party.state.name().to_owned()))
                .collect(),
            waiting_for: waiting.collect(),
            stalled: topic.stalled,
            looped: topic.looped,
            budget,
            opened_at: time::text(topic.opened_at),
            closed_at: topic.closed_at.map(time::text),
            unread: None,
            read_seq: None,
            concerns_you: None,
        }
    }

    /// The same, to a person who has read so far.
    #[must_use]
    pub fn read_by(self, reading: &Reading) -> Self {
        Self {
            unread: Some(reading.unread),
            read_seq: Some(reading.seq),
            concerns_you: Some(reading.concerns_reader),
            ..self
        }
    }
}

fn paused_for(status: Status) -> Option<&'static str> {
    match status {
        Status::Open | Status::Closed => None,
        Status::Paused(Paused::Credits) => Some("credits"),
        Status::Paused(Paused::NeedsHuman | Paused::Both) => Some("needs_human"),
    }
}

/// A new title.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Retitle {
    /// 1 to 120 characters on one line.
    pub title: String,
}
