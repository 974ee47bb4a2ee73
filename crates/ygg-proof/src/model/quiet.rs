//! How it ends when everybody falls silent [L4, S6]: every topic has to be closed then, or stand still and be on a person's
//! list, with nothing pending.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use ygg_domain::topic::Status;
use ygg_domain::turn::retry::ATTEMPTS;

use super::action::{Action, Ending};
use super::perform::{Came, is_listed, step};
use super::state::State;
use super::{Model, alphabet, cast};

/// More than any silence takes.
const STEPS: usize = 500;
const SHELVES: usize = 64;

/// How silent agents are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    /// They take their turns and say nothing.
    Mute,
    /// They take nothing.
    Deaf,
}

/// States from which all came to rest.
pub struct Rested([Mutex<HashSet<u64>>; SHELVES]);

impl Default for Rested {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl Rested {
    fn shelf(&self, key: u64) -> std::sync::MutexGuard<'_, HashSet<u64>> {
        self.0[key as usize % SHELVES].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why the world does not come to rest from here; none where it does. The clock goes on to the end of all timers, once with
/// agents that take what wakes them and say nothing, and once with agents that take nothing at all.
///
/// These steps are steps of the model too, so a way that was followed to its end once is not followed again.
pub fn why_not(model: &Model, state: &State) -> Option<String> {
    [Mood::Mute, Mood::Deaf].into_iter().find_map(|mood| follow(model, state, mood))
}

fn follow(model: &Model, state: &State, mood: Mood) -> Option<String> {
    let key = |state: &State| state.print.rotate_left(u32::from(mood == Mood::Deaf));
    let mut way = Vec::new();
    let mut told = Vec::new();
    let mut here = state.silent(&model.cast, &model.bounds);
    let mut why = Some(format!("after {STEPS} steps of silence something still goes on"));
    for _ in 0..STEPS {
        if model.rested.shelf(key(&here)).contains(&key(&here)) {
            why = None;
            break;
        }
        way.push(key(&here));
        let next = next(model, &here, mood);
        told.extend(next.iter().map(|(action, _)| action.to_string()));
        match next.map(|(_, after)| after) {
            Some(after) if after.wrong.is_some() => {
                let wrong = after.wrong.as_ref();
                return wrong.map(|wrong| format!("{}: [{}] {}", told.join("; "), wrong.rule, wrong.what));
            }
            Some(after) => here = after,
            None => {
                why = unrest(model, &here, mood);
                break;
            }
        }
    }
    let Some(why) = why else {
        for key in way {
            model.rested.shelf(key).insert(key);
        }
        return None;
    };
    Some(format!("{}: {why}", told.join("; ")))
}

/// The one thing that happens next.
fn next(model: &Model, state: &State, mood: Mood) -> Option<(Action, State)> {
    if mood == Mood::Mute {
        for action in takes(model, state) {
            let (after, came) = step(model, state, &action)?;
            let ended = matches!(action, Action::End(..)) || after.print != state.print;
            if matches!(came, Came::Turn(Some(_))) || ended && !matches!(action, Action::Begin(_)) {
                return Some((action, after));
            }
        }
    }
    step(model, state, &Action::Wait).map(|(after, _)| (Action::Wait, after))
}

/// What agents do who only take.
fn takes(model: &Model, state: &State) -> Vec<Action> {
    let mut takes = Vec::new();
    for place in 0..model.cast.agents.len() {
        alphabet::turns(model, state, place, &mut takes);
    }
    takes.retain(|action| match action {
        Action::End(_, how) => *how == Ending::Well,
        // Nothing is handed to one that a person has stopped, however often it looks.
        Action::Read(place) | Action::Begin(place) => !state.moment.agents[*place].is_paused,
        _ => true,
    });
    takes
}

/// What is left when nothing happens any more.
fn unrest(model: &Model, state: &State, mood: Mood) -> Option<String> {
    let moment = &state.moment;
    for topic in &moment.topics {
        match topic.status {
            Status::Closed => {}
            Status::Paused(_) if is_listed(model, state, topic.id) => {}
            Status::Paused(_) => {
                return Some(format!("{} stands still for good, and no person is told", topic.id));
            }
            Status::Open => return Some(format!("{} stays open for good", topic.id)),
        }
    }
    for (place, agent) in moment.agents.iter().enumerate() {
        // What failed too often waits for a person, who is told.
        let stays = moment.pending(place).find(|wake| wake.failed < ATTEMPTS);
        if let Some(stays) = stays.filter(|_| mood == Mood::Mute && !agent.is_paused) {
            return Some(format!(
                "{} waits for {} for good, and nobody takes it",
                stays.id,
                cast::name(place)
            ));
        }
        if moment.running(place).is_some() {
            return Some(format!("a turn of {} runs for good", cast::name(place)));
        }
    }
    None
}
