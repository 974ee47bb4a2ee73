//! What scenarios can ask for and is not built yet: one table. When a rule is built its line goes, and the runner
//! gets a call for its step where it has none.

use serde_json::Value;
use ygg_domain::policy::{Doors, Preset};

use crate::scenario::world::GivenAgent;
use crate::scenario::{Act, ExpectKey, Scenario, Step};

struct Feature {
    name: &'static str,
    /// Whether a piece of a scenario asks for it.
    asked: fn(&Piece<'_>) -> bool,
}

const NOT_BUILT: &[Feature] = &[
    Feature { name: "notes at the end of a turn", asked: sends_notes },
    Feature { name: "the final text of a turn", asked: says_finally },
    Feature { name: "own wakes", asked: books_wakes },
    Feature { name: "caps of a turn", asked: |piece| piece.sets("turn_") || piece.reason("turn_limit") },
    Feature { name: "doors", asked: has_doors },
    Feature { name: "held notes", asked: holds_notes },
    Feature { name: "hops and chains", asked: counts_hops },
    Feature { name: "ceilings", asked: has_ceilings },
    Feature { name: "the plane preset", asked: |piece| matches!(piece, Piece::Preset(Preset::Plane)) },
    Feature { name: "webhooks", asked: has_hooks },
    Feature { name: "stopping a turn", asked: |piece| piece.does(|act| matches!(act, Act::Stop { .. })) },
];

/// One thing that a scenario asks for.
enum Piece<'a> {
    Preset(Preset),
    Doors(Doors),
    /// A key of the policy that the scenario sets.
    Policy(&'static str),
    Agent(&'a GivenAgent),
    Hook,
    Step(&'a Step),
}

/// What the scenario's world needs and is not there, with the line that needs it first.
pub fn missing_in_world(scenario: &Scenario) -> Option<(usize, Vec<&'static str>)> {
    let world = &scenario.world;
    let set = world.set.iter().map(|(name, line)| match *name {
        "preset" => (*line, Piece::Preset(world.policy.preset)),
        "doors" => (*line, Piece::Doors(world.policy.doors)),
        name => (*line, Piece::Policy(name)),
    });
    let agents = world.agents.iter().map(|agent| (agent.line, Piece::Agent(agent)));
    let hooks = world.hooks.iter().map(|hook| (hook.line, Piece::Hook));
    let asking = set.chain(agents).chain(hooks).map(|(line, piece)| (line, missing(&piece)));
    let asking: Vec<_> = asking.filter(|(_, names)| !names.is_empty()).collect();
    let line = asking.iter().map(|(line, _)| *line).min()?;
    let mut names: Vec<_> = asking.into_iter().flat_map(|(_, names)| names).collect();
    names.sort_unstable();
    names.dedup();
    Some((line, names))
}

/// What a step needs and is not there.
pub fn missing_in_step(step: &Step) -> Vec<&'static str> {
    missing(&Piece::Step(step))
}

fn missing(piece: &Piece<'_>) -> Vec<&'static str> {
    NOT_BUILT.iter().filter(|feature| (feature.asked)(piece)).map(|feature| feature.name).collect()
}

impl Piece<'_> {
    fn step(&self) -> Option<&Step> {
        match self {
            Self::Step(step) => Some(step),
            Self::Preset(_) | Self::Doors(_) | Self::Policy(_) | Self::Agent(_) | Self::Hook => None,
        }
    }

    /// A key of the policy that begins so.
    fn sets(&self, begins: &str) -> bool {
        matches!(self, Self::Policy(name) if name.starts_with(begins))
    }

    fn does(&self, is: fn(&Act) -> bool) -> bool {
        self.step().is_some_and(|step| is(&step.act))
    }

    fn expects(&self, key: ExpectKey) -> Option<&Value> {
        self.step()?.expect.as_ref()?.get(key)
    }

    /// An entry of an expected list has this under that key.
    fn lists(&self, list: ExpectKey, key: &str, value: &str) -> bool {
        let entries = self.expects(list).and_then(Value::as_array);
        entries.is_some_and(|entries| entries.iter().any(|entry| entry[key] == value))
    }

    fn wakes(&self, kind: &str) -> bool {
        self.lists(ExpectKey::Wakes, "kind", kind)
    }

    fn effect(&self, effect: &str) -> bool {
        let effects = self.expects(ExpectKey::Effects).and_then(Value::as_object);
        effects.is_some_and(|effects| effects.values().any(|one| one == effect))
    }

    /// A reason of a refusal, or of context.
    fn reason(&self, reason: &str) -> bool {
        self.expects(ExpectKey::Reason).is_some_and(|one| one == reason)
            || self.effect(&format!("context:{reason}"))
            || self.lists(ExpectKey::Context, "reason", reason)
    }
}

fn sends_notes(piece: &Piece<'_>) -> bool {
    let notes =
        |act: &Act| matches!(act, Act::Turn(turn) if !turn.send_to.is_empty() || turn.outbox_raw.is_some());
    piece.does(notes) || piece.expects(ExpectKey::Notes).is_some()
}

fn says_finally(piece: &Piece<'_>) -> bool {
    let says =
        |act: &Act| matches!(act, Act::Turn(turn) if turn.final_text.is_some() || turn.answer_with.is_some());
    piece.does(says) || piece.expects(ExpectKey::Answer).is_some()
}

fn books_wakes(piece: &Piece<'_>) -> bool {
    piece.wakes("own") || piece.does(|act| matches!(act, Act::Turn(turn) if turn.wake_me.is_some()))
}

fn has_doors(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Doors(doors) if *doors != Doors::Open)
        || matches!(piece, Piece::Agent(agent) if agent.talks_to.is_some())
        || piece.does(|act| matches!(act, Act::Door { .. } | Act::Doors { .. }))
        || piece.reason("door_closed")
}

fn holds_notes(piece: &Piece<'_>) -> bool {
    piece.sets("held_")
        || piece.does(|act| matches!(act, Act::Answer { .. } | Act::Questions { .. }))
        || piece.expects(ExpectKey::Outcome).is_some_and(|outcome| outcome == "held")
        || piece.effect("held")
}

fn counts_hops(piece: &Piece<'_>) -> bool {
    piece.sets("hops") || piece.sets("chain_") || piece.reason("hop_limit") || piece.reason("chain_limit")
}

fn has_ceilings(piece: &Piece<'_>) -> bool {
    piece.sets("day_turns") || matches!(piece, Piece::Agent(agent) if agent.ceiling.is_some())
}

fn has_hooks(piece: &Piece<'_>) -> bool {
    let is_hook = |act: &Act| matches!(act, Act::Hook { .. });
    matches!(piece, Piece::Hook) || piece.does(is_hook) || piece.wakes("hook")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: &str = "name: s\ngiven: {people: {ana: owner}, agents: {a: {}, b: {}}}\nsteps:\n";

    #[test]
    fn what_is_not_built_is_named() {
        for (step, missing) in [
            ("  - send: {from: a, to: b, topic: new, attachments: [1]}\n", vec![]),
            ("  - send: {from: a, to: b, topic: new, state: needs_human}\n", vec![]),
            ("  - stop: {by: \"@ana\", agent: a}\n", vec!["stopping a turn"]),
        ] {
            let scenario = crate::parse(&format!("{WORLD}{step}")).expect("it reads").remove(0);
            assert_eq!(missing_in_step(&scenario.steps[0]), missing, "{step}");
        }
    }
}
