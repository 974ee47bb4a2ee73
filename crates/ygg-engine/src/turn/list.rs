//! Turns as people and programs see them: of a topic for its readers, of an agent for those who see its own matters.

use ygg_domain::Refusal;
use ygg_domain::id::{TopicId, TurnId};
use ygg_domain::limits;
use ygg_domain::turn::{Told, TurnStatus};
use ygg_store::turn::TurnsOf;
use ygg_wire::Page;
use ygg_wire::turn::TurnView;

use crate::guard::Guard;
use crate::participant::find_agent;
use crate::{Caller, Engine, Result};

impl Engine {
    pub async fn turn(&self, caller: &Caller, id: &str) -> Result<TurnView> {
        let missing = || Refusal::NotFound { what: "turn" };
        let id: TurnId = id.parse().map_err(|_| missing())?;
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let told = rows.turn(guard.workspace, id)?.ok_or_else(missing)?;
            // Whoever has a removed agent's id now begins with nothing [W7].
            if told.status == TurnStatus::Gone && guard.reader.id == told.turn.agent {
                return Err(missing().into());
            }
            let whole = sees_whole(&guard, &told)?;
            let reads = match told.turn.topic {
                Some(topic) if !whole => guard.reads_topic(topic)?,
                Some(_) | None => whole,
            };
            if reads { Ok(TurnView::new(&told, whole)) } else { Err(missing().into()) }
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
            let agent = find_agent(rows, guard.workspace, &agent)?;
            if !guard.sees_own_of(&agent) {
                let needs = "an agent's turns are for itself, for those who operate it and for admins";
                return Err(Refusal::Forbidden { needs }.into());
            }
            page(&guard, &TurnsOf::Agent(agent.id), after, limit)
        })
        .await
    }
}

fn page(guard: &Guard<'_>, of: &TurnsOf, after: Option<i64>, limit: usize) -> Result<Page<TurnView>> {
    let limit = limit.clamp(1, limits::PAGE_ROWS);
    let mut found = guard.rows.turns(guard.workspace, of, after.unwrap_or(i64::MAX), limit + 1)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|(seq, _)| seq.to_string());
    let mut items = Vec::with_capacity(found.len());
    for (_, told) in &found {
        items.push(TurnView::new(told, sees_whole(guard, told)?));
    }
    Ok(Page { items, next })
}

fn sees_whole(guard: &Guard<'_>, told: &Told) -> ygg_store::Result<bool> {
    let agent = guard.rows.participant(guard.workspace, &told.turn.agent)?;
    Ok(agent.is_some_and(|agent| guard.sees_own_of(&agent)))
}
