//! What can happen in a state. What the rules refuse is tried as well where a refusal writes something; drafts that the
//! rules repair into another draft of this list [M5] are left out, as are choices between things that are the same for
//! the rules, such as two requests that came with the same wake.

use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::MessageType;
use ygg_domain::topic::Status;
use ygg_domain::turn::retry::ATTEMPTS;
use ygg_store::delivery::Step;

use super::Model;
use super::action::{Action, Crowd, Ending, Line, Says, Text, Type, Where, Who};
use super::bounds::{Style, Words};
use super::moment::{Delivery, Moment, Part, Topic, Wake};
use super::state::State;

pub fn of(model: &Model, state: &State) -> Vec<Action> {
    let world = World { model, state, moment: &state.moment };
    let topics = &state.moment.topics;
    let mut actions = Vec::new();
    for place in 0..model.cast.agents.len() {
        world.turns(place, &mut actions);
        world.says(Who::Agent(place), topics, &mut actions);
        for topic in topics.iter().filter(|topic| topic.status != Status::Closed) {
            world.tells(place, topic, &mut actions);
        }
    }
    if state.acts < model.bounds.acts {
        world.says(Who::Person, topics, &mut actions);
        world.decides(topics, &mut actions);
    }
    if state.hours < model.bounds.hours {
        actions.push(Action::Wait);
    }
    actions
}

/// What an agent may do with turns.
pub fn turns(model: &Model, state: &State, place: usize, actions: &mut Vec<Action>) {
    World { model, state, moment: &state.moment }.turns(place, actions);
}

/// A request that a response may name.
struct Answer {
    request: MessageId,
    asker: Who,
    is_owed: bool,
}

struct World<'a> {
    model: &'a Model,
    state: &'a State,
    moment: &'a Moment,
}

impl World<'_> {
    fn full(&self) -> bool {
        self.model.bounds.words == Words::Full
    }

    fn others(&self, who: Who) -> Crowd {
        let agents = (0..self.model.cast.agents.len()).map(Who::Agent);
        Crowd::of(agents.chain([Who::Person]).filter(|other| *other != who))
    }

    /// What somebody may do with turns.
    fn turns(&self, place: usize, actions: &mut Vec<Action>) {
        let style = self.model.cast.agents[place].style;
        if self.state.running[place].is_some() {
            actions.extend([Ending::Well, Ending::Failed].map(|how| Action::End(place, how)));
            return;
        }
        if style.is_live() && self.waits(place) {
            actions.push(Action::Read(place));
        }
        let is_ready =
            |wake: &Wake| wake.failed < ATTEMPTS && wake.not_before.is_none_or(|at| at <= self.moment.now);
        if style.is_run() && self.moment.pending(place).any(is_ready) {
            actions.push(Action::Begin(place));
        }
    }

    /// Whether reading an inbox may change anything.
    fn waits(&self, place: usize) -> bool {
        let unread = |row: &Delivery| row.recipient == Who::Agent(place) && row.step == Step::Pending;
        self.moment.pending(place).next().is_some()
            || self.moment.running(place).is_some()
            || !self.moment.agents[place].notices.is_empty()
            || self.moment.deliveries.iter().any(unread)
    }

    fn says(&self, who: Who, topics: &[Topic], actions: &mut Vec<Action>) {
        // Who is only run says something in a turn alone: by its own key it would be a session besides.
        if let Who::Agent(place) = who
            && self.model.cast.agents[place].style == Style::Run
            && self.state.running[place].is_none()
        {
            return;
        }
        if topics.len() < self.model.bounds.topics {
            self.lines(who, Where::New, &[], actions);
        }
        for topic in topics.iter().filter(|topic| topic.status != Status::Closed) {
            self.lines(who, Where::In(topic.id), &self.answers(who, topic.id), actions);
        }
        if self.full() && who != Who::Person && self.moment.pool > 0 {
            let to = Crowd::of(self.others(who).members().take(1));
            let (kind, says, text) = (Type::Inform, Says::Nothing, Text::New);
            actions.push(Action::Send(who, Line { to, place: Where::Nowhere, kind, says, text }));
        }
    }

    /// Requests that a response may name: one of those owed that are alike to the rules, and one that is not owed any
    /// more.
    fn answers(&self, who: Who, topic: TopicId) -> Vec<Answer> {
        let mut alike = Vec::new();
        let mut answers = Vec::new();
        let asked = |row: &&Delivery| row.recipient == who && row.topic == topic && row.debt.is_some();
        for row in self.moment.deliveries.iter().filter(asked) {
            let owed = row.owes().then_some((row.wake, row.folded, row.step.name()));
            if !alike.contains(&(row.sender, owed)) {
                alike.push((row.sender, owed));
                answers.push(Answer { request: row.message, asker: row.sender, is_owed: row.owes() });
            }
        }
        answers
    }

    fn lines(&self, who: Who, place: Where, answers: &[Answer], actions: &mut Vec<Action>) {
        let others = self.others(who);
        let mut short = false;
        for to in others.choices().filter(|to| !to.is_empty()) {
            // What cannot be paid is refused, whatever else it is.
            if who != Who::Person && self.moment.pool < i64::from(to.0.count_ones()) {
                let (kind, says, text) = (Type::Inform, Says::Nothing, Text::New);
                actions.extend((!short).then_some(Action::Send(who, Line { to, place, kind, says, text })));
                short = true;
                continue;
            }
            for (kind, asked) in self.kinds(answers) {
                if self.is_left_out(who, to, kind, asked) {
                    continue;
                }
                for says in self.states(who, place, to, asked) {
                    for text in texts(who, to, kind).iter().copied() {
                        actions.push(Action::Send(who, Line { to, place, kind, says, text }));
                    }
                }
            }
        }
    }

    fn kinds<'a>(&self, answers: &'a [Answer]) -> Vec<(Type, Option<&'a Answer>)> {
        let plain = [(Type::Request, None), (Type::Inform, None)];
        let responses = answers.iter().map(|answer| (Type::Response(Some(answer.request)), Some(answer)));
        plain.into_iter().chain(responses).collect()
    }

    /// An answer to what is not owed is context like an inform, so one to its asker says it all. Of few words, every
    /// answer goes to whoever asked, and every inform to one.
    fn is_left_out(&self, who: Who, to: Crowd, kind: Type, asked: Option<&Answer>) -> bool {
        match (kind, asked) {
            (Type::Response(_), Some(answer)) => {
                (!self.full() || !answer.is_owed) && to != Crowd::of([answer.asker])
            }
            (Type::Inform, _) => !self.full() && to != Crowd::of(self.others(who).members().take(1)),
            (Type::Request | Type::Response(_), _) => false,
        }
    }

    /// States that the sender may say it is in. Who is at work anyway, or gets to it by writing, need not say so where
    /// there is one topic: that it said so is looked at from others alone [K4].
    fn states(&self, who: Who, place: Where, to: Crowd, asked: Option<&Answer>) -> Vec<Says> {
        if asked.is_some_and(|answer| !answer.is_owed) {
            return vec![Says::Nothing];
        }
        if who == Who::Person {
            return vec![Says::Nothing, Says::Done];
        }
        let mut states = vec![Says::Nothing, Says::NeedsHuman, Says::Done];
        if self.model.bounds.topics > 1 || !self.is_at_work(who, place) {
            states.push(Says::Working);
        }
        let debtors = match place {
            Where::In(topic) => self.debtors(who, topic),
            Where::New | Where::Nowhere => Crowd::default(),
        };
        let on = if self.full() { Crowd(to.0 | debtors.0) } else { to };
        let few = |choice: &Crowd| self.full() || *choice == to;
        states.extend(on.choices().filter(few).map(Says::Waiting));
        states
    }

    fn is_at_work(&self, who: Who, place: Where) -> bool {
        let Where::In(topic) = place else { return true };
        let own = self.moment.party(topic, who);
        own.is_none_or(|party| matches!(party.part, Part::Informed | Part::Working))
    }

    /// Those who owe the sender an answer there.
    fn debtors(&self, who: Who, topic: TopicId) -> Crowd {
        let mine = self.moment.debts(topic).filter(|row| row.sender == who);
        Crowd::of(mine.map(|row| row.recipient))
    }

    fn tells(&self, place: usize, topic: &Topic, actions: &mut Vec<Action>) {
        if self.model.cast.agents[place].style == Style::Run && self.state.running[place].is_none() {
            return;
        }
        if self.moment.party(topic.id, Who::Agent(place)).is_some() {
            actions.extend([Says::Working, Says::Done].map(|says| Action::Tell(place, topic.id, says)));
        }
    }

    /// What the person may decide besides.
    fn decides(&self, topics: &[Topic], actions: &mut Vec<Action>) {
        let open = topics.iter().filter(|topic| topic.status != Status::Closed);
        actions.extend(open.map(|topic| Action::Close(topic.id)));
        actions.push(Action::Grant);
        let agents = self.moment.agents.iter().enumerate();
        actions.extend(agents.map(|(place, agent)| Action::Pause(place, !agent.is_paused)));
    }
}

/// Only a request is held against what was said before, and only an agent's.
fn texts(who: Who, to: Crowd, kind: Type) -> &'static [Text] {
    let compared = who != Who::Person && to.has_agents() && kind == Type::Request;
    if compared { &[Text::New, Text::Same] } else { &[Text::New] }
}

/// The type as the rules call it.
pub fn kind(kind: Type) -> MessageType {
    match kind {
        Type::Request => MessageType::Request,
        Type::Response(_) => MessageType::Response,
        Type::Inform => MessageType::Inform,
    }
}
