//! The levels at which the same scenario is run.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The engine on a store in memory.
    Memory,
    /// The engine on a SQLite file.
    Sqlite,
    /// The engine on PostgreSQL, where a server is named.
    Postgres,
    /// The engine on a SQLite file, through the real router.
    Http,
}

impl Level {
    pub const ALL: [Self; 4] = [Self::Memory, Self::Sqlite, Self::Postgres, Self::Http];

    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Http => "http",
        }
    }

    /// Those that can be run with what there is.
    pub fn possible(servers: &Servers) -> Vec<Self> {
        Self::ALL.into_iter().filter(|level| *level != Self::Postgres || servers.postgres.is_some()).collect()
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// Servers that scenarios may use besides what they bring themselves.
#[derive(Debug, Clone, Default)]
pub struct Servers {
    /// `postgres://…` of a server on which databases may be made and dropped.
    pub postgres: Option<String>,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
