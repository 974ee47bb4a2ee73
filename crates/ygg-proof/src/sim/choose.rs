//! What happens next, drawn: who acts, and what one of that temper does in its place.

use super::people;
use super::scene::{Actor, Taker, Temper};
use super::step::{Act, Crash, Forged, Kind, Line, Place, Says, Step, To, Trouble, Who, Words};
use super::world::{Client, Shown, World};
use crate::dice::Dice;

/// Agents that something was sent to of late: they act sooner than others.
const HOT: usize = 24;

pub struct Choices {
    dice: Dice,
    hot: Vec<u16>,
}

impl Choices {
    pub fn new(dice: Dice) -> Self {
        Self { dice, hot: Vec::new() }
    }

    pub fn next(&mut self, world: &World, n: u32) -> Step {
        let act = self.act(world);
        let dies = world.scene.dies && self.dice.often(4) && !matches!(act, Act::SetBack { .. });
        let how = self.dice.any([Trouble::LosesWrite, Trouble::LosesAnswer]);
        let write = u32::from(self.dice.often(20));
        Step { n, act, crash: dies.then_some(Crash { write, how }) }
    }

    /// Something was addressed to these.
    pub fn heat(&mut self, agents: impl Iterator<Item = u16>) {
        for agent in agents.take(HOT) {
            self.hot.retain(|hot| *hot != agent);
            self.hot.push(agent);
        }
        let over = self.hot.len().saturating_sub(HOT);
        self.hot.drain(..over);
    }

    fn act(&mut self, world: &World) -> Act {
        let dice = &mut self.dice;
        match dice.below(1_000) {
            0..40 => return people::time(world, dice),
            40..110 => return people::act(world, dice),
            _ => {}
        }
        let anybody = dice.small(world.scene.agents.len());
        let hot = dice.recent(&self.hot).copied();
        let number = hot.filter(|_| dice.often(75)).unwrap_or(anybody);
        let Some(actor) = world.scene.actor(number) else { return Act::Wait { seconds: 1 } };
        Playing { world, dice, number, actor, client: &world.agents[usize::from(number)] }.act()
    }
}

/// One agent, about to act.
struct Playing<'a> {
    world: &'a World,
    dice: &'a mut Dice,
    number: u16,
    actor: Actor,
    client: &'a Client,
}

impl Playing<'_> {
    fn act(&mut self) -> Act {
        if self.actor.temper == Temper::Hostile && self.dice.often(60) {
            return self.harm();
        }
        if self.client.turn.is_some() {
            return self.in_a_turn();
        }
        let talks = match self.actor.temper {
            Temper::Silent => 0,
            Temper::Crashing => 15,
            Temper::Good | Temper::Echoing | Temper::Hostile => 45,
            Temper::Chatty => 60,
        };
        if self.dice.often(talks) { self.talk() } else { self.take() }
    }

    fn take(&mut self) -> Act {
        let by = self.number;
        let relay = match self.actor.taker {
            Taker::Live => false,
            Taker::Relay => true,
            Taker::Both => self.dice.often(50),
        };
        match (relay, self.dice.below(12)) {
            (true, _) => Act::Begin { by, lease_seconds: self.dice.any([5, 30, 600]) },
            (false, 0) => Act::Peek { by },
            (false, _) => Act::Read { by },
        }
    }

    fn in_a_turn(&mut self) -> Act {
        let by = self.number;
        let roll = self.dice.below(100);
        match self.actor.temper {
            Temper::Silent => Act::End { by, well: true },
            Temper::Crashing if roll < 45 => Act::End { by, well: false },
            // It is not heard of again until its lease is over.
            Temper::Crashing if roll < 70 => self.take(),
            Temper::Crashing if roll < 80 => Act::Renew { by, lease_seconds: 60 },
            Temper::Good | Temper::Chatty | Temper::Echoing | Temper::Hostile if roll < 25 => {
                Act::End { by, well: true }
            }
            _ if roll < 30 => Act::Renew { by, lease_seconds: 30 },
            _ => self.talk(),
        }
    }

    fn talk(&mut self) -> Act {
        if self.dice.often(4) {
            return Act::Task { by: self.number, done: self.dice.often(50) };
        }
        let shown = self.dice.recent(&self.client.shown).copied();
        let line = match (self.actor.temper, shown) {
            (Temper::Chatty, Some(shown)) if self.dice.often(75) => self.ask_back(shown),
            (Temper::Echoing, Some(shown)) if self.dice.often(85) => self.echo(shown),
            (Temper::Chatty, _) => self.open(),
            (_, Some(shown)) if shown.request && self.dice.often(75) => self.answer(shown),
            (_, Some(_)) if self.dice.often(30) => return self.wind_up(),
            (_, Some(shown)) if self.dice.often(30) => self.ask_back(shown),
            _ => self.open(),
        };
        Act::Send { by: Who::Agent(self.number), line }
    }

    fn sender(&self, message: u32) -> To {
        self.world.said.messages.get(&message).map_or(To::Conversation, |message| To::from(message.by))
    }

    fn answer(&mut self, shown: Shown) -> Line {
        let says = match self.dice.below(10) {
            0..3 => Some(Says::Done),
            3 => Some(Says::Working),
            4 => Some(Says::Waiting),
            5 if self.dice.often(30) => Some(Says::NeedsHuman),
            _ => None,
        };
        let asker = self.sender(shown.message);
        let waiting_for = if says == Some(Says::Waiting) { vec![asker] } else { Vec::new() };
        Line {
            answers: Some(shown.message),
            says,
            waiting_for,
            ..self.line(vec![asker], Kind::Response, Place::In(shown.topic))
        }
    }

    fn ask_back(&mut self, shown: Shown) -> Line {
        let asker = self.sender(shown.message);
        let to = match self.dice.below(10) {
            0 => vec![To::Conversation],
            1 => vec![asker, To::Agent(self.somebody())],
            _ => vec![asker],
        };
        let waits = self.dice.often(30);
        let words = match self.dice.below(5) {
            0 => Words::Same(self.dice.small(2)),
            1 => Words::Long(self.dice.any([900, 1_001, 7_000])),
            _ => Words::Own,
        };
        Line {
            says: waits.then_some(Says::Waiting),
            waiting_for: if waits { vec![asker] } else { Vec::new() },
            words,
            ..self.line(to, Kind::Request, Place::In(shown.topic))
        }
    }

    fn echo(&mut self, shown: Shown) -> Line {
        let answers = (shown.request && self.dice.often(50)).then_some(shown.message);
        let kind = if answers.is_some() { Kind::Response } else { Kind::Request };
        let to = vec![self.sender(shown.message)];
        Line { answers, words: Words::Echo(shown.message), ..self.line(to, kind, Place::In(shown.topic)) }
    }

    fn open(&mut self) -> Line {
        let groups = self.world.scene.groups.len();
        let (to, place) = match self.dice.below(20) {
            0 => (vec![To::Person(self.dice.small(self.world.people.len()))], Place::New),
            1..4 => {
                let group = self.dice.small(groups);
                (vec![To::Conversation], Place::NewIn(group))
            }
            4..6 => (vec![To::Group(self.dice.small(groups))], Place::New),
            6..9 => (vec![To::Agent(self.somebody()), To::Agent(self.somebody())], Place::New),
            _ => (vec![To::Agent(self.somebody())], Place::New),
        };
        let waits = self.dice.often(35);
        let waiting_for = if waits { to.clone() } else { Vec::new() };
        let kind = if self.dice.often(85) { Kind::Request } else { Kind::Inform };
        Line { says: waits.then_some(Says::Waiting), waiting_for, ..self.line(to, kind, place) }
    }

    /// It says that it is done with something, or that it is not.
    fn wind_up(&mut self) -> Act {
        let by = self.number;
        let Some(topic) = self.dice.recent(&self.client.topics).copied() else { return self.take() };
        if self.dice.often(50) {
            let says = if self.dice.often(75) { Says::Done } else { Says::Working };
            return Act::Tell { by, topic, says };
        }
        let line = self.line(vec![To::Conversation], Kind::Inform, Place::In(topic));
        Act::Send { by: Who::Agent(by), line: Line { says: Some(Says::Done), ..line } }
    }

    /// Whom it likes: a few, so that there is a back and forth.
    fn somebody(&mut self) -> u16 {
        let near = usize::from(self.number) + 1 + self.dice.below(4);
        let near = u16::try_from(near % self.world.scene.agents.len().max(1)).unwrap_or(0);
        if self.dice.often(80) { near } else { self.dice.small(self.world.scene.agents.len()) }
    }

    fn line(&mut self, to: Vec<To>, kind: Kind, place: Place) -> Line {
        Line {
            to,
            kind,
            place,
            answers: None,
            says: None,
            waiting_for: Vec::new(),
            words: Words::Own,
            keyed: self.dice.often(50),
            forged: None,
        }
    }

    /// Anything to anybody, by all fields.
    fn harm(&mut self) -> Act {
        let by = self.number;
        let known = self.dice.recent(&self.client.topics).copied();
        let messages = self.world.said.messages.len();
        let back = self.dice.below(messages.min(50));
        let message = self.world.said.messages.keys().rev().nth(back).copied();
        let topics = self.world.said.topics.len();
        let back = self.dice.below(topics.min(50));
        let foreign = self.world.said.topics.keys().rev().nth(back).copied();
        let topic = if self.dice.often(60) { known.or(foreign) } else { foreign };
        if let (true, Some(topic)) = (self.dice.often(15), topic) {
            let says = self.dice.any([Says::Done, Says::Working, Says::NeedsHuman, Says::Waiting]);
            return Act::Tell { by, topic, says };
        }
        let place = match (self.dice.below(20), topic) {
            (0, _) => Place::Nowhere,
            (1, _) => Place::Nonsense,
            (2..5, _) | (_, None) => Place::New,
            (5, _) => Place::NewIn(self.dice.small(self.world.scene.groups.len())),
            (_, Some(topic)) => Place::In(topic),
        };
        let to = (0..1 + self.dice.below(2)).map(|_| self.anybody()).collect();
        let kind =
            self.dice.any([Kind::Request, Kind::Request, Kind::Response, Kind::Inform, Kind::Question]);
        let says = self.dice.any([
            None,
            None,
            Some(Says::Working),
            Some(Says::Waiting),
            Some(Says::Done),
            Some(Says::Done),
            Some(Says::NeedsHuman),
            Some(Says::Finished),
        ]);
        let line = self.line(to, kind, place);
        let line = Line {
            answers: message.filter(|_| self.dice.often(50)),
            says,
            waiting_for: (0..self.dice.below(3)).map(|_| self.anybody()).collect(),
            words: match self.dice.below(6) {
                0 | 1 => Words::Same(self.dice.small(2)),
                2 => Words::Nothing,
                3 => Words::Long(self.dice.any([999, 1_000, 5_000])),
                _ => Words::Own,
            },
            forged: self.forged(),
            ..line
        };
        Act::Send { by: Who::Agent(by), line }
    }

    fn anybody(&mut self) -> To {
        match self.dice.below(20) {
            0 => To::Nobody,
            1 => To::Backend,
            2 => To::Agent(self.number),
            3 => To::Person(self.dice.small(self.world.people.len())),
            4 => To::Group(self.dice.small(self.world.scene.groups.len())),
            5..8 => To::Conversation,
            _ => To::Agent(self.somebody()),
        }
    }

    fn forged(&mut self) -> Option<Forged> {
        match self.dice.below(20) {
            0 => Some(Forged::Sender),
            1 => Some(Forged::Charge),
            2 => Some(Forged::Hop),
            3 => Some(Forged::WrongTypes),
            4 => Some(Forged::NoObject),
            5 => Some(Forged::OldKey),
            _ => None,
        }
    }
}
