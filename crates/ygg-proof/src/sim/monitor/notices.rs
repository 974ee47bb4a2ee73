//! What the backend says: each notice told once, a bounded number of reminders, one question whether somebody is done
//! [K5, S2, S6].

use serde_json::Value;
use ygg_domain::policy::Policy;

use super::book::Notice;
use super::{Checked, Monitor, list, owned, text, wrong};

impl Monitor {
    pub(super) fn notice_given(&mut self, data: &Value) -> Checked {
        let (id, recipient, kind) = (text(data, "id"), text(data, "recipient"), text(data, "kind"));
        let notice = Notice {
            recipient: recipient.to_owned(),
            kind: kind.to_owned(),
            wake: owned(data, "wake_id"),
            status: "given",
        };
        if self.book.notices.insert(id.to_owned(), notice).is_some() {
            return wrong("K5", format!("{id} is given a second time"));
        }
        if let Some(wake) = owned(data, "wake_id") {
            let Some(wake) = self.book.wakes.get_mut(&wake).filter(|wake| wake.is_unanswered()) else {
                return wrong("K5", format!("{id} comes with {wake}, which is over"));
            };
            if wake.agent != recipient {
                return wrong("K5", format!("{id} comes with a wake of {}", wake.agent));
            }
            wake.noticed |= wake.kind == kind;
        }
        if let (Some(topic), "closure_poll") = (owned(data, "topic_id"), kind) {
            self.may_be_asked(&topic, recipient)?;
        }
        let topic = owned(data, "topic_id").and_then(|topic| self.book.topics.get_mut(&topic));
        if let (Some(topic), "closure_poll") = (topic, kind) {
            topic.ever_asked.insert(recipient.to_owned());
            if !topic.asked.insert(recipient.to_owned()) {
                return wrong("S6", format!("{recipient} is asked again whether it is done"));
            }
        }
        Ok(())
    }

    pub(super) fn notices_handed(&mut self, data: &Value) -> Checked {
        let (turn, recipient) = (text(data, "turn_id"), text(data, "recipient"));
        let ids = list(data, "notice_ids");
        let running = self.book.turns.get_mut(turn).filter(|turn| turn.status == "running");
        let Some(running) = running.filter(|running| running.agent == recipient) else {
            return wrong("K5", format!("{turn} is no turn of {recipient} that runs"));
        };
        running.notices += ids.len();
        self.move_notices(&ids, recipient, "given", "handed")
    }

    pub(super) fn notices_returned(&mut self, data: &Value) -> Checked {
        self.move_notices(&list(data, "notice_ids"), text(data, "recipient"), "handed", "given")
    }

    pub(super) fn notice_ended(&mut self, data: &Value) -> Checked {
        self.move_notices(&[text(data, "id")], text(data, "recipient"), "given", "ended")
    }

    fn move_notices(&mut self, ids: &[&str], recipient: &str, from: &str, to: &'static str) -> Checked {
        for id in ids {
            let notice = self.book.notices.get_mut(*id);
            let Some(notice) = notice.filter(|notice| notice.recipient == recipient && notice.status == from)
            else {
                return wrong("K5", format!("{id} is not {from}, and is {to}"));
            };
            notice.status = to;
        }
        Ok(())
    }

    pub(super) fn nudged(&mut self, data: &Value) -> Checked {
        let (id, waiter, on) = (text(data, "topic_id"), text(data, "waiter"), text(data, "on"));
        let (times, told) = (data["times"].as_i64().unwrap_or(0), data["told"] == true);
        let most = i64::from(Policy::default().nudge_max);
        let (done, key) = (self.book.is_done(id, on), (waiter.to_owned(), on.to_owned()));
        self.may_be_reminded(id, &key)?;
        let clock = self.clock;
        let Some(topic) = self.book.topics.get_mut(id) else { return Ok(()) };
        let before = topic.nudges.get(&key).copied().unwrap_or(0);
        let expected = if told { before } else { before + 1 };
        if times != expected || times > most || told && times != most || topic.status != "open" || done {
            return wrong("S2", format!("{on} was reminded of {waiter} {before} times, then {times}"));
        }
        if topic.states.get(waiter).is_none_or(|state| state != "waiting") {
            return wrong("S2", format!("{waiter} waits for nobody, and {on} is reminded"));
        }
        if told && !topic.given_up.insert(key.clone()) {
            return wrong("S2", format!("{waiter} is told again that {on} does not move"));
        }
        topic.reminded.extend(clock.map(|now| (key.clone(), now)));
        topic.nudges.insert(key, times);
        Ok(())
    }
}
