//! Policy as it is shown, set and stored: the preset, then what differs from it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::policy::{Doors, Policy, Preset};

/// Every field may be left out; then the preset's value holds. Spans are in seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyBody {
    /// `workspace` or `plane`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// `open`, `ask` or `closed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doors: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic_limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge_every: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge_max: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_answer: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll_silence: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_after: Option<u64>,
    /// How long a wake that was never handed out keeps its agent from being counted done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unhanded: Option<u64>,
    /// 0: no cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_messages: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hops: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chain_wakes: Option<u32>,
    /// 0: no ceiling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day_turns: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_texts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_window: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_rounds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attention: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_expiry: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency: Option<u64>,
    /// Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment_unit: Option<u64>,
}

impl PolicyBody {
    /// The policy that this stands for, or the field that cannot stand.
    pub fn read(&self) -> Result<Policy, String> {
        let preset = match &self.preset {
            None => Preset::Workspace,
            Some(name) => Preset::read(name).ok_or("preset is \"workspace\" or \"plane\"")?,
        };
        let mut policy = Policy::preset(preset);
        if let Some(name) = &self.doors {
            policy.doors = Doors::read(name).ok_or("doors is \"open\", \"ask\" or \"closed\"")?;
        }
        let span = |field: &mut Duration, value: Option<u64>| {
            if let Some(seconds) = value {
                *field = Duration::from_secs(seconds);
            }
        };
        span(&mut policy.nudge_after, self.nudge_after);
        span(&mut policy.nudge_every, self.nudge_every);
        span(&mut policy.poll_after, self.poll_after);
        span(&mut policy.poll_answer, self.poll_answer);
        span(&mut policy.poll_silence, self.poll_silence);
        span(&mut policy.idle_after, self.idle_after);
        span(&mut policy.unhanded, self.unhanded);
        span(&mut policy.loop_window, self.loop_window);
        span(&mut policy.attention, self.attention);
        span(&mut policy.held_expiry, self.held_expiry);
        span(&mut policy.idempotency, self.idempotency);
        let count = |field: &mut u32, value: Option<u32>| *field = value.unwrap_or(*field);
        count(&mut policy.topic_limit, self.topic_limit);
        count(&mut policy.nudge_max, self.nudge_max);
        count(&mut policy.hops, self.hops);
        count(&mut policy.chain_wakes, self.chain_wakes);
        count(&mut policy.loop_texts, self.loop_texts);
        count(&mut policy.loop_rounds, self.loop_rounds);
        let cap = |field: &mut Option<u32>, value: Option<u32>| {
            if let Some(most) = value {
                *field = (most > 0).then_some(most);
            }
        };
        cap(&mut policy.turn_messages, self.turn_messages);
        cap(&mut policy.day_turns, self.day_turns);
        if self.attachment_unit == Some(0) {
            return Err("attachment_unit is at least 1 byte".to_owned());
        }
        policy.attachment_unit_bytes = self.attachment_unit.unwrap_or(policy.attachment_unit_bytes);
        Ok(policy)
    }
}

/// Every field written out, so that what is stored does not move when a preset does.
impl From<&Policy> for PolicyBody {
    fn from(policy: &Policy) -> Self {
        Self {
            preset: Some(policy.preset.name().to_owned()),
            doors: Some(policy.doors.name().to_owned()),
            topic_limit: Some(policy.topic_limit),
            nudge_after: Some(policy.nudge_after.as_secs()),
            nudge_every: Some(policy.nudge_every.as_secs()),
            nudge_max: Some(policy.nudge_max),
            poll_after: Some(policy.poll_after.as_secs()),
            poll_answer: Some(policy.poll_answer.as_secs()),
            poll_silence: Some(policy.poll_silence.as_secs()),
            idle_after: Some(policy.idle_after.as_secs()),
            unhanded: Some(policy.unhanded.as_secs()),
            turn_messages: Some(policy.turn_messages.unwrap_or(0)),
            hops: Some(policy.hops),
            chain_wakes: Some(policy.chain_wakes),
            day_turns: Some(policy.day_turns.unwrap_or(0)),
            loop_texts: Some(policy.loop_texts),
            loop_window: Some(policy.loop_window.as_secs()),
            loop_rounds: Some(policy.loop_rounds),
            attention: Some(policy.attention.as_secs()),
            held_expiry: Some(policy.held_expiry.as_secs()),
            idempotency: Some(policy.idempotency.as_secs()),
            attachment_unit: Some(policy.attachment_unit_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_reads_back_from_what_is_stored() {
        for preset in [Preset::Workspace, Preset::Plane] {
            let policy = Policy::preset(preset);
            assert_eq!(PolicyBody::from(&policy).read(), Ok(policy));
        }
        let odd = PolicyBody { doors: Some("ajar".into()), ..PolicyBody::default() };
        assert!(odd.read().is_err());
    }
}
