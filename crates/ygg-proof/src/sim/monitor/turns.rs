//! Turns: one at a time for each agent, begun for something, ended once with all that they took [U1, K5b, K6].

use serde_json::Value;

use super::book::{Reached, Turn};
use super::{Checked, Monitor, owned, text, wrong};

impl Monitor {
    pub(super) fn turn_started(&mut self, data: &Value) -> Checked {
        let (id, agent) = (text(data, "id"), text(data, "agent"));
        if let Some(other) = self.book.running.get(agent) {
            return wrong("U1", format!("{id} of {agent} begins beside {other}"));
        }
        if self.book.turns.contains_key(id) {
            return wrong("K6", format!("{id} begins a second time"));
        }
        if self.book.all_paused
            || self.book.agents.get(agent).is_none_or(|agent| agent.paused || agent.removed)
        {
            return wrong("K5c", format!("{agent} is stopped, and {id} begins"));
        }
        let turn = Turn {
            agent: agent.to_owned(),
            supervised: text(data, "taker") != "live",
            topic: owned(data, "topic_id"),
            status: "running".to_owned(),
            took: Vec::new(),
            ready: false,
            handed: Vec::new(),
            notices: 0,
        };
        self.book.running.insert(agent.to_owned(), id.to_owned());
        self.book.turns.insert(id.to_owned(), turn);
        self.now.began.push(id.to_owned());
        Ok(())
    }

    pub(super) fn turn_ended(&mut self, data: &Value) -> Checked {
        let (id, status, silent) = (text(data, "id"), text(data, "status"), data["silent"] == true);
        let Some(turn) = self.book.turns.get_mut(id).filter(|turn| turn.status == "running") else {
            return wrong("K6", format!("{id} ends and does not run"));
        };
        let fits = match turn.supervised {
            true => matches!(status, "ended" | "failed" | "stopped" | "gone"),
            false => matches!(status, "ended" | "lapsed" | "gone"),
        };
        if !fits {
            return wrong("K6", format!("{id} is {status}"));
        }
        turn.status = status.to_owned();
        let spent = turn.took.iter().any(|wake| {
            self.now.ended.contains(wake)
                && self
                    .book
                    .wakes
                    .get(wake)
                    .is_some_and(|wake| wake.status == "spent" && wake.topic.is_some())
        });
        if silent != spent {
            return wrong("K5b", format!("{id} ends in silence: {silent}; it spent what it took: {spent}"));
        }
        let (agent, handed) = (turn.agent.clone(), std::mem::take(&mut turn.handed));
        self.book.running.remove(&agent);
        // What it was handed was shown or waits again, unless nobody is there any more to be shown anything [K5a].
        for key in handed {
            let theirs = self.book.deliveries.get(&key).filter(|one| one.turn.as_deref() == Some(id));
            if theirs.is_none_or(|one| one.reached != Reached::Handed) {
                continue;
            }
            if status != "gone" {
                return wrong("K5a", format!("{id} is {status}, and nobody says what became of {}", key.0));
            }
            self.book.reach(&key, Reached::Gone);
        }
        self.now.over.push(id.to_owned());
        Ok(())
    }

    pub(super) fn settle_turns(&mut self) -> Checked {
        for id in &self.now.began {
            let Some(turn) = self.book.turns.get(id) else { continue };
            let something = !turn.took.is_empty() || !turn.handed.is_empty() || turn.notices > 0;
            let runs = turn.status == "running";
            if runs && (!something || turn.supervised && turn.took.is_empty()) {
                return wrong("U1", format!("{id} of {} begins for nothing", turn.agent));
            }
            let parts = |wake: &String| self.book.wakes.get(wake).is_some_and(|wake| wake.part);
            if turn.supervised && !turn.ready && !turn.took.iter().any(parts) {
                return wrong("K6", format!("{id} tries again what failed too often"));
            }
            self.book.sums.turns += i64::from(!turn.took.is_empty());
        }
        for id in &self.now.over {
            let Some(turn) = self.book.turns.get(id) else { continue };
            let held = |wake: &&String| {
                let wake = self.book.wakes.get(*wake);
                wake.is_some_and(|wake| wake.status == "taken" && wake.turn.as_ref() == Some(id))
            };
            if let Some(wake) = turn.took.iter().find(held) {
                return wrong("K6", format!("{id} is {}, and still has {wake}", turn.status));
            }
        }
        Ok(())
    }
}
