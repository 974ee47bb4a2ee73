//! A database of its own for a scenario or a test, dropped at the end.

use super::Config;
use super::conn::PostgresConn;
use crate::{Error, Result};

pub struct Scratch {
    server: Config,
    config: Config,
    name: String,
}

impl Scratch {
    /// Makes a database on the server that the URL names; its user must be allowed to. Blocks.
    pub fn create(server: &str, name: &str) -> Result<Self> {
        let server: Config = server.parse()?;
        let fits = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !fits {
            return Err(Error::corrupt("database name", name));
        }
        PostgresConn::open(&server)?.batch(&format!("CREATE DATABASE {name}"))?;
        let config = server.of_database(name);
        Ok(Self { server, config, name: name.to_owned() })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn config(&self) -> &Config {
        &self.config
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let drop =
            || PostgresConn::open(&self.server)?.batch(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
        // On a thread of its own: whoever lets go may be in the middle of async work.
        let dropped = std::thread::scope(|scope| scope.spawn(drop).join());
        if !matches!(dropped, Ok(Ok(()))) {
            tracing::warn!(name = self.name, "a scratch database was not dropped");
        }
    }
}
