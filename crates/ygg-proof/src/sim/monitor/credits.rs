//! Credits: every pot is the sum of its entries and never below nothing; only people put any in [C1, C3, C5].

use serde_json::Value;

use super::{Checked, Doer, Monitor, is_agent, is_person, owned, text, wrong};

impl Monitor {
    pub(super) fn credits_moved(&mut self, data: &Value) -> Checked {
        let (pot, reason, by) = (text(data, "pot"), text(data, "reason"), text(data, "by"));
        let (amount, balance) =
            (data["amount"].as_i64().unwrap_or(0), data["balance"].as_i64().unwrap_or(-1));
        let before = self.book.pots.get(pot).copied().unwrap_or(0);
        if balance != before + amount || balance < 0 {
            return wrong("C5", format!("{pot} held {before}, moves by {amount} and holds {balance}"));
        }
        self.book.pots.insert(pot.to_owned(), balance);
        let is_money = !pot.starts_with("budget:");
        if amount > 0 && !matches!(reason, "opening" | "grant" | "returned")
            || amount < 0 && matches!(reason, "opening" | "grant")
        {
            return wrong("C3", format!("{pot} moves by {amount} for {reason}"));
        }
        match reason {
            "grant" | "opening" if is_money => {
                let funds = self.book.roles.get(by).is_some_and(|role| role == "admin" || role == "owner");
                if reason == "grant" && (!funds || !is_person(by) || self.now.doer != Doer::Person) {
                    return wrong("C3", format!("{by} hands out credits"));
                }
                self.book.sums.handed_out += amount;
            }
            "message" if is_money => {
                self.book.sums.paid -= amount;
                let message = owned(data, "message_id").unwrap_or_default();
                let Some(message) = self.book.messages.get_mut(&message) else {
                    return wrong("C5", format!("{message} is paid for and was never posted"));
                };
                message.paid -= amount;
                if message.sender != by || !is_agent(by) {
                    return wrong("C1", format!("{by} pays for what {} said", message.sender));
                }
            }
            "message" => {
                let message = owned(data, "message_id").unwrap_or_default();
                if let Some(counted) =
                    self.book.messages.get_mut(&message).and_then(|one| one.budgeted.as_mut())
                {
                    *counted -= amount;
                }
            }
            "no_topic" => {
                if amount != -1 || !is_money {
                    return wrong("T1", format!("no topic costs {amount}"));
                }
                self.book.sums.paid += 1;
            }
            "returned" => self.now.returned += amount,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn settle_credits(&mut self) -> Checked {
        if self.now.returned != 0 {
            return wrong("W7", format!("a wallet that goes back makes {} credits", self.now.returned));
        }
        for id in &self.now.posted {
            let Some(message) = self.book.messages.get(id) else { continue };
            if message.paid != message.charged {
                return wrong("C5", format!("{id} cost {}, and {} was taken", message.charged, message.paid));
            }
            if message.budgeted.is_some_and(|counted| counted != message.charged) {
                return wrong(
                    "C2",
                    format!("{id} cost {}, and its topic's budget does not say so", message.charged),
                );
            }
        }
        Ok(())
    }

    /// The first two parts of the theorem [L4].
    pub(super) fn settle_sums(&mut self) -> Checked {
        self.book.sums.events = self.seq;
        let sums = &self.book.sums;
        let chain = [sums.agent_deliveries, sums.paid, sums.handed_out];
        if !chain.is_sorted() || sums.agent_messages > sums.agent_deliveries {
            return wrong("L4", format!("{} messages, then {chain:?}", sums.agent_messages));
        }
        if sums.agent_wakes > sums.agent_deliveries || sums.handed_on > sums.agent_deliveries {
            return wrong("L4", format!("{} wakes for {} paid", sums.agent_wakes, sums.agent_deliveries));
        }
        let most = sums.paid + sums.person_deliveries + sums.person_wakes + sums.forgiven;
        if sums.turns > TURNS_OF_ONE * most {
            return wrong("L4", format!("{} turns of {most} given", sums.turns));
        }
        Ok(())
    }
}

/// Turns that one credit or one word of a person can lead to at most: its wake and the same handed on, three reminders,
/// and for its sender and its recipient a poll and a reminder of what is left; each may be tried four times.
const TURNS_OF_ONE: i64 = 4 * (2 + 3 + 2 * 2);
