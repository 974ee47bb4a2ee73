//! What people do now and then, and time that passes.

use super::step::{Act, Kind, Line, Place, Pot, To, Who, Words};
use super::world::World;
use crate::dice::Dice;

const MINUTE: u32 = 60;
const HOUR: u32 = 60 * MINUTE;
const DAY: u32 = 24 * HOUR;

pub fn time(world: &World, dice: &mut Dice) -> Act {
    if world.scene.clock_jumps && dice.often(10) {
        return Act::SetBack { seconds: dice.any([30, 20 * MINUTE, 5 * HOUR]) };
    }
    let seconds = dice.any([
        1,
        10,
        31,
        2 * MINUTE,
        2 * MINUTE,
        11 * MINUTE,
        11 * MINUTE,
        11 * MINUTE,
        35 * MINUTE,
        70 * MINUTE,
        70 * MINUTE,
        25 * HOUR,
        8 * DAY,
    ]);
    Act::Wait { seconds }
}

pub fn act(world: &World, dice: &mut Dice) -> Act {
    // Most of the time somebody who may.
    let by = if dice.often(80) { dice.small(2) } else { dice.small(world.people.len()) };
    let agent = dice.small(world.scene.agents.len());
    let topic = topic(world, dice);
    match dice.below(100) {
        0..45 => write(world, dice, by),
        45..60 => Act::Grant { by, to: pot(dice, agent, topic), credits: dice.any([1, 5, 40, 400]) },
        60..66 => Act::Pause { by, agent, paused: true },
        66..78 => Act::Pause { by, agent: dice.one(&world.paused).copied().unwrap_or(agent), paused: false },
        78 => Act::PauseAll { by, paused: true },
        79..83 => Act::PauseAll { by, paused: false },
        83..85 => Act::Remove { by, agent },
        85..88 => Act::Hire { by, agent: gone(world).unwrap_or(agent) },
        88..91 => Act::Stop { by, agent },
        91..93 => match world.said.messages.keys().next_back() {
            Some(message) => Act::Redact { by, message: *message },
            None => Act::Wait { seconds: 1 },
        },
        roll => match topic {
            Some(topic) if roll < 96 => Act::Cursor { by, topic },
            Some(topic) if roll < 97 => Act::Retitle { by, topic },
            Some(topic) => Act::Close { by, topic },
            None => Act::Wait { seconds: 1 },
        },
    }
}

fn topic(world: &World, dice: &mut Dice) -> Option<u32> {
    let back = dice.below(world.said.topics.len()).min(dice.below(40));
    world.said.topics.keys().rev().nth(back).copied()
}

fn pot(dice: &mut Dice, agent: u16, topic: Option<u32>) -> Pot {
    match (dice.below(4), topic) {
        (0, _) => Pot::Wallet(agent),
        (1, Some(topic)) => Pot::Budget(topic),
        _ => Pot::Pool,
    }
}

/// An agent that is not there any more.
fn gone(world: &World) -> Option<u16> {
    world.removed.first().copied()
}

fn write(world: &World, dice: &mut Dice, by: u16) -> Act {
    let agents = world.scene.agents.len();
    let somebody = |dice: &mut Dice| To::Agent(dice.small(agents));
    let line = |to, kind, place| Line {
        to,
        kind,
        place,
        answers: None,
        says: None,
        waiting_for: Vec::new(),
        words: Words::Own,
        keyed: true,
        forged: None,
    };
    let kind = dice.any([Kind::Request, Kind::Request, Kind::Inform]);
    let line = match (dice.below(10), topic(world, dice)) {
        (0..6, Some(topic)) => {
            let parties: Vec<To> = world
                .agents
                .iter()
                .filter(|agent| agent.topics.contains(&topic))
                .map(|agent| To::from(agent.who))
                .collect();
            let party = dice.one(&parties).copied();
            let to = if dice.often(60) { party.unwrap_or(To::Conversation) } else { To::Conversation };
            line(vec![to], kind, Place::In(topic))
        }
        (6, _) => line(vec![To::Conversation], kind, Place::NewIn(dice.small(world.scene.groups.len()))),
        (7, _) => line(vec![somebody(dice), somebody(dice), To::Person(1)], kind, Place::New),
        _ => line(vec![somebody(dice)], kind, Place::New),
    };
    // What it was asked it answers now and then.
    let asked =
        world.said.messages.iter().rev().take(60).find(|(_, message)| {
            message.line.kind == Kind::Request && message.line.to.contains(&To::Person(by))
        });
    let line = match asked {
        Some((number, message)) if dice.often(50) => Line {
            to: vec![To::from(message.by)],
            kind: Kind::Response,
            place: Place::In(message.topic),
            answers: Some(*number),
            ..line
        },
        _ => line,
    };
    Act::Send { by: Who::Person(by), line }
}
