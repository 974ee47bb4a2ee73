//! What is said: who may, what it costs, whom it wakes and whom not [M3, M4, K1, K3, S3, S4, C1].

use super::book::{Delivery, In, Message, Reached};
use super::{Checked, Doer, Monitor, is_agent, is_person, wrong};
use crate::sim::log::{Entry, Posted, Recipient};

impl Monitor {
    pub(super) fn posted(&mut self, seq: i64, id: &str, entry: &Entry) -> Checked {
        let Some(posted) = entry.posted.as_deref() else {
            return wrong("M2", format!("{id} was posted and is not there"));
        };
        self.may_say(id, posted)?;
        self.costs(id, posted)?;
        let agent = is_agent(&posted.sender);
        let reached = posted.recipients.len() as i64;
        let sums = &mut self.book.sums;
        if agent {
            sums.agent_messages += 1;
            sums.agent_deliveries += reached;
        } else {
            sums.person_deliveries += reached;
        }
        for recipient in &posted.recipients {
            self.reaches(id, posted, recipient)?;
        }
        self.follow_loops(seq, id, posted)?;
        let message = Message {
            topic: posted.topic.clone(),
            sender: posted.sender.clone(),
            kind: posted.kind,
            charged: posted.charged,
            paid: 0,
            budgeted: self.book.pots.get(&format!("budget:{}", posted.topic)).filter(|_| agent).map(|_| 0),
            recipients: posted.recipients.len(),
        };
        self.book.messages.insert(id.to_owned(), message);
        if let Some(topic) = self.book.topics.get_mut(&posted.topic) {
            topic.heard_at = self.clock;
            topic.spoke.extend(self.clock.map(|now| (posted.sender.clone(), now)));
            topic.wrote.insert(posted.sender.clone(), (seq, self.clock));
        }
        self.now.posted.push(id.to_owned());
        for recipient in &posted.recipients {
            self.keep(seq, id, posted, recipient);
        }
        Ok(())
    }

    fn may_say(&self, id: &str, posted: &Posted) -> Checked {
        self.topic_is_open(&posted.topic)?;
        let sender = &posted.sender;
        let doer = match &self.now.doer {
            Doer::Person => is_person(sender),
            Doer::Agent(agent) => agent == sender,
            Doer::Clock => false,
        };
        if !doer {
            return wrong("M1", format!("{id} is said in the name of {sender}"));
        }
        if !self.now.posted.is_empty() {
            return wrong("M8", format!("{id} is the second message of one send"));
        }
        if self.book.messages.contains_key(id) {
            return wrong("M2", format!("{id} was posted before"));
        }
        if self.book.roles.get(sender).is_some_and(|role| role == "viewer") {
            return wrong("W3", format!("{sender} may only read and says {id}"));
        }
        if let Some(agent) = self.book.agents.get(sender)
            && (agent.paused || agent.removed || self.book.all_paused)
        {
            return wrong("K5c", format!("{sender} is stopped and says {id}"));
        }
        let mut ids: Vec<&str> = posted.recipients.iter().map(|one| one.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() != posted.recipients.len() || ids.is_empty() || ids.contains(&sender.as_str()) {
            return wrong("M7", format!("{id} goes to {ids:?}"));
        }
        Ok(())
    }

    fn costs(&self, id: &str, posted: &Posted) -> Checked {
        let thousands = posted.text.chars().count().div_ceil(1_000).max(1);
        let price = match is_agent(&posted.sender) {
            true => i64::try_from(thousands * posted.recipients.len()).unwrap_or(i64::MAX),
            false => 0,
        };
        if posted.charged != price {
            return wrong("C1", format!("{id} costs {price}, and {} was charged", posted.charged));
        }
        Ok(())
    }

    /// Whether it wakes whom it should, and nobody else.
    fn reaches(&self, id: &str, posted: &Posted, recipient: &Recipient) -> Checked {
        let wakes = recipient.effect == "wake";
        let (to, topic) = (recipient.id.as_str(), posted.topic.as_str());
        if !is_agent(to) {
            let tells = recipient.effect == "notify";
            return if tells { Ok(()) } else { wrong("K1", format!("{id} is no notification to {to}")) };
        }
        if is_person(&posted.sender) {
            return if wakes { Ok(()) } else { wrong("K1", format!("{id} of a person does not wake {to}")) };
        }
        if posted.kind == "inform" && wakes {
            return wrong("M3", format!("{id} is an inform and wakes {to}"));
        }
        if self.book.is_done(topic, to) {
            return match wakes {
                true => wrong("S4", format!("{id} wakes {to}, who is done")),
                false => Ok(()),
            };
        }
        let settles = self.settles(posted, to);
        let paused = self.book.topics.get(topic).is_some_and(|topic| topic.status == "paused");
        if posted.kind == "response" && wakes != settles && !paused {
            return wrong("M4", format!("{id} settles {settles} to {to}, and wakes {wakes}"));
        }
        let unanswered = self.book.unanswered_in(to, Some(topic)).next().is_some();
        if posted.kind == "request" && wakes && unanswered {
            return wrong("K3", format!("{id} makes a second wake of {to}"));
        }
        if recipient.reason == Some("wake_coalesced") && !unanswered {
            return wrong("K3", format!("{id} is folded into nothing of {to}"));
        }
        Ok(())
    }

    /// Whether it answers what its sender owes to that recipient.
    fn settles(&self, posted: &Posted, to: &str) -> bool {
        let Some(request) = posted.in_reply_to.as_ref().filter(|_| posted.kind == "response") else {
            return false;
        };
        let asked = self.book.messages.get(request);
        let key = (request.clone(), posted.sender.clone());
        asked.is_some_and(|asked| asked.sender == to && asked.topic == posted.topic)
            && self.book.deliveries.get(&key).is_some_and(|owed| owed.debt == Some("open"))
    }

    fn keep(&mut self, seq: i64, id: &str, posted: &Posted, recipient: &Recipient) {
        let key: In = (id.to_owned(), recipient.id.clone());
        let topic = posted.topic.as_str();
        let wake = match recipient.effect {
            "wake" => self.book.pending_in(&recipient.id, Some(topic)),
            _ => None,
        };
        let delivery = Delivery {
            seq,
            topic: posted.topic.clone(),
            effect: recipient.effect,
            reason: recipient.reason,
            operator: recipient.operator,
            reached: Reached::Pending,
            carried: wake.is_some(),
            wake,
            handed_on: false,
            turn: None,
            debt: (posted.kind == "request").then_some("open"),
            excused: false,
        };
        let owes = delivery.debt.is_some();
        let answers = self.settles(posted, &recipient.id);
        self.book.deliveries.insert(key.clone(), delivery);
        self.book.reach(&key, Reached::Pending);
        self.now.touched.insert((recipient.id.clone(), posted.topic.clone()));
        if let Some(topic) = self.book.topics.get_mut(topic) {
            let waits = (posted.sender.clone(), recipient.id.clone());
            topic.nudges.remove(&waits);
            topic.given_up.remove(&waits);
            if owes {
                topic.owed.insert(key.clone());
            }
            if recipient.reason == Some("topic_paused") && (owes || answers) {
                topic.held.push(key);
            }
        }
    }

    /// While a topic stands still, an agent's words there wake nobody [S3].
    pub(super) fn settle_posted(&mut self) -> Checked {
        for id in &self.now.posted {
            let Some(message) = self.book.messages.get(id) else { continue };
            let topic = self.book.topics.get(&message.topic);
            if is_person(&message.sender) && topic.is_some_and(|topic| topic.status == "paused") {
                return wrong("S3", format!("{id} of a person does not set {} going", message.topic));
            }
            let mut theirs = self.book.unanswered_in(&message.sender, Some(&message.topic));
            if theirs.any(|wake| wake.status == "taken") {
                return wrong("K2", format!("{id} answers nothing of what {} took", message.sender));
            }
            let stood = match self.now.statuses.get(&message.topic) {
                Some(statuses) => statuses.iter().all(|status| status == "paused"),
                None => self.book.topics.get(&message.topic).is_some_and(|topic| topic.status == "paused"),
            };
            let woke = self.now.created.iter().filter_map(|wake| self.book.wakes.get(wake)).find(|wake| {
                wake.topic.as_ref() == Some(&message.topic) && wake.agent != message.sender && wake.fresh
            });
            if let Some(woke) = woke.filter(|_| stood && is_agent(&message.sender)) {
                return wrong("S3", format!("{id} wakes {} in a topic that stands still", woke.agent));
            }
        }
        Ok(())
    }
}
