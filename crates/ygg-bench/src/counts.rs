//! What one request, one inbox page and one response cost, counted and not timed: the same on every machine, busy or
//! not. Each action is done by many pairs of agents in turn, so that what the counts hold of anything else is small.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use ygg_store::statements;

use crate::load::Lane;
use crate::traffic::Script;
use crate::world::{EngineLane, Place, World};

/// Pairs of agents, and so times that each action is done.
pub const PAIRS: usize = 25;
/// Uses of keys are noted behind the callers' backs; they are no part of an action.
const SETTLED: Duration = Duration::from_millis(300);

/// The actions in the order in which they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Action {
    /// An agent asks another in a topic that both are in: wakes it.
    Request,
    /// The other reads its inbox with that one wake in it.
    Inbox,
    /// It answers: settles the debt, ends its wake, wakes the asker.
    Response,
}

impl Action {
    pub const ALL: [Self; 3] = [Self::Request, Self::Inbox, Self::Response];

    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Inbox => "inbox",
            Self::Response => "response",
        }
    }
}

/// Does the first so many actions. `hear` is told every statement, begins and commits aside; `done` is called after
/// getting ready and after each action.
pub async fn perform(
    folder: &Path,
    actions: usize,
    hear: impl Fn(&'static str) + Send + Sync + 'static,
    mut done: impl FnMut(),
) -> Result<()> {
    statements::listen(Box::new(move |sql, _| hear(sql)));
    let world = World::found(Place::File(&folder.join("counts.db")), PAIRS).await?;
    let mut lanes = world.lanes(PAIRS, Script::pair).await?;
    for lane in &mut lanes {
        lane.send().await?;
        lane.read_answerer().await?;
        lane.send().await?;
        lane.read_asker().await?;
    }
    tokio::time::sleep(SETTLED).await;
    done();
    for action in Action::ALL.into_iter().take(actions) {
        for lane in &mut lanes {
            act(action, lane).await?;
        }
        done();
    }
    Ok(())
}

async fn act(action: Action, lane: &mut EngineLane) -> Result<()> {
    match action {
        Action::Request | Action::Response => lane.send().await,
        Action::Inbox => lane.read_answerer().await,
    }
}
