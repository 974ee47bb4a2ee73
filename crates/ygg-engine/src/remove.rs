//! Removing an agent, and pausing one or the whole workspace [W7, K5c].

use ygg_domain::change::Change;
use ygg_domain::credits::Pot;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::remove::{self, LeftTopic, RemoveFacts};
use ygg_domain::participant::{Participant, pause};
use ygg_domain::topic::Status;
use ygg_domain::turn::Turn;
use ygg_domain::wake::Wake;
use ygg_domain::workspace::WorkspaceKey;
use ygg_store::Rows;
use ygg_wire::participant::AgentView;
use ygg_wire::workspace::WorkspaceView;

use crate::commit::Write;
use crate::guard::Guard;
use crate::participant::{agent_view, find_agent};
use crate::standing::{self, Debts};
use crate::unfinished::unfinished;
use crate::{Caller, Engine, Error, Result};

impl Engine {
    /// Everything of the agent ends; its name stays in history with a mark.
    pub async fn remove_agent(&self, caller: &Caller, id: &str) -> Result<AgentView> {
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let workspace = caller.workspace;
            let agent = find_agent(work.tx, workspace, &id)?;
            let by = Guard::new(work.tx, &caller)?.reader;
            let facts = load(work.tx, workspace, by, agent.clone())?;
            let changes = remove::decide(facts, &mut work.ids, work.now)?;
            work.apply(workspace, &changes)?;
            let gone = Participant { removed: true, ..agent };
            agent_view(&Guard::new(work.tx, &caller)?, &gone)
        })
        .await
    }

    /// No wake is handed to the agent and its sends are refused, until it is set going again; nothing is lost.
    pub async fn pause_agent(&self, caller: &Caller, id: &str, paused: bool) -> Result<AgentView> {
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            let agent = find_agent(work.tx, caller.workspace, &id)?;
            let by = Guard::new(work.tx, &caller)?.reader;
            let waiting = work.tx.pending_wakes(caller.workspace, &agent.id)?.into_iter();
            let failed: Vec<Wake> = waiting.filter(|wake| wake.failed > 0).collect();
            let changes = pause::agent(&by, &agent, paused, &failed)?;
            work.apply(caller.workspace, &changes)?;
            let agent = find_agent(work.tx, caller.workspace, &id)?;
            agent_view(&Guard::new(work.tx, &caller)?, &agent)
        })
        .await
    }

    /// The same for all agents at once.
    pub async fn pause_workspace(&self, caller: &Caller, paused: bool) -> Result<WorkspaceView> {
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let gone = || Error::broken("the workspace's row is missing");
            let home = work.tx.workspace(caller.workspace)?.ok_or_else(gone)?;
            let by = Guard::new(work.tx, &caller)?.reader;
            let change: Vec<Change> = pause::workspace(&by, home.paused, paused)?.into_iter().collect();
            work.apply(caller.workspace, &change)?;
            let home = work.tx.workspace(caller.workspace)?.ok_or_else(gone)?;
            Ok(WorkspaceView::from(&home))
        })
        .await
    }
}

fn load(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    by: Participant,
    agent: Participant,
) -> Result<RemoveFacts> {
    let id = agent.id.clone();
    let keys = rows.keys(workspace)?.into_iter();
    let keys = keys.filter(|key| key.participant == id && key.revoked_at.is_none()).map(|key| key.id);
    let groups = rows.groups(workspace)?.into_iter().filter(|group| group.members.contains(&id));
    let shortfalls = rows.shortfalls(workspace)?;
    let mut topics = Vec::new();
    for topic in rows.open_topics_of(workspace, &id)? {
        let Some(standing) = standing::load(rows, workspace, topic.id, Debts::Loaded)? else { continue };
        topics.push(LeftTopic {
            shortfalls: shortfalls
                .iter()
                .filter(|short| short.topic == Some(topic.id) && short.agent != id)
                .cloned()
                .collect(),
            held_back: match standing.topic.status {
                Status::Paused(_) => rows.held_back(workspace, topic.id)?,
                Status::Open | Status::Closed => Vec::new(),
            },
            unfinished: unfinished(rows, workspace, &standing, Some(&id))?,
            farthest: rows.farthest(workspace, topic.id)?,
            standing,
        });
    }
    let wallet = rows.balance(workspace, &Pot::Wallet(id.clone()))?;
    let turn = running(rows, workspace, &id)?;
    let mut loose = rows.loose_wakes(workspace, &id)?;
    if let Some(turn) = &turn {
        let taken = rows.taken_wakes(workspace, turn.id)?.into_iter();
        loose.extend(taken.filter(|wake| wake.topic.is_none()));
    }
    Ok(RemoveFacts {
        by,
        keys: keys.collect(),
        stints: rows.stints_of(workspace, &id)?,
        groups: groups.collect(),
        tasks: rows.tasks(workspace, &id)?.into_iter().map(|task| task.id).collect(),
        turn,
        loose,
        wallet,
        pool: rows.balance(workspace, &Pot::Pool)?.unwrap_or(0),
        shortfalls: shortfalls.into_iter().filter(|short| short.agent == id).collect(),
        topics,
        agent,
    })
}

fn running(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    agent: &ParticipantId,
) -> ygg_store::Result<Option<Turn>> {
    let last = rows.last_turn(workspace, agent)?;
    Ok(last.filter(|(_, runs)| *runs).map(|(turn, _)| turn))
}
