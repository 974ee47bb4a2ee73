//! Funding: the only way a balance grows, and people alone may do it [C3].

use crate::credits::{Entry, Pot, Reason};
use crate::limits;
use crate::participant::{Participant, Right};
use crate::refusal::Refusal;

pub struct FundFacts {
    pub by: Participant,
    pub pot: Pot,
    /// None: the pot does not exist yet; its agent or topic does.
    pub balance: Option<i64>,
    /// The agent or topic is there and can still spend.
    pub stands: bool,
}

pub fn decide(facts: FundFacts, credits: i64) -> Result<Entry, Refusal> {
    if !facts.by.may(Right::Fund) {
        return Err(Refusal::Forbidden { needs: "funding needs a person of role admin or owner" });
    }
    if !facts.stands {
        return Err(Refusal::NotFound { what: "pot to fund" });
    }
    let held = facts.balance.unwrap_or(0);
    // Nothing granted opens an agent's wallet, empty: from then on it does not draw on the pool [C2].
    let opens = matches!(facts.pot, Pot::Wallet(_)) && facts.balance.is_none();
    let least = if opens { 0 } else { 1 };
    if !(least..=limits::CREDITS).contains(&credits) || held + credits > limits::CREDITS {
        return Err(Refusal::invalid(format!(
            "Grant a whole number of credits from 1 up; no pot holds more than {}.",
            limits::CREDITS
        )));
    }
    Ok(Entry {
        pot: facts.pot,
        amount: credits,
        balance: held + credits,
        reason: Reason::Grant,
        by: facts.by.id,
        message: None,
    })
}
