//! Ways at random through a world that is too large to take each: more of it is seen, and none of it is complete.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use stateright::Model as _;

use super::action::{Action, Who};
use super::state::State;
use super::{Model, quiet};
use crate::dice::Dice;

/// Longer than nearly every way is.
const STEPS: usize = 150;

/// What was seen on the way.
#[derive(Debug, Default)]
pub struct Walked {
    pub ways: u64,
    pub steps: u64,
    /// Different ones.
    pub states: usize,
    /// The first way to something wrong.
    pub wrong: Option<String>,
}

/// Takes one way after another until the time is over or something is wrong. The same seed takes the same ways.
pub fn walk(model: &Model, threads: usize, seed: u64, span: Duration) -> Walked {
    let end = Instant::now() + span;
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let (seen, walked) = (Mutex::new(HashSet::new()), Mutex::new(Walked::default()));
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while Instant::now() < end && !stop.load(Ordering::Relaxed) {
                    let mut dice = Dice::of(seed.wrapping_add(next.fetch_add(1, Ordering::Relaxed)));
                    let way = Way::take(model, &mut dice);
                    seen.lock().unwrap_or_else(PoisonError::into_inner).extend(way.prints);
                    let mut walked = walked.lock().unwrap_or_else(PoisonError::into_inner);
                    walked.ways += 1;
                    walked.steps += way.taken.len() as u64;
                    stop.fetch_or(way.wrong.is_some(), Ordering::Relaxed);
                    walked.wrong = walked.wrong.take().or(way.wrong);
                }
            });
        }
    });
    let states = seen.into_inner().unwrap_or_else(PoisonError::into_inner).len();
    Walked { states, ..walked.into_inner().unwrap_or_else(PoisonError::into_inner) }
}

struct Way {
    taken: Vec<Action>,
    prints: Vec<u64>,
    wrong: Option<String>,
}

impl Way {
    /// From the beginning to where nothing can happen any more.
    fn take(model: &Model, dice: &mut Dice) -> Self {
        let mut way = Self { taken: Vec::new(), prints: Vec::new(), wrong: None };
        let Some(mut here) = model.init_states().pop() else { return way };
        while way.taken.len() < STEPS {
            let Some((action, after)) = step(model, &here, dice) else { break };
            way.taken.push(action);
            way.prints.push(after.print);
            if let Some(wrong) =
                after.wrong.as_ref().map(ToString::to_string).or_else(|| quiet::why_not(model, &after))
            {
                way.wrong = Some(told(&way.taken, &wrong));
                break;
            }
            here = after;
        }
        way
    }
}

/// Something that happens and changes anything.
fn step(model: &Model, here: &State, dice: &mut Dice) -> Option<(Action, State)> {
    let mut actions = Vec::new();
    model.actions(here, &mut actions);
    while !actions.is_empty() {
        let mut sorts: Vec<usize> = actions.iter().map(sort).collect();
        sorts.sort_unstable();
        sorts.dedup();
        let sort_of = *dice.one(&sorts)?;
        let of_it: Vec<usize> =
            (0..actions.len()).filter(|place| sort(&actions[*place]) == sort_of).collect();
        let action = actions.swap_remove(*dice.one(&of_it)?);
        if let Some(after) = model.next_state(here, action) {
            return Some((action, after));
        }
    }
    None
}

/// There are many more drafts than anything else: each sort of action is as likely as another.
fn sort(action: &Action) -> usize {
    match action {
        Action::Send(Who::Agent(place), _) => 10 + place,
        Action::Tell(..) => 1,
        Action::Read(_) | Action::Begin(_) | Action::End(..) => 2,
        Action::Wait => 3,
        Action::Send(Who::Person, _) => 4,
        Action::Close(_) | Action::Grant | Action::Pause(..) => 5,
    }
}

/// The way, a line for each step, and what is wrong at its end.
pub fn told(actions: &[Action], wrong: &str) -> String {
    let mut lines: Vec<String> = actions.iter().map(|action| format!("  {action}")).collect();
    lines.push(format!("  then {wrong}"));
    lines.join("\n")
}
