//! Those who are asked whether they notice.

use std::fmt;
use std::time::Duration;

use anyhow::Result;

use super::{runs, scenarios, worlds};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checker {
    /// Every scenario of the repository, on the store in memory.
    Scenarios,
    /// The small worlds of the model.
    Model,
    /// Runs of the simulation, from the first seed on.
    Simulation,
}

impl Checker {
    /// In the order in which they are asked.
    pub const ALL: [Self; 3] = [Self::Scenarios, Self::Model, Self::Simulation];

    pub fn name(self) -> &'static str {
        match self {
            Self::Scenarios => "scenarios",
            Self::Model => "model",
            Self::Simulation => "simulation",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|checker| checker.name() == name)
    }

    /// Looks, with what is planted in this process; what it notices first.
    pub fn look(self, span: Duration) -> Result<Option<String>> {
        match self {
            Self::Scenarios => scenarios::look(),
            Self::Model => worlds::look(span),
            Self::Simulation => Ok(runs::look(span)),
        }
    }
}

impl fmt::Display for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
