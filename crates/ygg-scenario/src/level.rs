//! The levels at which the same scenario is run.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The engine on a store in memory.
    Memory,
    /// The engine on a SQLite file.
    Sqlite,
    /// The engine on a SQLite file, through the real router.
    Http,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Memory, Self::Sqlite, Self::Http];

    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite => "sqlite",
            Self::Http => "http",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
