//! Turns as people and programs see them: of a topic for its readers, of an agent for those who see its own matters.

use ygg_domain::Refusal;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::limits;
use ygg_domain::participant::Right;
use ygg_domain::turn::Told;
use ygg_store::turn::TurnsOf;
use ygg_wire::Page;
use ygg_wire::turn::TurnView;

use crate::guard::Guard;
use crate::participant::agent_of;
use crate::{Caller, Engine, Result};

impl Engine {
    pub async fn turn(&self, caller: &Caller, id: &str) -> Result<TurnView> {
        let (caller, id) = (caller.clone(), id.to_owned());
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let told = readable(&guard, &id)?;
            Ok(TurnView::new(&told, sees_whole(&guard, &told)?))
        })
        .await
    }

    /// Turns over a topic, newest first.
    pub async fn turns_of_topic(
        &self,
        caller: &Caller,
        topic: &str,
        after: Option<i64>,
        limit: usize,
    ) -> Result<Page<TurnView>> {
        let id: TopicId = topic.parse().map_err(|_| Refusal::UnknownTopic { topic: topic.to_owned() })?;
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            guard.topic(id)?;
            page(&guard, &TurnsOf::Topic(id), after, limit)
        })
        .await
    }

    /// Turns of an agent, newest first.
    pub async fn turns_of_agent(
        &self,
        caller: &Caller,
        agent: &str,
        after: Option<i64>,
        limit: usize,
    ) -> Result<Page<TurnView>> {
        let (caller, agent) = (caller.clone(), agent.to_owned());
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let agent = agent_of(rows, guard.workspace, &agent)?;
            if !guard.sees_own_of(&agent) {
                let needs = "an agent's turns are for itself, for those who operate it and for admins";
                return Err(Refusal::Forbidden { needs }.into());
            }
            // The agents before that had the same id are for those who see everything [W7].
            let since = match guard.reader.may(Right::ReadPrivate) {
                true => 0,
                false => rows.came(guard.workspace, &agent.id)?,
            };
            page(&guard, &TurnsOf::Agent(agent.id, since), after, limit)
        })
        .await
    }
}

/// The turn of that id, if the reader may know of it.
pub fn readable(guard: &Guard<'_>, id: &str) -> Result<Told> {
    let missing = || Refusal::NotFound { what: "turn" };
    let id: TurnId = id.parse().map_err(|_| missing())?;
    let told = guard.rows.turn(guard.workspace, id)?.ok_or_else(missing)?;
    let whole = sees_whole(guard, &told)?;
    let reads = match told.turn.topic {
        // Whoever has a removed agent's id now begins with nothing [W7].
        Some(topic) if !whole => guard.reader.id != told.turn.agent && guard.reads_topic(topic)?,
        Some(_) | None => whole,
    };
    if reads { Ok(told) } else { Err(missing().into()) }
}

fn page(guard: &Guard<'_>, of: &TurnsOf, after: Option<i64>, limit: usize) -> Result<Page<TurnView>> {
    let limit = limit.clamp(1, limits::PAGE_ROWS);
    let mut found = guard.rows.turns(guard.workspace, of, after.unwrap_or(i64::MAX), limit + 1)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|told| told.seq.to_string());
    let mut items = Vec::with_capacity(found.len());
    for told in &found {
        items.push(TurnView::new(told, sees_whole(guard, told)?));
    }
    Ok(Page { items, next })
}

/// The reader sees the agent's own matters.
pub fn sees_whole(guard: &Guard<'_>, told: &Told) -> ygg_store::Result<bool> {
    match guard.rows.participant(guard.workspace, &told.turn.agent)? {
        Some(agent) => guard.sees_own_since(&agent, told.seq),
        None => Ok(false),
    }
}
