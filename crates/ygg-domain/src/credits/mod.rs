//! Credits: pots, prices and the ledger that every movement is an entry of [C1-C5].

pub mod fund;
pub mod shortfall;

use std::fmt;
use std::str::FromStr;

use crate::fault::{Fault, planted};
use crate::id::{MessageId, TopicId};
use crate::limits;
use crate::name::ParticipantId;

/// Where credits lie.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pot {
    /// The workspace's, for agents without a wallet.
    Pool,
    Wallet(ParticipantId),
    /// What agents may still spend in one topic, on top of paying.
    Budget(TopicId),
}

impl fmt::Display for Pot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pool => f.write_str("pool"),
            Self::Wallet(agent) => write!(f, "wallet:{agent}"),
            Self::Budget(topic) => write!(f, "budget:{topic}"),
        }
    }
}

/// A stored pot name that reads as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadPot;

impl fmt::Display for BadPot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a pot: pool, wallet:<agent> or budget:<topic>")
    }
}

impl std::error::Error for BadPot {}

impl FromStr for Pot {
    type Err = BadPot;

    fn from_str(text: &str) -> Result<Self, BadPot> {
        if text == "pool" {
            return Ok(Self::Pool);
        }
        if let Some(agent) = text.strip_prefix("wallet:") {
            return agent.parse().map(Self::Wallet).map_err(|_| BadPot);
        }
        let topic = text.strip_prefix("budget:").ok_or(BadPot)?;
        topic.parse().map(Self::Budget).map_err(|_| BadPot)
    }
}

/// Why credits moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A new workspace's pool.
    Opening,
    Grant,
    Message,
    /// The credit that a message without a topic costs [T1].
    NoTopic,
    /// A removed agent's wallet goes back to the pool [W7].
    Returned,
}

impl Reason {
    pub const ALL: [Self; 5] = [Self::Opening, Self::Grant, Self::Message, Self::NoTopic, Self::Returned];

    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Grant => "grant",
            Self::Message => "message",
            Self::NoTopic => "no_topic",
            Self::Returned => "returned",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// One line of the ledger [C5].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub pot: Pot,
    pub amount: i64,
    /// What the pot holds after it.
    pub balance: i64,
    pub reason: Reason,
    pub by: ParticipantId,
    pub message: Option<MessageId>,
}

/// What a send is paid from [C2].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funds {
    pub pot: Pot,
    pub balance: i64,
    /// Left of the topic's budget, where one is set.
    pub budget: Option<(TopicId, i64)>,
}

impl Funds {
    /// The pot that cannot bear `price`, if one cannot.
    pub fn shortfall(&self, price: i64) -> Option<(Pot, i64)> {
        let bears = |left: i64| left + i64::from(planted(Fault::BelowZero)) >= price;
        if !bears(self.balance) {
            return Some((self.pot.clone(), self.balance));
        }
        let (topic, left) = self.budget?;
        (!bears(left)).then_some((Pot::Budget(topic), left))
    }

    /// The entries that pay `price`, message or none.
    pub fn pay(
        &self,
        price: i64,
        reason: Reason,
        by: &ParticipantId,
        message: Option<MessageId>,
    ) -> Vec<Entry> {
        if price == 0 {
            return Vec::new();
        }
        let entry = |pot: Pot, balance: i64| Entry {
            pot,
            amount: -price,
            balance: balance - price,
            reason,
            by: by.clone(),
            message,
        };
        let mut entries = vec![entry(self.pot.clone(), self.balance)];
        if let Some((topic, left)) = self.budget.filter(|_| !planted(Fault::BudgetUncounted)) {
            entries.push(entry(Pot::Budget(topic), left));
        }
        entries
    }
}

/// Price of a send [C1]: `chars` are Unicode scalar values of the text, `attached` bytes of files.
pub fn price(recipients: usize, chars: usize, attached: u64, attachment_unit_bytes: u64) -> i64 {
    let thousands = if planted(Fault::PriceRoundedDown) { chars / 1000 } else { chars.div_ceil(1000) };
    let each = thousands.max(1);
    let recipients = if planted(Fault::PriceForOne) { recipients.min(1) } else { recipients };
    let files = attached.div_ceil(attachment_unit_bytes.max(1));
    let whole = u64::try_from(recipients.saturating_mul(each)).unwrap_or(u64::MAX).saturating_add(files);
    i64::try_from(whole).unwrap_or(limits::CREDITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_is_per_started_thousand_and_recipient() {
        for (recipients, chars, attached, expected) in [
            (1, 0, 0, 1),
            (1, 1, 0, 1),
            (1, 1000, 0, 1),
            (1, 1001, 0, 2),
            (2, 2001, 0, 6),
            (1, 11, 65_536, 2),
            (1, 11, 65_537, 3),
            (3, 11, 1, 4),
        ] {
            assert_eq!(
                price(recipients, chars, attached, 65_536),
                expected,
                "{recipients} × {chars} + {attached}"
            );
        }
    }

    #[test]
    fn a_pot_reads_back() {
        for name in ["pool", "wallet:codex"] {
            assert_eq!(name.parse::<Pot>().map(|pot| pot.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("funds".parse::<Pot>(), Err(BadPot));
    }
}
