//! Time: nobody is reminded, asked or counted done before theirs has come [S2, S6]. It is looked at where the clock only goes
//! on.

use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;

use super::book::{In, Wake};
use super::{Checked, Doer, Monitor, is_agent, wrong};

impl Monitor {
    /// What the clock shows from here on; nothing where it may jump.
    pub fn tick(&mut self, now: Option<Timestamp>) {
        self.clock = now;
    }

    /// How long nothing was said in the topic, where that is known.
    fn silent_since(&self, topic: &str) -> Option<(Timestamp, Timestamp)> {
        Some((self.clock?, self.book.topics.get(topic)?.heard_at?))
    }

    /// Asked whether it is done: after some silence, and after days of it where nobody is.
    pub(super) fn may_be_asked(&self, topic: &str, who: &str) -> Checked {
        let policy = Policy::default();
        let Some((now, heard)) = self.silent_since(topic) else { return Ok(()) };
        let states = self.book.topics.get(topic).into_iter().flat_map(|topic| topic.states.values());
        let some_done = states.into_iter().any(|state| state == "done");
        let quiet = if some_done { policy.poll_after } else { policy.idle_after };
        if now < heard.after(quiet) {
            return wrong("S6", format!("{who} is asked too soon whether it is done in {topic}"));
        }
        Ok(())
    }

    /// By the clock alone, before its state is written down.
    pub(super) fn may_be_counted(&self, topic: &str, who: &str) -> Checked {
        if self.now.doer != Doer::Clock || !is_agent(who) {
            return Ok(());
        }
        let policy = Policy::default();
        let Some(told) = self.book.topics.get(topic) else { return Ok(()) };
        let informed = told.states.get(who).is_some_and(|state| state == "informed");
        if !informed && !told.ever_asked.contains(who) {
            return wrong("S6", format!("{who} is counted done in {topic} and was never asked"));
        }
        let Some((now, heard)) = self.silent_since(topic) else { return Ok(()) };
        // Whoever spoke after they were asked has a day of their own.
        let own_day = told.spoke.get(who).is_some_and(|spoke| now >= spoke.after(policy.poll_silence));
        let quiet = if own_day { policy.poll_after } else { policy.poll_answer };
        if now < heard.after(quiet) {
            return wrong("S6", format!("{who} is counted done in {topic} too soon"));
        }
        let waits = |wake: &&Wake| {
            let lately = wake.made_at.is_some_and(|made| now < made.after(policy.unhanded));
            lately && !wake.handed && matches!(wake.kind.as_str(), "request" | "response")
        };
        match self.book.unanswered_in(who, Some(topic)).find(waits) {
            Some(_) => {
                wrong("S6", format!("{who} is counted done in {topic} and was not handed what wakes it"))
            }
            None => Ok(()),
        }
    }

    /// A reminder comes no sooner than ten minutes after whatever begins them, and not while its reader is at work.
    pub(super) fn may_be_reminded(&self, topic: &str, key: &In) -> Checked {
        let policy = Policy::default();
        let ((waiter, on), Some(told)) = (key, self.book.topics.get(topic)) else { return Ok(()) };
        let works = self.book.running.get(on).and_then(|turn| self.book.turns.get(turn));
        if works.is_some_and(|turn| turn.supervised && turn.topic.as_deref() == Some(topic)) {
            return wrong("S2", format!("{on} is at work in {topic} and is reminded"));
        }
        let owes = told.owed.iter().any(|(request, debtor)| {
            debtor == on && self.book.messages.get(request).is_some_and(|asked| asked.sender == *waiter)
        });
        let declared = told.declared.get(waiter).max(told.wrote.get(waiter).map(|(seq, _)| seq));
        if !owes && told.wrote.get(on).map(|(seq, _)| seq) > declared {
            return wrong("S2", format!("{on} has answered {waiter} and is reminded"));
        }
        let Some(now) = self.clock else { return Ok(()) };
        let last = told.reminded.get(key).copied();
        let wrote = told.wrote.get(on).and_then(|(_, at)| *at);
        let begun = [last, wrote, told.waits_since.get(waiter).copied(), told.resumed_at];
        let begun = begun.into_iter().flatten().max();
        if begun.is_some_and(|begun| now < begun.after(policy.nudge_every.min(policy.nudge_after))) {
            return wrong("S2", format!("{on} is reminded of {waiter} too soon"));
        }
        Ok(())
    }
}
