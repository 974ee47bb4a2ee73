//! Deliveries, step by step, and the answers that are owed [K5a, K6, M4].

use serde_json::Value;

use super::book::{In, Reached};
use super::{Checked, Monitor, is_person, list, owned, text, wrong};

impl Monitor {
    pub(super) fn debt_ended(&mut self, data: &Value) -> Checked {
        let key: In = (text(data, "request_id").to_owned(), text(data, "debtor").to_owned());
        let Some(owed) = self.book.deliveries.get(&key).filter(|owed| owed.debt == Some("open")) else {
            return wrong("M4", format!("what {} owed for {} ended before", key.1, key.0));
        };
        let how = if let Some(answer) = owned(data, "settled_by") {
            let said = self.book.messages.get(&answer);
            let fits = said.is_some_and(|said| {
                said.sender == key.1 && said.topic == owed.topic && said.kind == "response"
            });
            if !fits || !self.now.posted.contains(&answer) {
                return wrong("M4", format!("{answer} settles what it does not answer"));
            }
            "settled"
        } else if data["closed"] == true {
            "closed"
        } else {
            "gone"
        };
        let topic = owed.topic.clone();
        if let Some(owed) = self.book.deliveries.get_mut(&key) {
            owed.debt = Some(how);
        }
        self.now.touched.insert((key.1.clone(), topic.clone()));
        if let Some(topic) = self.book.topics.get_mut(&topic) {
            topic.owed.remove(&key);
        }
        Ok(())
    }

    /// Another wake carries it from now on: because it was folded or held back, does not fit, or is handed on.
    pub(super) fn roused(&mut self, data: &Value) -> Checked {
        let key: In = (text(data, "message_id").to_owned(), text(data, "recipient").to_owned());
        let (wake, again) = (text(data, "wake_id"), data["again"] == true);
        let Some(carrier) = self.book.wakes.get_mut(wake).filter(|carrier| carrier.agent == key.1) else {
            return wrong("K6", format!("{wake} carries {} and is no wake of {}", key.0, key.1));
        };
        let Some(delivery) = self.book.deliveries.get_mut(&key) else {
            return wrong("K5a", format!("{} was not sent to {}", key.0, key.1));
        };
        if !carrier.is_unanswered() || carrier.topic.as_ref() != Some(&delivery.topic) {
            return wrong("K6", format!("{wake} cannot carry {}", key.0));
        }
        if !again && delivery.reached != Reached::Pending {
            return wrong("K5a", format!("{} comes up and was {} before", key.0, delivery.reached.name()));
        }
        if !carrier.part {
            match (delivery.carried, again) {
                (false, _) => carrier.fresh = true,
                (true, true) if !delivery.handed_on => {
                    (delivery.handed_on, carrier.handed_on) = (true, true);
                }
                (true, _) => return wrong("K6", format!("{} wakes {} a second time", key.0, key.1)),
            }
        }
        (delivery.wake, delivery.carried, delivery.turn) = (Some(wake.to_owned()), true, None);
        delivery.excused = false;
        self.now.touched.insert((key.1.clone(), delivery.topic.clone()));
        self.book.reach(&key, Reached::Pending);
        Ok(())
    }

    pub(super) fn handed(&mut self, data: &Value) -> Checked {
        let (turn, recipient, topic) =
            (text(data, "turn_id"), text(data, "recipient"), text(data, "topic_id"));
        let Some(running) = self.book.turns.get(turn).filter(|running| running.agent == recipient) else {
            return wrong("U1", format!("{turn} is no turn of {recipient}"));
        };
        let read = data["read"] == true;
        if running.status != "running" || read == running.supervised {
            return wrong("K5a", format!("{turn} is {} and reads at once: {read}", running.status));
        }
        let messages = list(data, "message_ids");
        let mut places = Vec::new();
        for message in &messages {
            let key: In = ((*message).to_owned(), recipient.to_owned());
            let Some(delivery) = self.book.deliveries.get(&key) else {
                return wrong("K5a", format!("{message} was not sent to {recipient}"));
            };
            if delivery.reached != Reached::Pending || delivery.topic != topic {
                let reached = delivery.reached.name();
                return wrong("K5a", format!("{message} was {reached} and is handed to {recipient}"));
            }
            let wakes = delivery.wake.as_ref().is_some_and(|wake| running.took.contains(wake));
            places.push((!wakes, wakes && !delivery.operator, delivery.seq));
        }
        if !places.is_sorted() {
            return wrong("K6", format!("{recipient} is handed {messages:?} out of order"));
        }
        let reached = if read { Reached::Read } else { Reached::Handed };
        for message in messages {
            let key: In = (message.to_owned(), recipient.to_owned());
            if let Some(delivery) = self.book.deliveries.get_mut(&key) {
                delivery.turn = Some(turn.to_owned());
            }
            self.book.reach(&key, reached);
            if let Some(running) = self.book.turns.get_mut(turn) {
                running.handed.push(key);
            }
        }
        self.now.touched.insert((recipient.to_owned(), topic.to_owned()));
        Ok(())
    }

    /// A turn failed: what it was handed waits again.
    pub(super) fn returned(&mut self, data: &Value) -> Checked {
        let (turn, recipient, topic) =
            (text(data, "turn_id"), text(data, "recipient"), text(data, "topic_id"));
        for message in list(data, "message_ids") {
            let key: In = (message.to_owned(), recipient.to_owned());
            let Some(delivery) = self.book.deliveries.get_mut(&key) else {
                return wrong("K5a", format!("{message} was not sent to {recipient}"));
            };
            if delivery.turn.as_deref() != Some(turn) || delivery.reached != Reached::Handed {
                return wrong("K6", format!("{message} comes back from a turn that does not have it"));
            }
            let carried = delivery.wake.as_ref().and_then(|wake| self.book.wakes.get(wake));
            delivery.excused |= carried.is_some_and(|wake| !wake.is_unanswered());
            delivery.turn = None;
            self.book.reach(&key, Reached::Pending);
        }
        self.now.touched.insert((recipient.to_owned(), topic.to_owned()));
        Ok(())
    }

    pub(super) fn read(&mut self, data: &Value) -> Checked {
        match data["turn_id"].as_str() {
            Some(turn) => self.shown(turn, data),
            None => self.read_by_person(data),
        }
    }

    /// A supervised turn is about to end: its model has seen what it was handed.
    fn shown(&mut self, turn: &str, data: &Value) -> Checked {
        let (recipient, topic) = (text(data, "recipient"), text(data, "topic_id"));
        let runs = self
            .book
            .turns
            .get(turn)
            .is_some_and(|one| one.agent == recipient && one.supervised && one.status == "running");
        if !runs {
            return wrong(
                "K5a",
                format!("{turn} shows {recipient} something and is no turn of it that runs"),
            );
        }
        for message in list(data, "message_ids") {
            let key: In = (message.to_owned(), recipient.to_owned());
            let theirs = self.book.deliveries.get(&key).filter(|one| one.turn.as_deref() == Some(turn));
            if theirs.is_none_or(|one| one.reached != Reached::Handed || one.topic != topic) {
                return wrong("K5a", format!("{turn} shows {message} and was not handed it"));
            }
            self.book.reach(&key, Reached::Read);
        }
        Ok(())
    }

    fn read_by_person(&mut self, data: &Value) -> Checked {
        let (recipient, topic) = (text(data, "recipient"), text(data, "topic_id"));
        let seq = data["seq"].as_i64().unwrap_or(0);
        if !is_person(recipient) {
            return wrong("K5a", format!("{recipient} reads like a person"));
        }
        let unread = self.book.unread.get(&(recipient.to_owned(), topic.to_owned()));
        let passed = unread.into_iter().flatten().take_while(|(place, _)| *place <= seq);
        let passed: Vec<In> = passed.map(|(_, message)| (message.clone(), recipient.to_owned())).collect();
        passed.iter().for_each(|key| self.book.reach(key, Reached::Read));
        Ok(())
    }
}
