//! What may be left when everybody has left it alone: nothing that waits, and every topic closed, or standing still and on
//! a person's list [L4, S6].

use std::collections::BTreeSet;

use super::{Checked, Monitor, wrong};

/// Where it came to rest.
pub struct Left {
    /// Topics that a person's list names.
    pub listed: BTreeSet<String>,
    /// Agents whose runs fail, as a person's list names them.
    pub failing: BTreeSet<String>,
    /// Nobody took anything.
    pub deaf: bool,
}

impl Monitor {
    pub fn rests(&self, left: &Left) -> Checked {
        for (id, topic) in &self.book.topics {
            match topic.status.as_str() {
                "closed" => {}
                "paused" if left.listed.contains(id) => {}
                "paused" => return wrong("S3", format!("{id} stands still for good, and no person is told")),
                _ => return wrong("S6", format!("{id} stays open for good: {:?}", topic.states)),
            }
        }
        if let Some((agent, turn)) = self.book.running.iter().next() {
            return wrong("K6", format!("{turn} of {agent} runs for good"));
        }
        for (agent, wakes) in &self.book.unanswered {
            let stopped =
                self.book.all_paused || self.book.agents.get(agent).is_none_or(|agent| agent.paused);
            let excused = left.deaf || stopped || left.failing.contains(agent);
            for wake in wakes.iter().filter_map(|id| self.book.wakes.get(id)) {
                let paused = wake.topic.as_ref().and_then(|topic| self.book.topics.get(topic));
                let stands = paused.is_some_and(|topic| topic.status == "paused");
                if !excused || wake.topic.is_some() && !stands {
                    return wrong("K6", format!("{agent} is {} by {} for good", wake.status, wake.kind));
                }
            }
        }
        Ok(())
    }
}
