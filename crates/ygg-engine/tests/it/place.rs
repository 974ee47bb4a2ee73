//! What a store stands on, for every kind of store, cleaned away after it.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ygg_store::Store;
use ygg_store::memory::Memory;
use ygg_store::postgres::{Postgres, Scratch};
use ygg_store::sqlite::Sqlite;

pub struct Place {
    pub name: &'static str,
    /// More than one where several nodes share it. Before what they stand on, so that they let go of it first.
    pub nodes: Vec<Arc<dyn Store>>,
    _kept: Option<Box<dyn Any + Send>>,
}

impl Place {
    pub fn memory() -> Self {
        Self { name: "memory", nodes: vec![Arc::new(Memory::new())], _kept: None }
    }

    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Sqlite::open(&folder.path().join("ygg.db")).expect("a store");
        Self { name: "sqlite", nodes: vec![Arc::new(store)], _kept: Some(Box::new(folder)) }
    }

    /// None where no server is named.
    pub async fn postgres(nodes: usize) -> Option<Self> {
        let scratch = scratch().await?;
        let mut opened: Vec<Arc<dyn Store>> = Vec::new();
        for _ in 0..nodes {
            opened.push(node(&scratch).await);
        }
        let name = if nodes == 1 { "postgres" } else { "nodes on one postgres" };
        Some(Self { name, nodes: opened, _kept: Some(Box::new(scratch)) })
    }

    /// Every kind, a node of each.
    pub async fn everywhere() -> Vec<Self> {
        let mut places = vec![Self::memory(), Self::sqlite()];
        places.extend(Self::postgres(1).await);
        places
    }
}

/// A database of its own on the PostgreSQL that `YGG_TEST_POSTGRES` names; None where none is named.
async fn scratch() -> Option<Scratch> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let Ok(server) = std::env::var("YGG_TEST_POSTGRES") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI runs these tests on PostgreSQL too");
        return None;
    };
    let name = format!("ygg_engine_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::SeqCst));
    let made = tokio::task::spawn_blocking(move || Scratch::create(&server, &name).expect("a database"));
    Some(made.await.expect("no panic"))
}

async fn node(scratch: &Scratch) -> Arc<dyn Store> {
    let config = scratch.config().clone();
    let opened = tokio::task::spawn_blocking(move || Postgres::open(&config).expect("it opens"));
    Arc::new(opened.await.expect("no panic"))
}
