//! Who is there: some agents, one person who owns everything, one group that all agents are in; and the store as it is
//! before anybody said a word.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use ygg_domain::id::ConversationId;
use ygg_domain::loops::Mark;
use ygg_domain::name::ParticipantId;
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;
use ygg_engine::{Caller, Engine, ManualClock, RateLimit};
use ygg_store::memory::{Memory, Snapshot};
use ygg_wire::key::NewKey;
use ygg_wire::participant::NewAgent;

use super::action::Who;
use super::bounds::{Bounds, Style};
use super::perform::wait;
use super::picture::permutations;

/// 2026-01-01T00:00:00Z in milliseconds.
pub const BEGINNING: Timestamp = Timestamp(1_767_225_600_000);

/// The text that an agent may say again and again.
pub const SAME: &str = "again";

const SLUG: &str = "proof";
const OWNER: &str = "ana";
const GROUP: &str = "crew";

pub struct Agent {
    pub id: ParticipantId,
    pub style: Style,
    pub caller: Caller,
}

pub struct Cast {
    pub workspace: WorkspaceKey,
    pub policy: Policy,
    pub agents: Vec<Agent>,
    /// Names that the agents may be given, by their places: who is woken alike is alike.
    pub orders: Vec<Vec<usize>>,
    pub person: ParticipantId,
    pub owner: Caller,
    /// The group's conversation, in which all topics are.
    pub conversation: ConversationId,
    /// Of the text that may be said again.
    pub same: Mark,
    /// What every engine of the model is like.
    pub engine: Engine,
}

impl Cast {
    pub fn gather(bounds: &Bounds) -> Result<(Self, Snapshot)> {
        let memory = Arc::new(Memory::new());
        let clock = Arc::new(ManualClock::at(BEGINNING));
        let engine = Engine::new(Arc::clone(&memory) as _, clock, RateLimit::Off).with_counted_ids();
        let policy = bounds.policy();
        let founded = wait(engine.found_workspace(SLUG, OWNER, policy.clone(), bounds.credits))?;
        let owner = wait(engine.authenticate(Some(SLUG), &founded.key.key))?;
        let mut agents = Vec::new();
        for (place, style) in bounds.agents.iter().enumerate() {
            let id = name(place).to_string();
            let wake = style.is_run().then(|| "relay".to_owned());
            wait(engine.add_agent(&owner, NewAgent { id: id.clone(), wake, ..NewAgent::default() }))?;
            let label = "proof".to_owned();
            let key = wait(engine.make_key(&owner, NewKey { participant: id, label }))?.key;
            let caller = wait(engine.authenticate(Some(SLUG), &key))?;
            agents.push(Agent { id: caller.participant().id.clone(), style: *style, caller });
        }
        let members: Vec<String> = agents.iter().map(|agent| agent.id.to_string()).collect();
        wait(engine.set_group(&owner, GROUP, &members))?;
        let page = wait(engine.conversations(&owner, None, 10))?;
        let conversation = page.items.iter().find(|one| one.kind == "group");
        let conversation = conversation.context("the group has a conversation")?.id.parse();
        let conversation = conversation.map_err(|bad| anyhow!("{bad}"))?;
        let stored = memory.take().context("nothing broke the store")?.without_history();
        let workspace = stored.rows().workspaces()?.first().context("a workspace was made")?.key;
        let person = founded.owner;
        let same = Mark::of(SAME);
        Ok((
            Self {
                workspace,
                policy,
                orders: orders(&agents),
                agents,
                person,
                owner,
                conversation,
                same,
                engine,
            },
            stored,
        ))
    }

    /// Everybody else is the person.
    pub fn who(&self, id: &ParticipantId) -> Who {
        self.place(id).map_or(Who::Person, Who::Agent)
    }

    /// The place of an agent in the cast.
    pub fn place(&self, id: &ParticipantId) -> Option<usize> {
        self.agents.iter().position(|agent| agent.id == *id)
    }
}

fn orders(agents: &[Agent]) -> Vec<Vec<usize>> {
    let mut orders = permutations(agents.len());
    orders
        .retain(|order| order.iter().enumerate().all(|(place, to)| agents[place].style == agents[*to].style));
    orders
}

/// Agents are called by letters.
pub fn name(place: usize) -> char {
    char::from(b'a' + u8::try_from(place).unwrap_or(25).min(25))
}
