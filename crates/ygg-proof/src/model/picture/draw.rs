//! What of a state is in its picture, but for its topics.

use std::time::Duration;
use ygg_domain::id::{TopicId, WakeId};
use ygg_domain::notice::NoticeKind;
use ygg_domain::time::Timestamp;
use ygg_domain::wake::{WakeKind, WakeStatus};

use super::{NONE, PERSON, Part, Row, Seen};
use crate::model::action::{Crowd, Who};
use crate::model::bounds::Bounds;
use crate::model::cast::Cast;
use crate::model::moment::{Moment, Notice, Topic, Turn, Wake};
use crate::model::state::State;

/// For so long nobody is counted done who was not handed a request [S6].
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const HALF_MINUTE_MS: i64 = 30_000;
/// In half minutes: no rule holds anything against a time that is longer ago.
const LONG_AGO: i64 = -8 * 24 * 60 * 2;
/// Stands for no time.
const NEVER: i64 = i64::MIN;

pub struct Draw<'a> {
    pub cast: &'a Cast,
    pub moment: &'a Moment,
    pub topics: Vec<&'a Topic>,
    /// No agent can send anything that costs any more, nor a person do anything: what only sends are held against
    /// counts no more.
    pub is_spent: bool,
}

pub fn draw(cast: &Cast, bounds: &Bounds, state: &State) -> Seen {
    let moment = &*state.moment;
    let is_spent = state.is_silent || state.acts >= bounds.acts && moment.pool == 0;
    let draw = Draw { cast, moment, topics: moment.open_topics().collect(), is_spent };
    let plain = [i64::from(state.acts), i64::from(state.hours), moment.topics.len() as i64, moment.pool];
    let mut rows = if state.is_silent { Vec::new() } else { vec![plain.map(Part::Is).to_vec()] };
    for place in 0..cast.agents.len() {
        draw.agent(place, &mut rows);
    }
    draw.marks(&mut rows);
    for place in 0..draw.topics.len() {
        draw.topic(place, &mut rows);
    }
    Seen { rows, topics: draw.topics.len() }
}

pub fn is(value: impl Into<i64>) -> Part {
    Part::Is(value.into())
}

pub fn who(who: Who) -> Part {
    match who {
        Who::Agent(place) => Part::Who(place),
        Who::Person => Part::Who(PERSON),
    }
}

pub fn crowd(crowd: Crowd) -> Part {
    let bit = |who| match who {
        Who::Agent(place) => 1u64 << place,
        Who::Person => 1 << PERSON,
    };
    Part::Crowd(crowd.members().map(bit).sum())
}

impl Draw<'_> {
    /// From now, in half minutes.
    pub fn time(&self, at: Timestamp) -> Part {
        let away = at.0.saturating_sub(self.moment.now.0).saturating_add(HALF_MINUTE_MS / 2);
        Part::Is(away.div_euclid(HALF_MINUTE_MS).max(LONG_AGO))
    }

    pub fn time_if(&self, at: Option<Timestamp>) -> Part {
        at.map_or(Part::Is(NEVER), |at| self.time(at))
    }

    /// -1 for none, -2 for one that is closed.
    fn topic_named(&self, id: Option<TopicId>) -> Part {
        let place = |id| self.topics.iter().position(|topic| topic.id == id);
        id.map_or(Part::Is(NONE), |id| place(id).map_or(Part::Is(NONE - 1), Part::Topic))
    }

    fn agent(&self, place: usize, rows: &mut Vec<Row>) {
        let agent = &self.moment.agents[place];
        let mut row = vec![is(1), Part::Who(place), is(agent.is_paused)];
        let running = self.running(place);
        let is_session = running.is_some_and(|turn| !turn.is_supervised);
        let counts = self.cast.agents[place].style.is_run() || is_session;
        row.push(self.time_if(agent.attended_until.filter(|until| counts && *until > self.moment.now)));
        if let Some(turn) = running {
            row.extend([is(turn.is_supervised), self.topic_named(turn.topic)]);
            // A session's attention says when it lapses.
            row.push(self.time_if(Some(turn.due).filter(|_| turn.is_supervised)));
        }
        rows.push(row);
        for short in self.moment.shortfalls.iter().filter(|short| short.agent == Who::Agent(place)) {
            // What is lacking for no topic is only looked at when somebody grants something.
            if !(self.is_spent && short.topic.is_none()) {
                let needed = if self.is_spent { 0 } else { short.needed };
                rows.push(vec![is(2), Part::Who(place), self.topic_named(short.topic), is(needed)]);
            }
        }
        // Wakes in order of making: which topic is served first.
        let mut order = vec![is(3), Part::Who(place)];
        for wake in self.moment.pending(place) {
            order.push(self.topic_named(wake.topic));
            if wake.topic.is_none() {
                order.extend(self.wake(wake));
            }
        }
        rows.push(order);
        let pending = agent.notices.iter().filter_map(|notice| self.notice(place, notice, false));
        let handed = agent.handed.iter().filter_map(|notice| self.notice(place, notice, true));
        let mut told: Vec<Row> = pending.chain(handed).collect();
        told.sort_unstable();
        told.dedup();
        rows.append(&mut told);
    }

    /// The agent's turn, if anything may still come of it: of a session's only what it took.
    fn running(&self, place: usize) -> Option<&Turn> {
        let running = self.moment.running(place)?;
        let mut wakes = self.moment.wakes.iter();
        let took = |wake: &Wake| wake.turn == Some(running.id) && wake.status == WakeStatus::Taken;
        (running.is_supervised || wakes.any(took)).then_some(running)
    }

    /// What comes with a wake; whatever else an agent is told is context.
    fn notice(&self, place: usize, notice: &Notice, is_handed: bool) -> Option<Row> {
        let wake = self.wake_place(place, notice.wake?)?;
        // A reminder is found by whom it is about.
        let about = notice.about.filter(|_| notice.kind == NoticeKind::Nudge);
        let about = about.map_or(Part::Is(NONE), who);
        Some(vec![is(4), Part::Who(place), self.topic_named(notice.topic), about, is(wake), is(is_handed)])
    }

    /// The place of a wake among the unanswered ones of its agent in its topic, after those without; none where it is
    /// over.
    pub fn wake_place(&self, agent: usize, id: WakeId) -> Option<i64> {
        let wake = self.moment.wake(id).filter(|wake| wake.agent == agent)?;
        let beside =
            |one: &&Wake| one.agent == agent && one.topic == wake.topic && one.status.is_unanswered();
        let place = self.moment.wakes.iter().filter(beside).position(|one| one.id == id)?;
        Some(place as i64 + if wake.topic.is_none() { 10 } else { 0 })
    }

    pub fn wake(&self, wake: &Wake) -> Row {
        let kind = match wake.kind {
            WakeKind::Nudge => 1,
            kind if kind.is_notice() => 2,
            _ => 0,
        };
        let now = self.moment.now;
        let is_pending = wake.status == WakeStatus::Pending;
        // For as long as it keeps its agent from being counted done [S6].
        let counts = |at: &Timestamp| {
            is_pending
                && wake.topic.is_some()
                && now.since(*at) < WEEK
                && (!wake.kind.is_notice() || self.moment.carries_unread(wake.id))
        };
        vec![
            is(kind),
            is(is_pending),
            is(wake.operator),
            is(wake.failed),
            self.time_if(wake.not_before.filter(|at| *at > now)),
            is(wake.handed_on),
            self.time_if(Some(wake.made_at).filter(counts)),
        ]
    }

    /// The last time that an agent said the same words to another, in each topic [L1].
    fn marks(&self, rows: &mut Vec<Row>) {
        if self.is_spent {
            return;
        }
        let (moment, policy) = (self.moment, &self.cast.policy);
        let mut seen = Vec::new();
        for (place, said) in moment.deliveries.iter().enumerate().rev().filter(|(_, row)| row.is_same) {
            let between = (said.sender, said.recipient, said.topic);
            if seen.contains(&between) {
                continue;
            }
            seen.push(between);
            let later = moment.deliveries[place + 1..].iter();
            let after = later.clone().filter(|row| (row.sender, row.recipient, row.topic) == between).count();
            let after = after.min(policy.loop_texts as usize);
            let until = said.sent_at.after(policy.loop_window);
            let is_fresh = until > moment.now;
            let topic = self.topic_named(Some(said.topic));
            if !is_fresh && (after == policy.loop_texts as usize || matches!(topic, Part::Is(_))) {
                continue;
            }
            let until = self.time_if(Some(until).filter(|_| is_fresh));
            let mut row =
                vec![is(5), who(said.sender), who(said.recipient), topic, Part::Is(after as i64), until];
            // Topics where the person wrote since [L3].
            for (place, topic) in self.topics.iter().enumerate() {
                if later.clone().any(|row| row.topic == topic.id && row.sender == Who::Person) {
                    row.push(Part::Topic(place));
                }
            }
            rows.push(row);
        }
    }
}
