//! One moment of the world.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ygg_domain::id::TurnId;
use ygg_domain::time::Timestamp;
use ygg_engine::Caller;
use ygg_store::Rows;
use ygg_store::memory::Snapshot;

use super::bounds::Bounds;
use super::cast::{BEGINNING, Cast};
use super::moment::Moment;
use super::picture;
pub use crate::wrong::Wrong;

/// A supervised turn that runs, and who calls by its key.
#[derive(Clone)]
pub struct Running {
    pub turn: TurnId,
    pub caller: Arc<Caller>,
}

#[derive(Clone)]
pub struct State {
    pub stored: Arc<Snapshot>,
    /// The same, read.
    pub moment: Arc<Moment>,
    pub now: Timestamp,
    /// Acts that the person has done, and times that the clock went on.
    pub acts: u8,
    pub hours: u8,
    /// Nobody says or decides anything from here on.
    pub is_silent: bool,
    /// Of each agent.
    pub running: Vec<Option<Running>>,
    pub wrong: Option<Wrong>,
    /// What it is the same as.
    pub print: u64,
}

impl State {
    pub fn beginning(bounds: &Bounds, cast: &Cast, stored: Snapshot) -> Self {
        let running = bounds.agents.iter().map(|_| None).collect();
        let state = Self {
            moment: Arc::new(Moment::of(cast, &stored, BEGINNING)),
            stored: Arc::new(stored),
            now: BEGINNING,
            acts: 0,
            hours: 0,
            is_silent: false,
            running,
            wrong: None,
            print: 0,
        };
        let print = picture::print(cast, bounds, &state);
        Self { print, ..state }
    }

    /// The same, when from here on nobody says or decides anything.
    #[must_use]
    pub fn silent(&self, cast: &Cast, bounds: &Bounds) -> Self {
        let silent = Self { is_silent: true, ..self.clone() };
        let print = picture::print(cast, bounds, &silent);
        Self { print, ..silent }
    }

    pub fn rows(&self) -> &dyn Rows {
        self.stored.rows()
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.print);
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.print == other.print
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wrong {
            Some(wrong) => wrong.fmt(f),
            None => write!(f, "{:016x}", self.print),
        }
    }
}
