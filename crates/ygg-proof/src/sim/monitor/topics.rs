//! Topics and their parties: closed is final and leaves nothing open; an agent's words wake nobody who is done [W5, S7].

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::book::Topic;
use super::{Checked, Monitor, text, wrong};

impl Monitor {
    pub(super) fn topic_is_open(&self, id: &str) -> Checked {
        match self.book.topics.get(id) {
            Some(topic) if topic.status != "closed" => Ok(()),
            Some(_) => wrong("W5", format!("{id} is closed, and something happens in it")),
            None => wrong("W5", format!("{id} was never opened")),
        }
    }

    pub(super) fn topic_marked(&mut self, data: &Value, opens: bool) -> Checked {
        let (id, status) = (text(data, "id"), text(data, "status"));
        if opens {
            let topic = Topic {
                status: status.to_owned(),
                states: BTreeMap::new(),
                asked: BTreeSet::new(),
                nudges: BTreeMap::new(),
                owed: BTreeSet::new(),
                held: Vec::new(),
                volley: None,
                texts: BTreeMap::new(),
            };
            if status != "open" || self.book.topics.insert(id.to_owned(), topic).is_some() {
                return wrong("W5", format!("{id} opens and is {status}"));
            }
            return Ok(());
        }
        self.topic_is_open(id)?;
        if !matches!(status, "open" | "paused") {
            return wrong("W5", format!("{id} is marked {status}"));
        }
        self.move_topic(id, status);
        Ok(())
    }

    fn move_topic(&mut self, id: &str, status: &str) {
        let Some(topic) = self.book.topics.get_mut(id) else { return };
        let statuses = self.now.statuses.entry(id.to_owned()).or_insert_with(|| vec![topic.status.clone()]);
        statuses.push(status.to_owned());
        topic.status = status.to_owned();
    }

    pub(super) fn topic_closed(&mut self, data: &Value) -> Checked {
        let id = text(data, "topic_id");
        self.topic_is_open(id)?;
        self.move_topic(id, "closed");
        self.now.closed.push(id.to_owned());
        self.book.sums.closed += 1;
        Ok(())
    }

    pub(super) fn party_set(&mut self, data: &Value) -> Checked {
        let (id, who, state) = (text(data, "topic_id"), text(data, "participant"), text(data, "state"));
        self.topic_is_open(id)?;
        if !matches!(state, "informed" | "working" | "waiting" | "needs_human" | "done") {
            return wrong("S1", format!("{who} is {state}"));
        }
        let Some(topic) = self.book.topics.get_mut(id) else { return Ok(()) };
        let before = topic.states.insert(who.to_owned(), state.to_owned());
        if before.as_deref() == Some("done") && state != "done" {
            topic.asked.remove(who);
        }
        if state == "informed" && before.as_deref().is_some_and(|before| before != "informed") {
            return wrong("S1", format!("{who} took part and is informed"));
        }
        let moves = before.as_deref() != Some(state);
        self.now.states.entry((id.to_owned(), who.to_owned())).or_insert(before);
        if moves && state == "done" {
            self.excuse(who, id);
        }
        Ok(())
    }

    /// Nobody has to be woken any more for what they did not read.
    fn excuse(&mut self, who: &str, topic: &str) {
        let unread = self.book.unread.get(&(who.to_owned(), topic.to_owned()));
        for (_, message) in unread.into_iter().flatten() {
            if let Some(delivery) = self.book.deliveries.get_mut(&(message.clone(), who.to_owned())) {
                delivery.excused = true;
            }
        }
    }

    pub(super) fn party_left(&mut self, data: &Value) -> Checked {
        let (id, who) = (text(data, "topic_id"), text(data, "participant"));
        self.topic_is_open(id)?;
        let Some(topic) = self.book.topics.get_mut(id) else { return Ok(()) };
        topic.states.remove(who);
        topic.asked.remove(who);
        topic.nudges.retain(|(waiter, on), _| waiter != who && on != who);
        topic.texts.retain(|(sender, recipient), _| sender != who && recipient != who);
        topic.held.retain(|(_, recipient)| recipient != who);
        topic.volley = None;
        Ok(())
    }

    pub(super) fn settle_topics(&mut self) -> Checked {
        self.settle_held()?;
        for id in &self.now.closed {
            let Some(topic) = self.book.topics.get(id) else { continue };
            if let Some((request, debtor)) = topic.owed.first() {
                return wrong("S7", format!("{id} closes, and {debtor} still owes for {request}"));
            }
            for agent in topic.states.keys() {
                if let Some(wake) = self.book.unanswered_in(agent, Some(id)).next() {
                    return wrong("S7", format!("{id} closes, and {agent} has a {} wake", wake.status));
                }
            }
        }
        Ok(())
    }
}
