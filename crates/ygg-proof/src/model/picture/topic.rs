//! What of an open topic is in a picture.

use std::time::Duration;

use ygg_domain::id::WakeId;
use ygg_domain::message::Effect;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::Status;
use ygg_store::delivery::{DebtStatus, Step};

use super::draw::{Draw, crowd, is, who};
use super::{NONE, Part, Row};
use crate::model::action::{Crowd, Who};
use crate::model::moment::{Delivery, Part as TopicPart, Party, Topic};

const HALF_A_MINUTE: Duration = Duration::from_secs(30);

impl Draw<'_> {
    pub fn topic(&self, place: usize, rows: &mut Vec<Row>) {
        let topic = self.topics[place];
        let runs = topic.status == Status::Open;
        let heard = self.moment.last_heard(topic).filter(|_| runs);
        let mut row = |tag: i64, parts: Row| {
            rows.push([Part::Is(tag), Part::Topic(place)].into_iter().chain(parts).collect());
        };
        row(
            10,
            vec![
                is(topic.status.needs_human()),
                is(topic.status.lacks_credits()),
                is(topic.is_titled),
                who(topic.opener),
                self.time_if(topic.due.filter(|_| runs)),
                self.time_if(heard),
            ],
        );
        for party in &topic.parties {
            row(11, self.party(topic, party, heard));
        }
        self.nudged(topic).into_iter().for_each(|parts| row(12, parts));
        let unanswered = self.moment.wakes.iter();
        let unanswered =
            unanswered.filter(|wake| wake.topic == Some(topic.id) && wake.status.is_unanswered());
        for wake in unanswered {
            let mut parts =
                vec![Part::Who(wake.agent), is(self.wake_place(wake.agent, wake.id).unwrap_or(NONE))];
            parts.extend(self.wake(wake));
            row(13, parts);
        }
        self.worked(topic).into_iter().for_each(|parts| row(14, parts));
        let here = self.moment.deliveries.iter().filter(|row| row.topic == topic.id);
        here.filter_map(|delivery| self.delivery(delivery)).for_each(|parts| row(15, parts));
        if !self.is_spent {
            self.settled(topic).into_iter().for_each(|parts| row(16, parts));
            self.volleys(topic).into_iter().for_each(|parts| row(17, parts));
        }
    }

    fn party(&self, topic: &Topic, party: &Party, heard: Option<Timestamp>) -> Row {
        let (part, on) = match party.part {
            TopicPart::Informed => (0, Crowd::default()),
            TopicPart::Working => (1, Crowd::default()),
            TopicPart::Waiting(on) => (2, on),
            TopicPart::NeedsHuman => (3, Crowd::default()),
            TopicPart::Done => (4, Crowd::default()),
        };
        let mut row = vec![who(party.who), is(part), crowd(on)];
        // In one topic alone nobody looks whether it works in another.
        row.push(is(party.declared && self.topics.len() > 1));
        // Clocks that stand start afresh when the topic goes on.
        let runs = topic.status == Status::Open;
        let waits = matches!(party.part, TopicPart::Waiting(_));
        row.push(self.time_if(Some(party.since).filter(|_| waits && runs)));
        // Whether it was asked if it is done, and from when the time runs that it has [S6].
        row.push(is(party.asked_at.is_some()));
        let wrote = self.moment.last_written(topic.id, party.who);
        let wrote_at = wrote.map(|wrote| wrote.sent_at);
        let replied = wrote_at.filter(|at| Some(*at) > party.asked_at).max(party.replied_at);
        let replied = replied.filter(|_| party.asked_at.is_some());
        let served = self.moment.last_served(topic.id, party.who);
        let begun = party.asked_at.max(served).filter(|at| runs && Some(*at) > heard);
        let begun = begun.filter(|_| party.asked_at.is_some() && replied.is_none());
        let served = served.filter(|_| runs && replied.is_some());
        row.extend([self.time_if(replied), self.time_if(begun), self.time_if(served)]);
        // Who waits on it and has heard from it since, and when that was [S2].
        let waits_on = |waiter: &&Party| {
            let on = matches!(waiter.part, TopicPart::Waiting(on) if on.has(party.who));
            on && waiter.waits_from.zip(wrote).is_some_and(|(from, wrote)| wrote.seq > from)
        };
        let heard_by = Crowd::of(topic.parties.iter().filter(waits_on).map(|waiter| waiter.who));
        row.push(crowd(heard_by));
        row.push(self.time_if(wrote_at.filter(|_| runs && !heard_by.is_empty())));
        row
    }

    /// Reminders, counted from when the waiter last paid for something to the other.
    fn nudged(&self, topic: &Topic) -> Vec<Row> {
        let policy = &self.cast.policy;
        let mut rows = Vec::new();
        for nudged in &topic.nudged {
            let paid = self.moment.last_sent(topic.id, nudged.waiter, nudged.on);
            let counts = paid.is_none_or(|paid| paid <= nudged.last_at);
            let (times, told) = if counts { (nudged.times, nudged.told) } else { (0, false) };
            // Of reminders that had come to their end the next comes its time after what was paid.
            let last_at = paid.filter(|_| !counts && nudged.told).unwrap_or(nudged.last_at);
            let waiter = topic.parties.iter().find(|party| party.who == nudged.waiter);
            let waits = waiter
                .is_some_and(|waiter| matches!(waiter.part, TopicPart::Waiting(on) if on.has(nudged.on)));
            let counts_still =
                |last: &Timestamp| self.moment.now.since(*last) <= policy.nudge_every + HALF_A_MINUTE;
            let last = Some(last_at).filter(|last| waits && !told && counts_still(last));
            if times > 0 || last.is_some() {
                let last = self.time_if(last);
                rows.push(vec![who(nudged.waiter), who(nudged.on), is(times), is(told), last]);
            }
        }
        rows
    }

    /// Supervised turns of somebody who is waited for, as far as they stretch the wait [S2].
    fn worked(&self, topic: &Topic) -> Vec<Row> {
        let waits = topic.parties.iter().filter_map(|party| match party.part {
            TopicPart::Waiting(on) => Some((party.since, on)),
            _ => None,
        });
        let waits: Vec<(Timestamp, Crowd)> = waits.collect();
        let turns =
            self.moment.turns.iter().filter(|turn| turn.is_supervised && turn.topic == Some(topic.id));
        let stretches = turns.filter(|turn| {
            let agent = Who::Agent(turn.agent);
            waits.iter().any(|(since, on)| on.has(agent) && turn.ended_at.is_none_or(|ended| ended >= *since))
        });
        let row = |turn: &crate::model::moment::Turn| {
            vec![Part::Who(turn.agent), self.time(turn.began_at), self.time_if(turn.ended_at)]
        };
        stretches.map(row).collect()
    }

    fn delivery(&self, row: &Delivery) -> Option<Row> {
        let place = |wake: Option<WakeId>| match row.recipient {
            Who::Agent(agent) => wake.and_then(|wake| self.wake_place(agent, wake)),
            Who::Person => None,
        };
        let wake = place(row.wake);
        let is_carried = wake.is_some() && row.step == Step::Pending;
        let turn = row.turn.and_then(|turn| self.moment.turn(turn));
        let is_handed = wake.is_some() && turn.is_some_and(|turn| turn.runs && turn.is_supervised);
        let returns = turn.is_some_and(|turn| turn.runs && turn.is_supervised);
        let folded = place(row.folded).filter(|_| row.owes() && (row.step == Step::Pending || returns));
        let is_held = row.is_held_back();
        if !(row.owes() || is_held || is_handed || is_carried) {
            return None;
        }
        Some(vec![
            who(row.recipient),
            who(row.sender),
            is(is_carried),
            is(row.owes()),
            is(is_held),
            is(is_handed),
            is(wake.unwrap_or(NONE)),
            is(folded.unwrap_or(NONE)),
            is(folded.is_some() && row.step == Step::Pending),
            is(is_held && row.answers),
        ])
    }

    /// Who has answered whom: that may be tried again [M4].
    fn settled(&self, topic: &Topic) -> Vec<Row> {
        let settled = self.moment.deliveries.iter();
        let settled = settled.filter(|row| row.topic == topic.id && row.debt == Some(DebtStatus::Settled));
        let mut rows: Vec<Row> = settled.map(|row| vec![who(row.recipient), who(row.sender)]).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Waking messages at the end of the topic between two agents, and nobody else's [L2].
    fn volleys(&self, topic: &Topic) -> Vec<Row> {
        let rounds = i64::from(self.cast.policy.loop_rounds);
        let mut rows = Vec::new();
        for one in 0..self.cast.agents.len() {
            for other in one + 1..self.cast.agents.len() {
                let both = Crowd::of([Who::Agent(one), Who::Agent(other)]);
                let here = self.moment.deliveries.iter().rev().filter(|row| row.topic == topic.id);
                let volley = here.take_while(|row| both.has(row.sender));
                let woke = volley.filter(|row| both.has(row.recipient) && row.effect == Effect::Wake).count();
                if woke > 0 {
                    rows.push(vec![crowd(both), Part::Is(rounds.min(woke as i64))]);
                }
            }
        }
        rows
    }
}
