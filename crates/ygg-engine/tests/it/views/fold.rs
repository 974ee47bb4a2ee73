//! What an event makes of a reader's views.

use serde_json::{Value, json};
use ygg_domain::message::REDACTED;
use ygg_wire::event::Event;

use super::Views;
use super::fresh::{lack, text};

impl Views {
    pub fn apply(&mut self, event: &Event) {
        let data = &event.data;
        let kind = event.kind.as_str();
        match kind.split('.').next().unwrap_or_default() {
            "topic" => self.apply_to_topic(kind, event),
            "conversation" if kind == "conversation.created" => {
                self.conversations.insert(text(data, "id"), data.clone());
            }
            "conversation" if kind == "conversation.message.redacted" => self.redacted(event),
            "conversation" => self.posted(&data["message"]),
            "cursor" => self.read(data),
            "participant" => self.apply_to_participant(kind, data),
            "delivery" | "debt" => self.apply_to_delivery(kind, data),
            "wake" => self.apply_to_wake(kind, data),
            "turn" => self.apply_to_turn(kind, event),
            "credits" => self.apply_to_credits(kind, event),
            "group" => drop(self.groups.insert(text(data, "name"), data.clone())),
            "key" | "invite" | "task" | "notice" => self.apply_to_own(kind, event),
            _ => {}
        }
    }

    fn apply_to_topic(&mut self, kind: &str, event: &Event) {
        let (data, me) = (&event.data, self.me.clone());
        let who = text(data, "participant");
        if kind == "topic.opened" {
            let mut topic = data.clone();
            // To whom a topic is new, all of it is unread.
            if self.is_person() {
                topic["unread"] = json!(0);
                topic["read_seq"] = json!(0);
                topic["concerns_you"] = json!(false);
            }
            self.topics.insert(text(data, "id"), topic);
            return;
        }
        let id = if kind == "topic.marked" { text(data, "id") } else { text(data, "topic_id") };
        if kind == "topic.closed" || kind == "topic.state" && who == me && data["state"] == "done" {
            self.asked.remove(&id);
        }
        let Some(topic) = self.topics.get_mut(&id).and_then(Value::as_object_mut) else {
            // Who comes to a topic as a party of it reads what was there before.
            self.places.insert(id);
            return;
        };
        match kind {
            "topic.marked" => {
                for field in ["status", "paused_for", "stalled", "looped"] {
                    topic.remove(field);
                    topic.extend(data.get(field).map(|now| (field.to_owned(), now.clone())));
                }
            }
            "topic.titled" => drop(topic.insert("title".to_owned(), data["title"].clone())),
            "topic.closed" => {
                topic.remove("stalled");
                topic.remove("paused_for");
                topic.insert("status".to_owned(), json!("closed"));
                topic.insert("closed_at".to_owned(), json!(event.at));
            }
            "topic.state" | "topic.left" => {
                if kind == "topic.state" && who == me && topic.contains_key("concerns_you") {
                    topic.insert("concerns_you".to_owned(), json!(true));
                }
                let state = data.get("state").map(|state| (who.clone(), state.clone()));
                let waits = data.get("waiting_for").map(|whom| (who.clone(), whom.clone()));
                for (field, now) in [("states", state), ("waiting_for", waits)] {
                    let mut all = topic.remove(field).unwrap_or_else(|| json!({}));
                    let of = all.as_object_mut().expect("a map");
                    of.remove(&who);
                    of.extend(now);
                    if field == "states" || !of.is_empty() {
                        topic.insert(field.to_owned(), all);
                    }
                }
            }
            other => panic!("nobody knows {other}"),
        }
    }

    fn posted(&mut self, message: &Value) {
        let mut to = message["recipients"].as_array().into_iter().flatten();
        let to_me = to.any(|one| one["id"] == *self.me);
        if self.is_person() {
            let own = message["sender"] == *self.me;
            if let Some(topic) = self.topics.get_mut(&text(message, "topic_id")) {
                topic["unread"] = json!(topic["unread"].as_i64().unwrap_or(0) + i64::from(!own));
                topic["concerns_you"] = json!(topic["concerns_you"] == true || to_me);
            }
        } else {
            self.unread += i64::from(to_me);
        }
        self.messages.insert(text(message, "id"), message.clone());
    }

    /// How far a person has read, and what that leaves.
    fn read(&mut self, data: &Value) {
        if let Some(topic) = self.topics.get_mut(&text(data, "topic_id")) {
            for field in ["unread", "read_seq", "concerns_you"] {
                topic[field] = data[field].clone();
            }
        }
    }

    fn redacted(&mut self, event: &Event) {
        let Some(message) = self.messages.get_mut(&text(&event.data, "message_id")) else { return };
        let message = message.as_object_mut().expect("a message");
        message.remove("body");
        message.remove("attachments");
        message.insert("text".to_owned(), json!(REDACTED));
        message.insert("redacted".to_owned(), json!({"by": event.data["by"], "at": event.at}));
    }

    /// What a message is to one recipient.
    fn delivery(&mut self, message: &str, recipient: &str) -> Option<&mut Value> {
        let to = self.messages.get_mut(message)?["recipients"].as_array_mut()?;
        to.iter_mut().find(|one| one["id"] == recipient)
    }

    fn apply_to_delivery(&mut self, kind: &str, data: &Value) {
        let recipient = text(data, "recipient");
        let is_me = i64::from(recipient == self.me);
        let all =
            || data["message_ids"].as_array().into_iter().flatten().map(|id| id.as_str().expect("an id"));
        match kind {
            "delivery.handed" => {
                let step = if data["read"] == true { "read" } else { "handed" };
                for message in all() {
                    self.unread -= is_me;
                    self.reached(message, &recipient, step);
                }
            }
            "delivery.returned" => {
                for message in all() {
                    self.unread += is_me;
                    self.reached(message, &recipient, "pending");
                }
            }
            "delivery.roused" if data["again"] == true => {
                self.unread += is_me;
                self.reached(&text(data, "message_id"), &recipient, "pending");
            }
            "delivery.read" if data.get("seq").is_some() => self.read_up_to(&recipient, data),
            "delivery.read" => all().for_each(|message| self.reached(message, &recipient, "read")),
            "debt.ended" => {
                let (how, step, why) = match (data.get("settled_by"), data.get("gone")) {
                    (Some(_), _) => ("settled", "answered", None),
                    (None, Some(_)) => ("gone", "ended", Some("recipient_gone")),
                    (None, None) => ("closed", "ended", Some("topic_closed")),
                };
                if let Some(delivery) = self.delivery(&text(data, "request_id"), &text(data, "debtor")) {
                    delivery["debt"] = json!(how);
                    delivery["step"] = json!(step);
                    let delivery = delivery.as_object_mut().expect("a delivery");
                    delivery.extend(why.map(|why| ("ended_by".to_owned(), json!(why))));
                }
            }
            _ => {}
        }
    }

    /// A delivery came so far. What is answered or has ended stays that.
    fn reached(&mut self, message: &str, recipient: &str, step: &str) {
        let open =
            |delivery: &&mut Value| !["answered", "ended"].map(Value::from).contains(&delivery["step"]);
        if let Some(delivery) = self.delivery(message, recipient).filter(open) {
            delivery["step"] = json!(step);
        }
    }

    /// A person has read what was addressed to them in a topic, up to a place.
    fn read_up_to(&mut self, person: &str, data: &Value) {
        let there = |message: &&Value| message["topic_id"] == data["topic_id"];
        let before = |message: &&Value| message["seq"].as_i64() <= data["seq"].as_i64();
        let read = self.messages.values().filter(there).filter(before).map(|message| text(message, "id"));
        for message in read.collect::<Vec<_>>() {
            self.reached(&message, person, "read");
        }
    }

    fn apply_to_participant(&mut self, kind: &str, data: &Value) {
        let who = text(data, "participant");
        match kind {
            "participant.added" | "participant.changed" => {
                if let Some(person) = data.get("person") {
                    self.person(person);
                }
                if let Some(agent) = data.get("agent") {
                    self.agent(agent);
                }
            }
            "participant.removed" => self.gone(&who),
            "participant.joined" | "participant.left" => {
                // Who comes reads what was there before; with an agent its operators come and go.
                let place = text(data, "conversation_id");
                self.places.insert(place.clone());
                let Some(found) = self.conversations.get_mut(&place) else { return };
                let in_it = found["participants"].as_array_mut().expect("a list");
                in_it.retain(|one| *one != *who);
                if kind == "participant.joined" {
                    in_it.push(json!(who));
                    in_it.sort_by_key(|one| one.as_str().map(str::to_owned));
                }
            }
            other => panic!("nobody knows {other}"),
        }
    }

    fn person(&mut self, person: &Value) {
        let id = text(person, "id");
        let known = self.people.get(&id).map(|known| known["role"].clone());
        if id == self.me && known.as_ref() != Some(&person["role"]) {
            self.rights = true;
        }
        // Whoever has left is in no directory.
        match person["removed"].as_bool() {
            Some(true) => {
                self.people.remove(&id);
                self.ended(&id);
            }
            Some(false) | None => drop(self.people.insert(id, person.clone())),
        }
    }

    fn agent(&mut self, agent: &Value) {
        let (id, mut agent) = (text(agent, "id"), agent.clone());
        if let Some(known) = self.agents.get(&id) {
            agent
                .as_object_mut()
                .expect("an agent")
                .extend(known.get("wallet").map(|wallet| ("wallet".to_owned(), wallet.clone())));
            if known["operators"] != agent["operators"] {
                self.rights = true;
            }
        } else {
            // What was of another with this id before comes into sight for some, and goes out of it for others [W7].
            self.places.insert(id.clone());
        }
        self.agents.insert(id, agent);
    }

    /// An agent that was removed has a part in no topic, and its wallet is no more.
    fn gone(&mut self, who: &str) {
        self.agents.remove(who);
        for topic in self.topics.values_mut().filter_map(Value::as_object_mut) {
            for field in ["states", "waiting_for"] {
                let of = topic.get_mut(field).and_then(Value::as_object_mut);
                let is_empty = of.is_some_and(|of| of.remove(who).is_some() && of.is_empty());
                if is_empty && field == "waiting_for" {
                    topic.remove(field);
                }
            }
        }
        self.pots.remove(&format!("wallet:{who}"));
        self.wakes.retain(|_, wake| wake["agent"] != *who);
        self.forget_turns(who);
        self.ended(who);
    }

    /// Nobody is left to read what waited for whoever was removed.
    fn ended(&mut self, who: &str) {
        let to = self.messages.values_mut().filter_map(|message| message["recipients"].as_array_mut());
        for one in to.flatten().filter(|one| one["id"] == *who) {
            if ["pending", "handed"].map(Value::from).contains(&one["step"]) {
                one["step"] = json!("ended");
                one["ended_by"] = json!("recipient_gone");
            }
        }
    }

    fn apply_to_wake(&mut self, kind: &str, data: &Value) {
        match kind {
            "wake.created" | "wake.merged" | "wake.returned" if data["status"] == "pending" => {
                drop(self.wakes.insert(text(data, "id"), data.clone()));
            }
            "wake.created" | "wake.merged" => {}
            _ => drop(self.wakes.remove(&text(data, "id"))),
        }
    }

    fn apply_to_credits(&mut self, kind: &str, event: &Event) {
        let data = &event.data;
        match kind {
            "credits.short" => {
                let mut short = data.clone();
                short["kind"] = json!("credits");
                if short["topic_id"].is_null() {
                    short.as_object_mut().expect("an object").remove("topic_id");
                }
                self.short.insert(lack(data), short);
            }
            "credits.covered" => drop(self.short.remove(&lack(data))),
            "credits.moved" => {
                let pot = text(data, "pot");
                if let Some(agent) = pot.strip_prefix("wallet:").and_then(|agent| self.agents.get_mut(agent))
                {
                    agent["wallet"] = data["balance"].clone();
                }
                if !self.may_fund() {
                    return;
                }
                if let Some(topic) = pot.strip_prefix("budget:").and_then(|topic| self.topics.get_mut(topic))
                {
                    topic["budget"] = data["balance"].clone();
                }
                self.pots.insert(pot, data["balance"].clone());
                let mut entry = data.clone();
                let fields = entry.as_object_mut().expect("an entry");
                fields.retain(|_, value| !value.is_null());
                fields.extend([("seq".to_owned(), json!(event.seq)), ("at".to_owned(), json!(event.at))]);
                self.ledger.insert(event.seq.to_string(), entry);
            }
            other => panic!("nobody knows {other}"),
        }
    }

    /// Keys, invites, tasks and notices.
    fn apply_to_own(&mut self, kind: &str, event: &Event) {
        let data = &event.data;
        match kind {
            // An operator is told of keys that are for admins to list.
            "key.made" if self.may_fund() || data["participant"] == *self.me && !self.is_agent() => {
                self.keys.insert(text(data, "id"), data.clone());
            }
            "key.revoked" => {
                if let Some(key) = self.keys.get_mut(&text(data, "id")) {
                    key["revoked_at"] = json!(event.at);
                }
            }
            "invite.made" => drop(self.invites.insert(text(data, "id"), data.clone())),
            "invite.accepted" | "invite.revoked" => drop(self.invites.remove(&text(data, "id"))),
            "task.set" if data["agent"] == *self.me => {
                self.tasks.insert(text(&data["task"], "id"), data["task"].clone());
            }
            "task.removed" => drop(self.tasks.remove(&text(data, "id"))),
            "notice.given" if data["kind"] == "closure_poll" && data["recipient"] == *self.me => {
                self.asked.insert(text(data, "topic_id"));
            }
            _ => {}
        }
    }
}
