//! Supervised turns: how a taker begins one, goes on with it and ends it [U0].

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use ygg_domain::limits;
use ygg_domain::refusal::Refusal;
use ygg_domain::turn::{Batch, Report, StandsStill, Taker, Told, Turn};

use crate::inbox::InboxItem;
use crate::time;

/// Who takes a turn, and for how long at first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BeginTurn {
    /// `relay`, `builtin` or `webhook`.
    pub taker: String,
    /// Serve this topic and no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// Seconds until the turn counts as dead unless it is renewed: 30 unless said, 5 to 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_seconds: Option<u64>,
}

impl BeginTurn {
    pub fn taker(&self) -> Result<Taker, Refusal> {
        let taker = Taker::read(&self.taker).filter(|taker| taker.is_supervised());
        taker.ok_or_else(|| Refusal::invalid("taker is relay, builtin or webhook."))
    }
}

/// Seconds of a lease, within their bounds.
pub fn lease(seconds: Option<u64>) -> Result<std::time::Duration, Refusal> {
    let seconds = seconds.unwrap_or(limits::LEASE_SECONDS_DEFAULT);
    if limits::LEASE_SECONDS.contains(&seconds) {
        return Ok(std::time::Duration::from_secs(seconds));
    }
    let (least, most) = (limits::LEASE_SECONDS.start(), limits::LEASE_SECONDS.end());
    Err(Refusal::invalid(format!("lease_seconds is {least} to {most}.")))
}

/// How much longer a turn goes on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RenewTurn {
    /// Seconds from now: 30 unless said, 5 to 600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_seconds: Option<u64>,
}

/// What came of asking for a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TurnBegun {
    /// Absent when nothing is handed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnHanded>,
    /// Why nothing is: `nothing`, `agent_paused`, `workspace_paused`, `busy`, `attention`, `backoff` or `failing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<String>,
    /// When asking again may bring something, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A turn as its taker is handed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TurnHanded {
    pub id: String,
    pub agent: String,
    /// Good for this turn alone. Shown once.
    pub key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    pub began_at: String,
    /// Renew before then, or the turn counts as dead and what it took is tried again.
    pub lease_until: String,
    /// What woke the agent, operator lines first.
    pub wakes: Vec<InboxItem>,
    pub context: Vec<InboxItem>,
    /// Further topics with wakes wait for turns of their own.
    pub more_topics: usize,
    /// The whole of it as the agent reads it: operator lines as they are, everything else fenced.
    pub prompt: String,
}

/// How a turn ended.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndTurn {
    /// `ended`: what it took is dealt with. `failed`: it is tried again.
    pub outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// What it cost, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// What went wrong; its first 500 characters are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl EndTurn {
    /// Whether it failed, and what is told of it.
    pub fn read(&self) -> Result<(bool, Report), Refusal> {
        let failed = match self.outcome.as_str() {
            "ended" => false,
            "failed" => true,
            _ => return Err(Refusal::invalid("outcome is ended or failed.")),
        };
        let usd_micros = match self.usd {
            None => None,
            Some(usd) if (0.0..=limits::TURN_USD).contains(&usd) => Some((usd * 1e6).round() as i64),
            Some(_) => {
                return Err(Refusal::invalid(format!("usd is 0 to {}.", limits::TURN_USD)));
            }
        };
        let tokens = match self.tokens.map(i64::try_from) {
            None => None,
            Some(Ok(tokens)) => Some(tokens),
            Some(Err(_)) => return Err(Refusal::invalid("tokens is a count that fits 63 bits.")),
        };
        let problem = self.problem.as_deref().map(|text| {
            let first: String = text.chars().take(limits::TURN_PROBLEM_CHARS).collect();
            let first = first.replace('\0', "\u{fffd}");
            if ygg_domain::key::contains_key(text) {
                "(left out: it contained a Ygg key)".to_owned()
            } else {
                first
            }
        });
        Ok((failed, Report { exit_code: self.exit_code, usd_micros, tokens, problem }))
    }
}

/// A turn as people and programs see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TurnView {
    pub id: String,
    pub agent: String,
    /// `live`, `relay`, `builtin` or `webhook`.
    pub taker: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic_id: Option<String>,
    /// `running`, `ended`, `failed`, `lapsed` (a live session that gave no further sign), `stopped` (by a person) or
    /// `gone` (its agent was removed).
    pub status: String,
    pub began_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Until when a running supervised turn counts as alive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_until: Option<String>,
    /// It was woken in its topic and ended without a word there.
    pub silent: bool,
    /// For those who see the agent's own matters: code, cost and trouble of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl TurnView {
    /// `whole` for those who see the agent's own matters.
    pub fn new(told: &Told, whole: bool) -> Self {
        let Told { seq: _, turn, status, ended_at, silent, report } = told;
        let runs = ended_at.is_none() && turn.taker.is_supervised();
        let report = if whole { report.clone() } else { Report::default() };
        Self {
            id: turn.id.to_string(),
            agent: turn.agent.to_string(),
            taker: turn.taker.name().to_owned(),
            topic_id: turn.topic.map(|topic| topic.to_string()),
            status: status.name().to_owned(),
            began_at: time::text(turn.began_at),
            ended_at: ended_at.map(time::text),
            lease_until: runs.then(|| time::text(turn.due)),
            silent: *silent,
            exit_code: report.exit_code,
            usd: report.usd(),
            tokens: report.tokens,
            problem: report.problem,
        }
    }
}

impl TurnBegun {
    pub fn handed(turn: &Turn, key: String, batch: &Batch, prompt: String) -> Self {
        let inbox = crate::inbox::Inbox::new(batch, prompt);
        let turn = TurnHanded {
            id: turn.id.to_string(),
            agent: turn.agent.to_string(),
            key,
            topic_id: inbox.topic_id,
            began_at: time::text(turn.began_at),
            lease_until: time::text(turn.due),
            wakes: inbox.wakes,
            context: inbox.context,
            more_topics: inbox.more_topics,
            prompt: inbox.text,
        };
        Self { turn: Some(turn), idle: None, until: None, help: None }
    }

    pub fn idle(why: Option<StandsStill>, help: String) -> Self {
        let (idle, until) = match why {
            None => ("nothing", None),
            Some(StandsStill::Agent) => ("agent_paused", None),
            Some(StandsStill::Workspace) => ("workspace_paused", None),
            Some(StandsStill::Busy(_)) => ("busy", None),
            Some(StandsStill::Attended(until)) => ("attention", Some(until)),
            Some(StandsStill::Retried(until)) => ("backoff", Some(until)),
            Some(StandsStill::Failing) => ("failing", None),
        };
        Self { turn: None, idle: Some(idle.to_owned()), until: until.map(time::text), help: Some(help) }
    }
}
