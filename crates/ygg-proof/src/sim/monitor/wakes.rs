//! Wakes: made once, for something new; taken by one turn at a time; ended once [K1-K3, K6, L4].

use serde_json::Value;
use ygg_domain::turn::retry::ATTEMPTS;

use super::book::Wake;
use super::{Checked, Doer, Monitor, owned, text, wrong};

impl Monitor {
    pub(super) fn wake_created(&mut self, data: &Value) -> Checked {
        let (id, agent, topic) = (text(data, "id"), text(data, "agent"), owned(data, "topic_id"));
        let (status, turn) = (text(data, "status"), owned(data, "turn_id"));
        if self.book.wakes.contains_key(id) {
            return wrong("K6", format!("{id} is made a second time"));
        }
        if let Some(topic) = &topic {
            self.topic_is_open(topic)?;
            self.now.touched.insert((agent.to_owned(), topic.clone()));
        }
        if self.book.agents.get(agent).is_none_or(|agent| agent.removed) {
            return wrong("W7", format!("{agent} is woken and is not there"));
        }
        // What is left is told when a topic closes, and not to whoever closed it, nor to one who will look anyway [K4].
        let others = self.book.unanswered.get(agent).map_or(0, |wakes| wakes.len());
        let reminds = text(data, "kind") == "resume" && status == "pending";
        if reminds && (others > 0 || self.now.closed.is_empty() || self.now.doer.is(agent)) {
            return wrong("K4", format!("{id} reminds {agent}, which has {others} wakes"));
        }
        let part = status == "taken";
        match (status, &turn) {
            ("pending", None) => {
                if let Some(other) = self.book.pending_in(agent, topic.as_deref()) {
                    return wrong("K3", format!("{id} waits beside {other} for {agent}"));
                }
            }
            ("taken", Some(turn)) => {
                let Some(turn) = self.book.turns.get_mut(turn).filter(|turn| turn.status == "running") else {
                    return wrong("K6", format!("{id} is taken by no turn that runs"));
                };
                turn.took.push(id.to_owned());
            }
            _ => return wrong("K2", format!("{id} is made {status}")),
        }
        let mut wake = Wake {
            agent: agent.to_owned(),
            topic: topic.clone(),
            kind: text(data, "kind").to_owned(),
            status: status.to_owned(),
            turn,
            failed: data["failed"].as_i64().unwrap_or(0),
            fresh: false,
            handed_on: false,
            noticed: false,
            part,
            made_at: self.clock,
            handed: part,
        };
        // What was said in this step and wakes this agent is carried by it.
        if let Some(topic) = topic.filter(|_| !part) {
            let unread = self.book.unread.get(&(agent.to_owned(), topic)).into_iter().flatten();
            for (_, message) in unread.filter(|(_, message)| self.now.posted.contains(message)) {
                let key = (message.clone(), agent.to_owned());
                let delivery = self.book.deliveries.get_mut(&key);
                let Some(delivery) = delivery.filter(|one| one.effect == "wake" && !one.carried) else {
                    continue;
                };
                (delivery.wake, delivery.carried) = (Some(id.to_owned()), true);
                wake.fresh = true;
            }
        }
        self.book.unanswered.entry(agent.to_owned()).or_default().insert(id.to_owned());
        self.book.wakes.insert(id.to_owned(), wake);
        self.now.created.push(id.to_owned());
        Ok(())
    }

    pub(super) fn wake_merged(&mut self, data: &Value) -> Checked {
        let (id, failed) = (text(data, "id"), data["failed"].as_i64().unwrap_or(0));
        let Some(wake) = self.book.wakes.get_mut(id).filter(|wake| wake.status == "pending") else {
            return wrong("K3", format!("{id} is not pending, and something merges into it"));
        };
        if failed != wake.failed {
            if failed != 0 || self.now.doer != Doer::Person {
                return wrong("K6", format!("{id} failed {} times, then {failed}", wake.failed));
            }
            self.book.sums.forgiven += 1;
        }
        wake.failed = failed;
        Ok(())
    }

    pub(super) fn wake_taken(&mut self, data: &Value) -> Checked {
        let (id, agent, turn) = (text(data, "id"), text(data, "agent"), text(data, "turn_id"));
        let stopped = self.book.all_paused || self.book.agents.get(agent).is_none_or(|agent| agent.paused);
        if stopped {
            return wrong("K5c", format!("{agent} is stopped and takes {id}"));
        }
        let Some(wake) = self.book.wakes.get_mut(id) else {
            return wrong("K6", format!("{id} is not there"));
        };
        if wake.status != "pending" || wake.agent != agent {
            return wrong("K6", format!("{id} is {} and is taken by {turn}", wake.status));
        }
        let Some(running) = self.book.turns.get_mut(turn).filter(|running| running.status == "running")
        else {
            return wrong("K6", format!("{id} is taken by {turn}, which does not run"));
        };
        if running.agent != agent || running.topic != wake.topic {
            return wrong("U1", format!("{id} is taken by {turn}, which serves something else"));
        }
        running.ready |= !running.supervised || wake.failed < i64::from(ATTEMPTS);
        running.took.push(id.to_owned());
        (wake.status, wake.turn, wake.handed) = ("taken".to_owned(), Some(turn.to_owned()), true);
        if let Some(topic) = &wake.topic {
            self.now.touched.insert((agent.to_owned(), topic.clone()));
        }
        Ok(())
    }

    pub(super) fn wake_returned(&mut self, data: &Value) -> Checked {
        let id = text(data, "id");
        let failed = data["failed"].as_i64().unwrap_or(0);
        let Some(wake) = self.book.wakes.get_mut(id).filter(|wake| wake.status == "taken") else {
            return wrong("K6", format!("{id} comes back and was not taken"));
        };
        if failed != wake.failed + 1 || text(data, "status") != "pending" || !data["turn_id"].is_null() {
            return wrong("K6", format!("{id} failed {} times and comes back", wake.failed));
        }
        (wake.status, wake.turn, wake.failed) = ("pending".to_owned(), None, failed);
        let (agent, topic) = (wake.agent.clone(), wake.topic.clone());
        if let Some(topic) = topic {
            self.now.touched.insert((agent, topic));
        }
        Ok(())
    }

    pub(super) fn wake_ended(&mut self, data: &Value) -> Checked {
        let (id, how) = (text(data, "id"), text(data, "how"));
        let Some(wake) = self.book.wakes.get_mut(id).filter(|wake| wake.is_unanswered()) else {
            return wrong("K6", format!("{id} ends and was over before"));
        };
        let taken = wake.status == "taken";
        let fits = match how {
            "answered" => true,
            "spent" | "lapsed" => taken,
            "cancelled" => true,
            _ => false,
        };
        if !fits {
            return wrong("K2", format!("{id} was {} and is {how}", wake.status));
        }
        wake.status = how.to_owned();
        let (agent, topic) = (wake.agent.clone(), wake.topic.clone());
        if let Some(theirs) = self.book.unanswered.get_mut(&agent) {
            theirs.remove(id);
        }
        if let Some(topic) = topic {
            self.now.touched.insert((agent, topic));
        }
        self.now.ended.push(id.to_owned());
        Ok(())
    }

    pub(super) fn settle_wakes(&mut self) -> Checked {
        for id in &self.now.ended {
            let Some(wake) = self.book.wakes.get(id).filter(|wake| wake.status == "cancelled") else {
                continue;
            };
            let open = wake.topic.as_ref().and_then(|topic| self.book.topics.get(topic));
            let open = open.is_some_and(|topic| topic.status != "closed");
            let told = |notice: &&super::book::Notice| {
                notice.wake.as_ref() == Some(id)
                    && notice.status == "given"
                    && !matches!(notice.kind.as_str(), "nudge" | "tried_before" | "already_sent")
            };
            if !open || self.now.removed.contains(&wake.agent) {
                continue;
            }
            let lost = self.book.notices.values().find(told);
            if let Some(lost) = lost {
                return wrong(
                    "K6",
                    format!("{id} is cancelled, and with it a {} to {}", lost.kind, lost.recipient),
                );
            }
        }
        for id in &self.now.created {
            let Some(wake) = self.book.wakes.get(id).filter(|wake| !wake.part) else { continue };
            let reason = wake.fresh || wake.noticed || wake.handed_on;
            if !reason || wake.is_of_notice() && !wake.noticed {
                return wrong("L4", format!("{id} of {}, a {}, carries nothing new", wake.agent, wake.kind));
            }
            if wake.handed_on && !wake.fresh && !self.ends_a_turn(&wake.agent) {
                return wrong("K6", format!("{id} hands on what {} still has", wake.agent));
            }
            self.shielded(id, wake)?;
            let sums = &mut self.book.sums;
            match wake.kind.as_str() {
                "request" | "response" if wake.fresh => sums.agent_wakes += 1,
                "request" | "response" => sums.handed_on += 1,
                "closure_poll" => sums.polls += 1,
                "nudge" => sums.reminders += 1,
                "resume" => sums.resumes += 1,
                _ => sums.person_wakes += 1,
            }
        }
        Ok(())
    }

    fn ends_a_turn(&self, agent: &str) -> bool {
        let mut over = self.now.over.iter().filter_map(|turn| self.book.turns.get(turn));
        over.any(|turn| turn.agent == agent)
    }

    /// A party that is done is woken by people alone; a topic that stands still makes no notices [S4, S3].
    fn shielded(&self, id: &str, wake: &Wake) -> Checked {
        let Some(topic) = wake.topic.as_ref().filter(|_| self.now.doer != Doer::Person) else {
            return Ok(());
        };
        let before = match self.now.states.get(&(topic.clone(), wake.agent.clone())) {
            Some(before) => before.as_deref(),
            None => self.book.state(topic, &wake.agent),
        };
        if before == Some("done") && self.book.is_done(topic, &wake.agent) {
            return wrong("S4", format!("{id} wakes {}, who is done in {topic}", wake.agent));
        }
        let stands = self.book.topics.get(topic).is_some_and(|topic| topic.status == "paused");
        if stands && !self.now.statuses.contains_key(topic) && wake.is_of_notice() {
            return wrong("S3", format!("{id} is a notice in {topic}, which stands still"));
        }
        Ok(())
    }
}
