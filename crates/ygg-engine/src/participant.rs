//! Agents and people: adding, editing, the directory, and who the caller is.

use std::collections::BTreeMap;

use ygg_domain::change::Change;
use ygg_domain::conversation::{Kind, Stint};
use ygg_domain::credits::Pot;
use ygg_domain::limits;
use ygg_domain::name::{Handle, ParticipantId};
use ygg_domain::participant::add::{self, AddFacts, NewAgent, check_line};
use ygg_domain::participant::{Nature, Participant, Right, WakeBy};
use ygg_domain::workspace::WorkspaceKey;
use ygg_domain::{Refusal, topic};
use ygg_store::Rows;
use ygg_wire::group::GroupView;
use ygg_wire::me::{Me, MyTopic};
use ygg_wire::participant::{AgentEdit, AgentView, Directory, NewAgent as NewAgentBody, PersonView};
use ygg_wire::receipt::status_name;

use crate::commit::{Work, Write};
use crate::guard::Guard;
use crate::presence::Seen;
use crate::{Caller, Engine, Result, cursor};

/// Answers listed per topic of `me`.
const DEBTS_SHOWN: usize = 50;

const NEEDS_ADMIN: &str = "adding and editing agents needs the role of admin or owner";

impl Engine {
    pub async fn add_agent(&self, caller: &Caller, body: NewAgentBody) -> Result<AgentView> {
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            caller.require(Right::Administer, NEEDS_ADMIN)?;
            let id = ParticipantId::agent(&body.id).map_err(|bad| Refusal::invalid(format!("id: {bad}.")))?;
            let wake_by = match body.wake.as_deref() {
                None => WakeBy::None,
                Some(name) => WakeBy::read(name)
                    .ok_or_else(|| Refusal::invalid("wake is relay, builtin, webhook or none."))?,
            };
            let new = NewAgent {
                display_name: body.display_name.clone(),
                description: body.description.clone(),
                operators: operators(work.tx, caller.workspace, &body.operators)?,
                wake_by,
                connected_by: Some(caller.participant.id.clone()),
                id,
            };
            let facts = add_facts(work.tx, caller.workspace, &new.id, new.id.as_str())?;
            let agent = add::agent(new, &facts)?;
            join(work, caller.workspace, agent.clone())?;
            agent_view(&Guard::new(work.tx, &caller)?, &agent)
        })
        .await
    }

    pub async fn edit_agent(&self, caller: &Caller, id: &str, edit: AgentEdit) -> Result<AgentView> {
        let (caller, id) = (caller.clone(), id.to_owned());
        self.commit(Write::by(&caller), move |work| {
            caller.require(Right::Administer, NEEDS_ADMIN)?;
            let mut agent = find_agent(work.tx, caller.workspace, &id)?;
            let named = match &edit.operators {
                None => None,
                Some(handles) => Some(operators(work.tx, caller.workspace, handles)?),
            };
            if let Some(display_name) = &edit.display_name {
                check_line("display name", display_name, limits::DISPLAY_NAME_CHARS)?;
                agent.display_name.clone_from(display_name);
            }
            if let Nature::Agent(about) = &mut agent.nature {
                if let Some(description) = &edit.description {
                    check_line("description", description, limits::DESCRIPTION_CHARS)?;
                    about.description.clone_from(description);
                }
                about.operators = named.unwrap_or_else(|| about.operators.clone());
            }
            work.apply(caller.workspace, &[Change::ParticipantChanged(agent.clone())])?;
            agent_view(&Guard::new(work.tx, &caller)?, &agent)
        })
        .await
    }

    pub async fn directory(&self, caller: &Caller) -> Result<Directory> {
        let caller = caller.clone();
        let (workspace, now) = (caller.workspace, self.clock.now());
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let all = rows.participants(workspace)?;
            let standing = || all.iter().filter(|participant| !participant.removed);
            let mut agents = Vec::new();
            let (seen, mut presence) = (Seen::load(rows, workspace)?, BTreeMap::new());
            for participant in standing().filter(|participant| participant.id.is_agent()) {
                agents.push(agent_view(&guard, participant)?);
                presence.insert(participant.id.to_string(), seen.of(participant, now));
            }
            let groups = rows.groups(workspace)?;
            Ok(Directory {
                people: standing().filter_map(PersonView::new).collect(),
                agents,
                groups: groups.iter().map(GroupView::from).collect(),
                presence,
            })
        })
        .await
    }

    pub async fn me(&self, caller: &Caller) -> Result<Me> {
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| me(rows, &caller)).await
    }
}

fn me(rows: &dyn Rows, caller: &Caller) -> Result<Me> {
    let workspace = caller.workspace;
    let guard = Guard::new(rows, caller)?;
    let who = &guard.reader;
    let policy = rows.workspace(workspace)?.map(|home| home.policy).unwrap_or_default();
    let (pot, balance) = match who.as_agent() {
        None => (None, None),
        Some(_) => {
            let wallet = Pot::Wallet(who.id.clone());
            match rows.balance(workspace, &wallet)? {
                Some(balance) => (Some(wallet), Some(balance)),
                None => (Some(Pot::Pool), rows.balance(workspace, &Pot::Pool)?),
            }
        }
    };
    let mut topics = Vec::new();
    for found in rows.open_topics_of(workspace, &who.id)? {
        let parties = rows.parties(workspace, found.id)?;
        let debts = rows.open_debts_of(workspace, found.id, &who.id, DEBTS_SHOWN)?;
        let state = topic::state::state_of(&parties, &who.id).map_or("informed", |state| state.name());
        let requests = |mine: &dyn Fn(&ygg_domain::message::Debt) -> bool| {
            let mut ids: Vec<_> = debts.iter().filter(|debt| mine(debt)).map(|debt| debt.request).collect();
            ids.dedup();
            ids.iter().map(ToString::to_string).collect()
        };
        topics.push(MyTopic {
            id: found.id.to_string(),
            title: found.title.clone(),
            status: status_name(found.status).to_owned(),
            state: state.to_owned(),
            opened_by_me: found.opener == who.id,
            owes: requests(&|debt| debt.debtor == who.id),
            owed: requests(&|debt| debt.creditor == who.id),
        });
    }
    let pending = rows.pending_wakes(workspace, &who.id)?;
    let mut waiting: Vec<_> = pending.iter().map(|wake| wake.topic).collect();
    waiting.sort();
    waiting.dedup();
    Ok(Me {
        id: who.id.to_string(),
        kind: if who.id.is_agent() { "agent" } else { "person" }.to_owned(),
        display_name: who.display_name.clone(),
        workspace: caller.slug.to_string(),
        role: who.as_person().map(|person| person.role.name().to_owned()),
        pot: pot.map(|pot| pot.to_string()),
        balance,
        paused: who.as_agent().is_some_and(|agent| agent.paused),
        conversations: rows.stints_of(workspace, &who.id)?.iter().map(ToString::to_string).collect(),
        topics,
        topics_held: rows.held_topics(workspace, &who.id)?.len(),
        topic_limit: who.id.is_agent().then_some(policy.topic_limit),
        unread: cursor::unread(&guard)?,
        wakes_waiting: waiting.len(),
    })
}

/// What already answers to a name that is asked for.
pub fn add_facts(
    rows: &dyn Rows,
    workspace: WorkspaceKey,
    id: &ParticipantId,
    handle: &str,
) -> ygg_store::Result<AddFacts> {
    let by_handle = match handle.parse::<Handle>() {
        Ok(handle) => rows.person_by_handle(workspace, &handle)?,
        Err(_) => None,
    };
    let agents = rows.agent_count(workspace)?;
    Ok(AddFacts { by_id: rows.participant(workspace, id)?, by_handle, agents })
}

/// A new participant, with its stay in General [W4].
pub fn join(work: &mut Work<'_>, workspace: WorkspaceKey, participant: Participant) -> Result<()> {
    let mut changes = vec![Change::ParticipantAdded(participant.clone())];
    if let Some(general) = work.tx.conversation_of_kind(workspace, &Kind::General)? {
        let (conversation, begun_at) = (general.id, work.now);
        changes.push(Change::ParticipantJoined(Stint {
            conversation,
            participant: participant.id,
            begun_at,
        }));
    }
    work.apply(workspace, &changes)?;
    Ok(())
}

fn operators(rows: &dyn Rows, workspace: WorkspaceKey, named: &[String]) -> Result<Vec<ParticipantId>> {
    let mut found = Vec::with_capacity(named.len());
    for name in named {
        let handle = name.strip_prefix('@').unwrap_or(name).parse::<Handle>();
        let person = match handle {
            Ok(handle) => rows.person_by_handle(workspace, &handle)?,
            Err(_) => None,
        };
        let person = person.ok_or_else(|| Refusal::UnknownRecipient { unknown: vec![name.clone()] })?;
        found.push(person.id);
    }
    Ok(found)
}

/// Whom an id, a handle or an `@` with either of them means.
pub fn named(rows: &dyn Rows, workspace: WorkspaceKey, name: &str) -> ygg_store::Result<Option<Participant>> {
    let bare = name.strip_prefix('@').unwrap_or(name);
    let by_id = match bare.parse::<ParticipantId>() {
        Ok(id) => rows.participant(workspace, &id)?,
        Err(_) => None,
    };
    match (by_id, bare.parse::<Handle>()) {
        (None, Ok(handle)) => rows.person_by_handle(workspace, &handle),
        (by_id, _) => Ok(by_id),
    }
}

pub fn find_agent(rows: &dyn Rows, workspace: WorkspaceKey, name: &str) -> Result<Participant> {
    let missing = || Refusal::NotFound { what: "agent" };
    let id = ParticipantId::agent(name.strip_prefix('@').unwrap_or(name)).map_err(|_| missing())?;
    let agent = rows.participant(workspace, &id)?.filter(|agent| !agent.removed);
    agent.ok_or_else(|| missing().into())
}

/// An agent as the reader may see it: what its wallet holds is for those who see that move.
pub fn agent_view(guard: &Guard<'_>, participant: &Participant) -> Result<AgentView> {
    let agent = participant.as_agent().ok_or_else(|| crate::Error::broken("an agent's row is no agent"))?;
    let wallet = if guard.sees_own_of(participant) {
        guard.rows.balance(guard.workspace, &Pot::Wallet(participant.id.clone()))?
    } else {
        None
    };
    Ok(AgentView::new(participant, agent, wallet))
}
