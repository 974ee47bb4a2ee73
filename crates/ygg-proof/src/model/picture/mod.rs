//! Which states are the same for everything that may still come. A picture holds what a later decision can look at and
//! nothing else, so that paths meet again.

mod draw;
mod topic;

use std::hash::{DefaultHasher, Hasher};

use super::bounds::Bounds;
use super::cast::Cast;
use super::state::State;

/// Stands for the person; agents are below it.
const PERSON: usize = 50;
/// Stands for nobody and nothing.
const NONE: i64 = -1;

/// A part of a picture: a number, or the name of an agent or topic or of several agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Is(i64),
    Who(usize),
    Topic(usize),
    Crowd(u64),
}

type Row = Vec<Part>;

/// What of a state counts, by places.
struct Seen {
    /// In any order.
    rows: Vec<Row>,
    topics: usize,
}

/// What is left out, and why that changes nothing:
///
/// - ids are left out: agents, topics and wakes are numbered, agents and topics in whichever order of all gives the
///   smallest picture, so that who is called what makes no difference. The rules know no names; where they go by order
///   of id (two timers due at once, parties of a topic) the order decides nothing.
/// - text is left out but for its mark, and of that the one text that may be said again. Of the same words between the
///   same two in the same topic the last counts: what is true of an older one is true of it [L1].
/// - of messages what is left to come of them: owed, carried by a wake or folded into one, held back. Whether somebody
///   has read what wakes nobody any more is left out: nothing follows from reading it. Which request of an agent's was
///   settled is left out, that one was stays: it may be named again [M4].
/// - likewise notices that are mere context, and live sessions' turns that took no wake.
/// - a topic that is closed is left out but for such marks: nothing is written, asked or woken in it [S7, T4].
/// - times are told from now, in half minutes, and only where a rule still holds them against the clock: every span of
///   the policy is a whole number of them, and whatever happens between two moments takes some thousandths of a second.
///   Times that are compared with each other are told only where the later one is later. Of two timers that fall due in
///   one half minute the order is that of the first path that led here.
/// - how far a message is from what a person said [H1] is left out: no rule that is built looks at it.
/// - marks that only people look at (`looped`, `stalled`) and what was told to people.
///
/// Of the names that may be given to agents and topics, the smallest picture.
pub fn print(cast: &Cast, bounds: &Bounds, state: &State) -> u64 {
    let seen = draw::draw(cast, bounds, state);
    let mut least: Option<Vec<Vec<i64>>> = None;
    let orders_of_topics = permutations(seen.topics);
    for agents in &cast.orders {
        for topics in &orders_of_topics {
            let picture = seen.named(&Names { agents, topics });
            if least.as_ref().is_none_or(|least| picture < *least) {
                least = Some(picture);
            }
        }
    }
    let mut hash = DefaultHasher::new();
    for row in least.unwrap_or_default() {
        hash.write_usize(row.len());
        row.into_iter().for_each(|part| hash.write_i64(part));
    }
    if state.wrong.is_some() {
        hash.write_u8(1);
    }
    hash.finish()
}

/// Every order of so many.
pub fn permutations(of: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for place in 0..of {
        let longer = all.iter().flat_map(|order| {
            (0..=order.len()).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, place);
                longer
            })
        });
        all = longer.collect();
    }
    all
}

struct Names<'a> {
    /// The name of the agent or topic at each place.
    agents: &'a [usize],
    topics: &'a [usize],
}

impl Seen {
    fn named(&self, names: &Names<'_>) -> Vec<Vec<i64>> {
        let mut rows: Vec<Vec<i64>> =
            self.rows.iter().map(|row| row.iter().map(|part| names.of(*part)).collect()).collect();
        rows.sort_unstable();
        rows
    }
}

impl Names<'_> {
    fn of(&self, part: Part) -> i64 {
        let agent = |place: usize| self.agents.get(place).copied().unwrap_or(PERSON) as i64;
        match part {
            Part::Is(value) => value,
            Part::Who(place) => agent(place),
            Part::Topic(place) => self.topics.get(place).map_or(NONE, |name| *name as i64),
            Part::Crowd(bits) => {
                let members = (0..64).filter(|place| bits >> place & 1 == 1);
                members.map(|place| 1i64 << agent(place)).sum()
            }
        }
    }
}
