//! The rows that sends write, recorded from real ones: each statement that writes, with its values, send by send.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use rusqlite::types::Value;
use ygg_store::statements::{self, Value as Told};

use crate::load::Lane;
use crate::traffic::Script;
use crate::world::{Place, World};

/// Topics of each lane that are recorded, from their first message to their last.
const TOPICS: usize = 4;
/// Messages of a topic of pairs.
const MESSAGES: usize = 9;
/// Uses of keys are noted behind the callers' backs; they are no part of a send.
const SETTLED: Duration = Duration::from_millis(300);

/// A statement, and its values after the first, which is the workspace.
pub struct Write {
    pub sql: &'static str,
    pub values: Vec<Value>,
}

/// What one send writes.
pub type Send = Vec<Write>;

pub struct Recording {
    pub sends: Vec<Send>,
}

impl Recording {
    /// Records what pairs of agents write, in a database of its own.
    pub async fn of_pairs(folder: &Path, lanes: usize) -> Result<Self> {
        let heard: Arc<Mutex<Send>> = Arc::default();
        let world = World::found(Place::File(&folder.join("recording.db")), lanes).await?;
        let mut lanes = world.lanes(lanes, Script::pair).await?;
        tokio::time::sleep(SETTLED).await;
        // Deaf once the recording is over: the parts that follow are measured in this process.
        let ear = Arc::downgrade(&heard);
        statements::listen(Box::new(move |sql, values| {
            if let Some(heard) = ear.upgrade().filter(|_| is_write(sql)) {
                let write = Write { sql, values: values.iter().map(own).collect() };
                heard.lock().unwrap_or_else(PoisonError::into_inner).push(write);
            }
        }));
        let mut sends = Vec::new();
        for _ in 0..TOPICS * MESSAGES {
            for lane in &mut lanes {
                lane.send().await?;
                let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
                ensure!(!heard.is_empty(), "a send wrote nothing");
                sends.push(heard.into_iter().map(without_workspace).collect::<Result<_>>()?);
            }
        }
        Ok(Self { sends })
    }

    /// Statements that write, for each send.
    pub fn writes_per_send(&self) -> f64 {
        let writes: usize = self.sends.iter().map(Vec::len).sum();
        writes as f64 / self.sends.len() as f64
    }
}

fn is_write(sql: &str) -> bool {
    !sql.trim_start().starts_with("SELECT")
}

fn own(value: &Told<'_>) -> Value {
    match value {
        Told::Null => Value::Null,
        Told::Int(value) => Value::Integer(*value),
        Told::Text(text) => Value::Text(text.clone().into_owned()),
        Told::Id(id) => Value::Text(id.as_str().to_owned()),
        Told::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

/// Every value but the first, which the round through the recording stands for.
fn without_workspace(write: Write) -> Result<Write> {
    let Write { sql, mut values } = write;
    match values.first() {
        Some(Value::Integer(1)) => Ok(Write { sql, values: values.split_off(1) }),
        Some(_) | None => {
            bail!("a statement whose first value is not the workspace cannot be recorded: {sql}")
        }
    }
}
