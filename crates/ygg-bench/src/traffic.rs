//! What is sent: pairs of agents that ask and answer under the law, topic after topic, so that wakes are made and
//! answered, debts stand and are settled, and topics close. Or everybody to one inbox.

use anyhow::{Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes of every text.
pub const TEXT_BYTES: usize = 1000;
/// Requests and responses of one topic, before its last line.
const ROUNDS: usize = 4;
/// The agent that everybody writes to when all write to one.
pub const HUB: &str = "hub";

/// Whose message it is: the one that asks or the one that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Asker,
    Answerer,
}

/// What a receipt tells that the next message needs.
#[derive(Deserialize)]
pub struct Told {
    pub outcome: String,
    #[serde(default)]
    pub message_id: Option<String>,
    #[serde(default)]
    pub topic_id: Option<String>,
    #[serde(default)]
    pub reason: Option<String>,
    pub recipients: Vec<Met>,
}

#[derive(Deserialize)]
pub struct Met {
    pub effect: String,
}

/// One lane of traffic: an endless run of messages, each following from the receipts of those before.
pub struct Script {
    pub asker: String,
    pub answerer: String,
    to_one_inbox: bool,
    texts: Texts,
    /// Messages of this topic so far.
    line: usize,
    topic: Option<String>,
    request: Option<String>,
}

/// The names of a lane's two agents.
pub fn names(lane: usize) -> (String, String) {
    (format!("asks-{lane}"), format!("answers-{lane}"))
}

impl Script {
    /// Two agents that talk with each other alone.
    pub fn pair(lane: usize) -> Self {
        let (asker, answerer) = names(lane);
        Self {
            asker,
            answerer,
            to_one_inbox: false,
            texts: Texts::new(lane),
            line: 0,
            topic: None,
            request: None,
        }
    }

    /// One agent that asks, and asks, and shares its recipient with all others.
    pub fn to_one_inbox(lane: usize) -> Self {
        Self { answerer: HUB.to_owned(), to_one_inbox: true, ..Self::pair(lane) }
    }

    /// Whether the one who is asked ever writes.
    pub fn is_answered(&self) -> bool {
        !self.to_one_inbox
    }

    pub fn topic(&self) -> Option<&str> {
        self.topic.as_deref()
    }

    fn is_last(&self) -> bool {
        !self.to_one_inbox && self.line == 2 * ROUNDS
    }

    pub fn next(&mut self) -> (Side, Value) {
        let text = self.texts.next();
        let topic = self.topic.as_deref().unwrap_or("new");
        if self.is_last() {
            let draft = json!({"to": [self.answerer], "type": "inform", "topic_id": topic, "text": text, "state": "done"});
            return (Side::Asker, draft);
        }
        if self.to_one_inbox || self.line.is_multiple_of(2) {
            let mut draft =
                json!({"to": [self.answerer], "type": "request", "topic_id": topic, "text": text});
            if self.topic.is_none() {
                draft["title"] = json!("A piece of work to be measured");
            }
            return (Side::Asker, draft);
        }
        let mut draft = json!({
            "to": [self.asker], "type": "response", "topic_id": topic, "text": text, "in_reply_to": self.request,
        });
        if self.line + 1 == 2 * ROUNDS {
            draft["state"] = json!("done");
        }
        (Side::Answerer, draft)
    }

    /// Goes on from a receipt. Anything but what the law says of such a message is an error: no figure is of worth
    /// for traffic that was refused or woke nobody.
    pub fn told(&mut self, told: Told) -> Result<()> {
        let effect = told.recipients.first().map(|met| met.effect.as_str());
        let expected = if self.is_last() || self.to_one_inbox && self.line > 0 { "context" } else { "wake" };
        if told.outcome != "delivered" || effect != Some(expected) {
            let (line, outcome, reason) = (self.line, told.outcome, told.reason.unwrap_or_default());
            bail!("message {line} of a topic should be {expected} and was {outcome} {reason} {effect:?}");
        }
        if self.is_last() {
            (self.line, self.topic, self.request) = (0, None, None);
            return Ok(());
        }
        self.topic = told.topic_id;
        self.request = told.message_id;
        self.line += 1;
        Ok(())
    }
}

/// Texts that all differ, as what agents write does.
pub struct Texts {
    state: u64,
}

const WORDS: [&str; 16] = [
    "the", "parser", "fails", "on", "empty", "input", "because", "nobody", "checked", "its", "length", "see",
    "line", "forty", "of", "lexer.rs",
];

impl Texts {
    pub fn new(lane: usize) -> Self {
        Self { state: (lane as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    pub fn next(&mut self) -> String {
        let mut text = String::with_capacity(TEXT_BYTES + 16);
        while text.len() < TEXT_BYTES {
            // xorshift: the same texts in every run.
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            for shift in (0..64).step_by(4) {
                text.push_str(WORDS[(self.state >> shift) as usize & 15]);
                text.push(' ');
            }
        }
        text.truncate(TEXT_BYTES);
        text
    }
}
