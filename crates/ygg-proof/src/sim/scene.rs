//! Who is there, and what kind of a run it is.

use serde::{Deserialize, Serialize};
use ygg_domain::participant::Role;

use crate::dice::Dice;

/// What an agent is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temper {
    /// Answers what it is asked, asks little, says when it is done.
    Good,
    /// Has a question back for everything, and one for everybody besides.
    Chatty,
    /// Takes what wakes it and says nothing.
    Silent,
    /// Its turns fail, or are never heard of again.
    Crashing,
    /// Sends back what it got.
    Echoing,
    /// Whatever no draft should be.
    Hostile,
}

impl Temper {
    pub const ALL: [Self; 6] =
        [Self::Good, Self::Chatty, Self::Silent, Self::Crashing, Self::Echoing, Self::Hostile];
}

/// How an agent takes what waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Taker {
    /// A session that reads its inbox.
    Live,
    /// A runner takes turns for it.
    Relay,
    /// Both, as they come.
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    pub temper: Temper,
    pub taker: Taker,
}

/// How everybody leaves it alone at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leave {
    /// Agents take what wakes them, in silence.
    Mute,
    /// Nobody takes anything.
    Deaf,
}

/// People by their handles; the first is the owner.
pub const PEOPLE: [(&str, Role); 4] =
    [("p0", Role::Owner), ("p1", Role::Admin), ("p2", Role::Member), ("p3", Role::Viewer)];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub seed: u64,
    /// None: nobody by that number, in a run that was made smaller.
    pub agents: Vec<Option<Actor>>,
    /// Members of each group.
    pub groups: Vec<Vec<u16>>,
    pub pool: i64,
    pub leave: Leave,
    /// People set everything going before they leave.
    pub goes_on: bool,
    /// The server dies now and then.
    pub dies: bool,
    /// Its clock is put right now and then.
    pub clock_jumps: bool,
}

/// What a run is asked to be.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub agents: usize,
    pub steps: usize,
}

impl Size {
    /// Most runs are small, because small worlds come into every corner soonest.
    pub fn usual(seed: u64) -> Self {
        Self::of(match seed % 10 {
            0 => 300,
            1..4 => 40,
            4..7 => 12,
            _ => 4,
        })
    }

    /// So many agents, and about a dozen steps for each.
    pub fn of(agents: usize) -> Self {
        let agents = agents.clamp(1, 5_000);
        Self { agents, steps: 150 + 12 * agents }
    }
}

impl Scene {
    pub fn draw(seed: u64, size: Size, dice: &mut Dice) -> Self {
        // In some runs one temper has the upper hand.
        let favourite = dice.any(Temper::ALL);
        let share = dice.any([0, 0, 50, 90]);
        let actor = |dice: &mut Dice| Actor {
            temper: if dice.often(share) { favourite } else { dice.any(Temper::ALL) },
            taker: dice.any([Taker::Live, Taker::Live, Taker::Relay, Taker::Relay, Taker::Both]),
        };
        let agents: Vec<Option<Actor>> = (0..size.agents).map(|_| Some(actor(dice))).collect();
        let groups = (0..1 + size.agents / 12).map(|_| {
            let members = 2 + dice.below(7);
            let mut members: Vec<u16> = (0..members).map(|_| dice.small(size.agents)).collect();
            members.sort_unstable();
            members.dedup();
            members
        });
        let groups = groups.collect();
        let plenty = i64::try_from(size.steps).unwrap_or(i64::MAX).saturating_mul(4);
        Self {
            seed,
            agents,
            groups,
            pool: dice.any([plenty, plenty, plenty / 20, 3]),
            leave: dice.any([Leave::Mute, Leave::Mute, Leave::Deaf]),
            goes_on: dice.often(60),
            dies: dice.often(70),
            clock_jumps: dice.often(20),
        }
    }

    pub fn actor(&self, number: u16) -> Option<Actor> {
        self.agents.get(usize::from(number)).copied().flatten()
    }
}
