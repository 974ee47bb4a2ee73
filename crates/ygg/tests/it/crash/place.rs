//! Where the server that dies keeps its things, and what else may die there.

use std::fs;

use rusqlite::Connection;

use super::chance::Chance;
use super::invariants;
use crate::world::{Port, Server, World};

pub enum Kill {
    /// The server itself.
    Server,
    /// The database under it, all at once.
    Database,
    /// The database ends its connections.
    Connections,
}

pub struct Place {
    pub world: World,
    postgres: Option<ygg_testkit::Postgres>,
}

impl Place {
    pub fn sqlite() -> Self {
        Self { world: World::new(), postgres: None }
    }

    /// None where PostgreSQL is not installed; CI always has it.
    pub fn postgres() -> Option<Self> {
        let server = ygg_testkit::Postgres::start()?;
        server.sql("CREATE DATABASE ygg OWNER ygg");
        Some(Self { world: World::new(), postgres: Some(server) })
    }

    pub fn name(&self) -> &'static str {
        if self.postgres.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    pub fn start(&self, port: &Port) -> Server {
        let bind = format!("127.0.0.1:{}", port.1);
        let mut args = vec!["serve", "--json", "--bind", &bind, "--workspace", "main", "--log", "error"];
        args.extend(["--rate-per-second", "0", "--credits", "1000000"]);
        let url = self.postgres.as_ref().map(|server| server.url("ygg", "ygg"));
        if let Some(url) = &url {
            args.extend(["--database", url]);
        }
        Server::start(self.world.command(&args))
    }

    pub fn choose(&self, chance: &mut Chance) -> Kill {
        match (&self.postgres, chance.below(4)) {
            (None, _) | (Some(_), 0 | 1) => Kill::Server,
            (Some(_), 2) => Kill::Database,
            (Some(_), _) => Kill::Connections,
        }
    }

    pub fn kill_database(&self) {
        self.there().kill();
    }

    pub fn resume_database(&self) {
        self.there().resume();
    }

    pub fn end_connections(&self) {
        self.there().end_connections_of("ygg");
    }

    fn there(&self) -> &ygg_testkit::Postgres {
        self.postgres.as_ref().expect("only a database that is apart is killed apart")
    }

    /// Looks at what is on the disk, with no word of the server between.
    pub fn check(&self) {
        match &self.postgres {
            Some(server) => {
                let told = server.sql_in("ygg", &invariants::question());
                let answer = |line: &str| {
                    let (at, count) = line.split_once('|').expect("two columns");
                    (at.parse().expect("a number"), count.parse().expect("a number"))
                };
                invariants::hold(&told.lines().map(answer).collect::<Vec<_>>());
            }
            None => self.check_file(),
        }
    }

    /// On a copy, as a backup of the whole folder would find it: the server is to recover by itself.
    fn check_file(&self) {
        let copy = tempfile::tempdir().expect("a folder");
        for name in ["ygg.db", "ygg.db-wal"] {
            let from = self.world.data().join(name);
            if from.exists() {
                fs::copy(from, copy.path().join(name)).expect("a copy");
            }
        }
        let file = Connection::open(copy.path().join("ygg.db")).expect("it opens");
        let whole: String =
            file.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
        assert_eq!(whole, "ok");
        let mut question = file.prepare(&invariants::question()).expect("a question");
        let answers = question
            .query_map([], |row| Ok((row.get::<_, u32>(0)? as usize, row.get(1)?)))
            .expect("an answer");
        invariants::hold(&answers.map(|answer| answer.expect("two numbers")).collect::<Vec<_>>());
    }
}
