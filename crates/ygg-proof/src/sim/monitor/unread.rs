//! No wake is lost: whatever wakes an agent and was not read is carried by a wake that waits, whatever folded has one to
//! come up behind, and what a pause held back wakes when it ends [K3, K6, S3].

use super::book::Reached;
use super::{Checked, Monitor, is_agent, wrong};

impl Monitor {
    pub(super) fn settle_unread(&mut self) -> Checked {
        for (agent, topic) in &self.now.touched {
            let open = self.book.topics.get(topic).is_some_and(|topic| topic.status != "closed");
            let there = self.book.agents.get(agent).is_some_and(|agent| !agent.removed);
            if is_agent(agent) && open && there {
                self.is_carried(agent, topic)?;
            }
        }
        Ok(())
    }

    fn is_carried(&self, agent: &str, topic: &str) -> Checked {
        let unanswered = || self.book.unanswered_in(agent, Some(topic)).next().is_some();
        let unread = self.book.unread.get(&(agent.to_owned(), topic.to_owned()));
        for (_, message) in unread.into_iter().flatten() {
            let Some(delivery) = self.book.deliveries.get(&(message.clone(), agent.to_owned())) else {
                continue;
            };
            let owes = delivery.debt.is_none_or(|debt| debt == "open");
            if delivery.excused || !owes || delivery.reached != Reached::Pending {
                continue;
            }
            if delivery.carried {
                let wake = delivery.wake.as_ref().and_then(|wake| self.book.wakes.get(wake));
                if wake.is_none_or(|wake| wake.status != "pending") {
                    let status = wake.map_or("none", |wake| wake.status.as_str());
                    return wrong("K6", format!("{message} waits for {agent}, and its wake is {status}"));
                }
            } else if delivery.effect == "wake" {
                return wrong("K1", format!("{message} wakes {agent} by no wake"));
            } else if delivery.reason == Some("wake_coalesced") && !unanswered() {
                return wrong("K3", format!("{message} was folded, and {agent} has no wake any more"));
            }
        }
        Ok(())
    }

    /// A topic goes on: whom the pause held something back from is woken.
    pub(super) fn settle_held(&mut self) -> Checked {
        let resumed = |statuses: &Vec<String>| {
            statuses.first().is_some_and(|first| first == "paused")
                && statuses.iter().any(|status| status == "open")
        };
        let topics: Vec<String> = self
            .now
            .statuses
            .iter()
            .filter(|(_, statuses)| resumed(statuses))
            .map(|(topic, _)| topic.clone())
            .collect();
        for id in topics {
            let Some(topic) = self.book.topics.get_mut(&id) else { continue };
            let held = std::mem::take(&mut topic.held);
            if topic.status == "closed" {
                continue;
            }
            for key in held {
                let Some(delivery) = self.book.deliveries.get(&key) else { continue };
                let agent = &key.1;
                let owed = delivery.debt == Some("open");
                let there =
                    is_agent(agent) && self.book.state(&id, agent).is_some_and(|state| state != "done");
                let woken = delivery.carried || self.book.unanswered_in(agent, Some(&id)).next().is_some();
                // Whoever acts has looked.
                if owed && there && !woken && !self.now.doer.is(agent) {
                    return wrong("S3", format!("{} was held back, and {agent} is not woken", key.0));
                }
            }
        }
        Ok(())
    }
}
