//! What scenarios can ask for and is not built yet: one table. When a rule is built its line goes, and the runner
//! gets a call for its step where it has none.

use std::time::Duration;

use serde_json::Value;
use ygg_domain::policy::{Doors, Preset};

use crate::scenario::world::GivenAgent;
use crate::scenario::{Act, Draft, ExpectKey, Scenario, Step, Word};

/// The shortest time after which a topic that nobody touches is asked about [S6].
const IDLE: Duration = Duration::from_secs(7 * 24 * 3600);

struct Feature {
    name: &'static str,
    /// Whether a piece of a scenario asks for it.
    asked: fn(&Piece<'_>) -> bool,
}

const NOT_BUILT: &[Feature] = &[
    Feature { name: "timers", asked: may_fall_due },
    Feature { name: "pausing a topic for a person", asked: pauses_for_person },
    Feature { name: "pausing a topic for credits", asked: pauses_for_credits },
    Feature { name: "loops", asked: |piece| piece.sets("loop_") || piece.reason("loop_suspected") },
    Feature { name: "nudges", asked: |piece| piece.sets("nudge_") || piece.wakes("nudge") },
    Feature { name: "stalled topics", asked: |piece| piece.expects(ExpectKey::Stalled).is_some() },
    Feature { name: "closing by silence", asked: closes_by_silence },
    Feature { name: "resume wakes", asked: |piece| piece.wakes("resume") },
    Feature {
        name: "what needs a person",
        asked: |piece| piece.does(|act| matches!(act, Act::NeedsYou { .. })),
    },
    Feature { name: "supervised turns", asked: takes_turns },
    Feature { name: "own wakes", asked: |piece| piece.wakes("own") },
    Feature { name: "caps of a turn", asked: |piece| piece.sets("turn_") || piece.reason("turn_limit") },
    Feature { name: "doors", asked: has_doors },
    Feature { name: "held notes", asked: holds_notes },
    Feature { name: "hops and chains", asked: counts_hops },
    Feature { name: "ceilings", asked: has_ceilings },
    Feature { name: "attention", asked: |piece| piece.sets("attention") },
    Feature { name: "the plane preset", asked: |piece| matches!(piece, Piece::Preset(Preset::Plane)) },
    Feature { name: "webhooks", asked: has_hooks },
    Feature { name: "attachments", asked: |piece| piece.drafts(&|draft| !draft.attachments.is_empty()) },
    Feature { name: "redaction", asked: |piece| piece.does(|act| matches!(act, Act::Redact { .. })) },
    Feature { name: "stopping a turn", asked: |piece| piece.does(|act| matches!(act, Act::Stop { .. })) },
    Feature { name: "pausing agents and workspaces", asked: pauses_agents },
    Feature { name: "removing agents", asked: removes_agents },
];

/// One thing that a scenario asks for.
enum Piece<'a> {
    Preset(Preset),
    Doors(Doors),
    /// A key of the policy that the scenario sets.
    Policy(&'static str),
    Agent(&'a GivenAgent),
    Hook,
    /// A step, with the steps before it.
    Step(&'a Step, &'a [Step]),
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
pub fn missing_in_step(step: &Step, before: &[Step]) -> Vec<&'static str> {
    missing(&Piece::Step(step, before))
}

fn missing(piece: &Piece<'_>) -> Vec<&'static str> {
    NOT_BUILT.iter().filter(|feature| (feature.asked)(piece)).map(|feature| feature.name).collect()
}

impl Piece<'_> {
    fn step(&self) -> Option<&Step> {
        match self {
            Self::Step(step, _) => Some(step),
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

    fn drafts(&self, is: &dyn Fn(&Draft) -> bool) -> bool {
        match self.step().map(|step| &step.act) {
            Some(Act::Send(draft)) => is(draft),
            Some(Act::Turn(turn)) => turn.send.iter().any(is),
            Some(_) | None => false,
        }
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

fn pauses_for_person(piece: &Piece<'_>) -> bool {
    // A word to the backend alone is absorbed, and this state does not count there [K5].
    let to_backend =
        |draft: &Draft| draft.to.as_ref().is_some_and(|to| to.each().iter().all(|name| name == "system.ygg"));
    piece.drafts(&|draft| draft.state.as_deref() == Some("needs_human") && !to_backend(draft))
        || piece.expects(ExpectKey::PausedFor).is_some_and(|what| what == "needs_human")
        || piece.expects(ExpectKey::Status).is_some_and(|status| status == "paused") && !for_credits(piece)
        || piece.reason("topic_paused")
}

fn for_credits(piece: &Piece<'_>) -> bool {
    piece.expects(ExpectKey::PausedFor).is_some_and(|what| what == "credits")
}

/// The refusal is built; what follows from it in its topic is not.
fn pauses_for_credits(piece: &Piece<'_>) -> bool {
    for_credits(piece)
        || piece.wakes("refilled")
        || matches!(piece, Piece::Step(step, before) if follows_shortage(step, before))
}

/// The step looks at, or writes in, a topic where an earlier one ran short of credits.
fn follows_shortage(step: &Step, before: &[Step]) -> bool {
    let Some(topic) = topic_of(step, before) else { return false };
    let is = |step: &Step, key: ExpectKey, value: &str| {
        step.expect.as_ref().and_then(|expect| expect.get(key)).is_some_and(|seen| seen == value)
    };
    let short = |earlier: &Step| {
        is(earlier, ExpectKey::Reason, "credits_exhausted") && topic_of(earlier, before) == Some(topic)
    };
    // Another refusal is no news.
    !is(step, ExpectKey::Outcome, "refused") && before.iter().any(short)
}

/// The step that opened the topic which this one is about, by its name.
fn topic_of<'a>(step: &'a Step, before: &'a [Step]) -> Option<&'a str> {
    let Some(named) = names_topic(&step.act) else { return step.bind.as_deref() };
    let place = before.iter().rposition(|earlier| earlier.bind.as_deref() == Some(named))?;
    let (earlier, from) = before.split_at_checked(place)?;
    topic_of(from.first()?, earlier)
}

/// `x` of a `$x.topic` that the step looks at or writes in.
fn names_topic(act: &Act) -> Option<&str> {
    let topic = match act {
        Act::Topic(topic) => Some(topic),
        Act::Send(draft) => match &draft.topic {
            Some(Word::Ref(topic)) => Some(topic),
            Some(Word::Plain(_)) | None => None,
        },
        Act::Say(say) => say.topic.as_ref(),
        Act::Inbox { .. }
        | Act::Turn(_)
        | Act::Answer { .. }
        | Act::Door { .. }
        | Act::Hook { .. }
        | Act::Stop { .. }
        | Act::Redact { .. }
        | Act::Retitle { .. }
        | Act::PauseWorkspace { .. }
        | Act::ResumeWorkspace { .. }
        | Act::Fund { .. }
        | Act::Close { .. }
        | Act::Pause { .. }
        | Act::Resume { .. }
        | Act::Remove { .. }
        | Act::Add { .. }
        | Act::Tasks { .. }
        | Act::Advance(_)
        | Act::Restart
        | Act::Balance { .. }
        | Act::Questions { .. }
        | Act::NeedsYou { .. }
        | Act::Doors { .. }
        | Act::LedgerOk => None,
    };
    topic.map(|topic| topic.name.as_str())
}

fn closes_by_silence(piece: &Piece<'_>) -> bool {
    piece.sets("poll_") || piece.sets("idle_after") || piece.wakes("closure_poll")
}

fn takes_turns(piece: &Piece<'_>) -> bool {
    let of_turns = [ExpectKey::Notes, ExpectKey::Answer, ExpectKey::Told];
    piece.does(|act| matches!(act, Act::Turn(_)))
        || of_turns.into_iter().any(|key| piece.expects(key).is_some())
}

/// Time that moves while something could fall due: a party waits, is done or needs a person, or a topic has been idle
/// for as long as any clock of the rules runs.
fn may_fall_due(piece: &Piece<'_>) -> bool {
    let Piece::Step(step, before) = piece else { return piece.sets("poll_") || piece.sets("idle_") };
    let span = |step: &Step| if let Act::Advance(span) = &step.act { *span } else { Duration::ZERO };
    let starts_a_clock = |step: &Step| matches!(&step.act, Act::Send(draft) if draft.state.is_some());
    let passed: Duration = before.iter().map(span).sum::<Duration>() + span(step);
    matches!(step.act, Act::Advance(_)) && (before.iter().any(starts_a_clock) || passed >= IDLE)
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

fn pauses_agents(piece: &Piece<'_>) -> bool {
    piece.does(|act| {
        matches!(
            act,
            Act::Pause { .. } | Act::Resume { .. } | Act::PauseWorkspace { .. } | Act::ResumeWorkspace { .. }
        )
    })
}

/// Adding one whose id was there before is part of it: it must start from nothing [W7].
fn removes_agents(piece: &Piece<'_>) -> bool {
    piece.does(|act| matches!(act, Act::Remove { .. })) || piece.wakes("recipient_gone")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: &str = "name: s\ngiven: {people: {ana: owner}, agents: {a: {}, b: {}}}\nsteps:\n";

    /// What the last of the steps needs.
    fn last(steps: &str) -> Vec<&'static str> {
        let scenario = crate::parse(&format!("{WORLD}{steps}")).expect("it reads").remove(0);
        let (step, before) = scenario.steps.split_last().expect("a step");
        missing_in_step(step, before)
    }

    #[test]
    fn what_follows_a_shortage_is_not_built() {
        let short = "  - send: {from: a, to: b, topic: new}\n    as: q\n  - send: {from: b, to: a, topic: $q.topic}\n    \
                     as: r\n  - send: {from: a, to: b, topic: $r.topic}\n    expect: {reason: credits_exhausted}\n";
        let credits = vec!["pausing a topic for credits"];
        assert_eq!(last(short), Vec::<&str>::new());
        assert_eq!(last(&format!("{short}  - topic: $q.topic\n")), credits);
        assert_eq!(last(&format!("{short}  - send: {{from: \"@ana\", to: a, topic: $r.topic}}\n")), credits);
        let again = "  - send: {from: a, to: b, topic: $q.topic}\n    expect: {outcome: refused}\n";
        assert_eq!(last(&format!("{short}{again}")), Vec::<&str>::new());
        assert_eq!(last(&format!("{short}  - send: {{from: b, to: a, topic: new}}\n")), Vec::<&str>::new());
        let stands = "  - topic: $q.topic\n    expect: {status: paused, paused_for: credits}\n";
        assert_eq!(last(&format!("{short}{stands}")), credits);
    }

    #[test]
    fn a_state_for_people_is_built_only_where_it_does_not_count() {
        let person = vec!["pausing a topic for a person"];
        let send = |to: &str| format!("  - send: {{from: a, to: {to}, topic: new, state: needs_human}}\n");
        assert_eq!(last(&send("b")), person);
        assert_eq!(last(&send("[b, system.ygg]")), person);
        assert_eq!(last(&send("system.ygg")), Vec::<&str>::new());
    }
}
