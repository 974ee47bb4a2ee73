//! The world that a scenario begins with.

use ygg_domain::participant::{Role, Trust};
use ygg_domain::policy::Policy;

#[derive(Debug, Clone)]
pub struct World {
    pub policy: Policy,
    /// What the scenario sets itself, by the names of the file, with the lines.
    pub set: Vec<(&'static str, usize)>,
    pub people: Vec<GivenPerson>,
    pub agents: Vec<GivenAgent>,
    /// In the order of the file.
    pub groups: Vec<(String, Vec<String>)>,
    pub hooks: Vec<GivenHook>,
    /// Credits.
    pub pool: i64,
    pub wallets: Vec<(String, i64)>,
}

/// Credits of a new workspace's pool where the scenario says nothing [C2].
pub const POOL: i64 = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenPerson {
    /// Without the `@`.
    pub handle: String,
    pub role: Role,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GivenAgent {
    pub id: String,
    pub line: usize,
    pub description: String,
    pub operators: Vec<String>,
    /// An empty list is a list: then no door stands open [D1].
    pub talks_to: Option<Vec<String>>,
    pub ceiling: Option<Ceiling>,
}

/// Per UTC day [G1].
#[derive(Debug, Clone, PartialEq)]
pub struct Ceiling {
    pub turns: Option<u32>,
    pub usd: Option<f64>,
    pub tokens: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenHook {
    pub name: String,
    pub line: usize,
    pub agent: String,
    pub trust: Trust,
}
