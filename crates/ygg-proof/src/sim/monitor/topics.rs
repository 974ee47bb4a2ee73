//! Topics and their parties: closed is final and leaves nothing open; an agent's words wake nobody who is done [W5, S7].

use serde_json::Value;
use ygg_domain::policy::Policy;

use super::book::Topic;
use super::{Checked, Doer, Monitor, is_agent, text, wrong};

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
            let topic = Topic { status: status.to_owned(), heard_at: self.clock, ..Topic::default() };
            let opener = text(data, "opener").to_owned();
            if is_agent(&opener) {
                self.book.opened.entry(opener).or_default().push(id.to_owned());
                self.now.opened.push(id.to_owned());
            }
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
        if topic.status == "paused" && status == "open" {
            topic.resumed_at = self.clock;
        }
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
        if state == "done" && !self.book.is_done(id, who) {
            self.may_be_counted(id, who)?;
        }
        let (clock, seq) = (self.clock, self.seq);
        let Some(topic) = self.book.topics.get_mut(id) else { return Ok(()) };
        if self.now.doer.is(who) {
            topic.spoke.extend(clock.map(|now| (who.to_owned(), now)));
        }
        if state == "waiting" {
            topic.declared.insert(who.to_owned(), seq);
            if let Some(now) =
                clock.filter(|_| topic.states.get(who).is_none_or(|before| before != "waiting"))
            {
                topic.waits_since.insert(who.to_owned(), now);
            }
        }
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
        topic.ever_asked.remove(who);
        topic.nudges.retain(|(waiter, on), _| waiter != who && on != who);
        topic.given_up.retain(|(waiter, on)| waiter != who && on != who);
        topic.texts.retain(|(sender, recipient), _| sender != who && recipient != who);
        topic.held.retain(|(_, recipient)| recipient != who);
        topic.volley = None;
        Ok(())
    }

    pub(super) fn settle_topics(&mut self) -> Checked {
        self.settle_held()?;
        self.settle_states()?;
        self.settle_opened()?;
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

    /// Whoever needs a person stops the topic; whoever is done is woken by nothing more; and when all are, it closes.
    fn settle_states(&self) -> Checked {
        for (id, who) in self.now.states.keys() {
            let Some(topic) = self.book.topics.get(id) else { continue };
            let state = topic.states.get(who).map(String::as_str);
            if state == Some("needs_human") && topic.status == "open" {
                return wrong("S3", format!("{who} needs a person in {id}, which goes on"));
            }
            if state == Some("done") && self.book.unanswered_in(who, Some(id)).next().is_some() {
                return wrong("K2", format!("{who} is done in {id}, and something wakes it still"));
            }
            if topic.status == "open" && topic.states.values().all(|state| state == "done") {
                return wrong("S5", format!("all are done in {id}, and it stays open"));
            }
        }
        let goes_on = |id: &&String| self.book.topics.get(*id).is_some_and(|topic| topic.status == "open");
        match self.now.short.iter().find(goes_on) {
            Some(id) => wrong("C4", format!("credits are short in {id}, which goes on")),
            None => Ok(()),
        }
    }

    /// An agent holds three topics at most that it opened and is not done with, but for those that people put back [T3].
    fn settle_opened(&self) -> Checked {
        let most = usize::try_from(Policy::default().topic_limit).unwrap_or(0);
        let Doer::Agent(agent) = &self.now.doer else { return Ok(()) };
        let took = |id: &String| {
            let back = self.now.states.get(&(id.clone(), agent.clone()));
            self.now.opened.contains(id) || back.is_some_and(|before| before.as_deref() == Some("done"))
        };
        let holds = |id: &&String| {
            let topic = self.book.topics.get(*id).filter(|topic| topic.status != "closed");
            topic.and_then(|topic| topic.states.get(agent)).is_some_and(|state| state != "done")
        };
        let held: Vec<&String> = self.book.opened.get(agent).into_iter().flatten().filter(holds).collect();
        if held.len() > most && held.iter().any(|id| took(id)) {
            return wrong("T3", format!("{agent} holds {held:?}"));
        }
        Ok(())
    }
}
