//! A database of its own on the PostgreSQL that `YGG_TEST_POSTGRES` names, dropped again at the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ygg_store::postgres::{Postgres, Scratch};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// An empty database. The store comes first, so that it lets go before the database is dropped.
pub struct Place {
    pub store: Postgres,
    scratch: Scratch,
}

/// None where no server is named; CI always names one.
pub fn place() -> Option<Place> {
    let Ok(server) = std::env::var("YGG_TEST_POSTGRES") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI runs these tests on PostgreSQL too");
        return None;
    };
    let name = format!("ygg_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
    let scratch = Scratch::create(&server, &name).expect("the server makes a database");
    let store = Postgres::open(scratch.config()).expect("an empty database opens");
    Some(Place { store, scratch })
}

impl Place {
    /// One more node on the same database.
    pub fn other_node(&self) -> Postgres {
        Postgres::open(self.scratch.config()).expect("a second node opens")
    }

    /// For a connection beside the store's.
    pub fn config(&self) -> tokio_postgres::Config {
        let server = std::env::var("YGG_TEST_POSTGRES").expect("it was there before");
        let mut config: tokio_postgres::Config = server.parse().expect("a URL");
        config.dbname(self.scratch.name());
        config
    }

    pub fn split(self) -> (Arc<Postgres>, Scratch) {
        (Arc::new(self.store), self.scratch)
    }
}
