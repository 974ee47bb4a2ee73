//! At the end the store is read afresh: what lies in its rows is what the events told [A1, C5].

use anyhow::{Result, anyhow};
use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::name::ParticipantId;
use ygg_engine::Error;
use ygg_store::{Rows, Store, Within};

use super::monitor::{Monitor, Wrong};
use super::step::Who;
use super::world::World;

/// What differs, if anything does.
pub async fn compare(world: &mut World, monitor: &Monitor) -> Result<()> {
    let key = world.client(Who::Person(0)).and_then(|owner| owner.key.clone());
    let owner = world.caller(&key.ok_or_else(|| anyhow!("the owner has a key"))?).await?;
    if let Some(differs) = world.engine.check_ledger(&owner).await? {
        return Err(Wrong { rule: "C5", what: differs }.into());
    }
    let workspace = Within::Workspace(world.workspace);
    let mut found: Result<(), Error> = Ok(());
    let mut differs = None;
    world.faulty.read(workspace, &mut |rows| {
        found = difference(world, monitor, rows).map(|what| differs = what).map_err(Error::from);
        Ok(())
    })?;
    found?;
    match differs {
        Some(what) => Err(Wrong { rule: "A1", what }.into()),
        None => Ok(()),
    }
}

fn difference(world: &World, monitor: &Monitor, rows: &dyn Rows) -> ygg_store::Result<Option<String>> {
    let checks = [pots, topics, deliveries, wakes];
    for check in checks {
        if let Some(what) = check(world, monitor, rows)? {
            return Ok(Some(what));
        }
    }
    Ok(None)
}

fn pots(world: &World, monitor: &Monitor, rows: &dyn Rows) -> ygg_store::Result<Option<String>> {
    let held = rows.balances(world.workspace)?;
    let differs = held
        .iter()
        .find(|(pot, held)| monitor.book.pots.get(&pot.to_string()).copied().unwrap_or(0) != *held);
    Ok(differs.map(|(pot, held)| format!("{pot} holds {held}, and its events say something else")))
}

fn topics(world: &World, monitor: &Monitor, rows: &dyn Rows) -> ygg_store::Result<Option<String>> {
    for (id, told) in &monitor.book.topics {
        let Ok(topic) = id.parse::<TopicId>() else { return Ok(Some(format!("{id} is no id"))) };
        let Some(found) = rows.topic(world.workspace, topic)? else {
            return Ok(Some(format!("{id} was opened and is not there")));
        };
        let status = found.status.name().split(':').next().unwrap_or_default();
        if status != told.status {
            return Ok(Some(format!("{id} is {status}, and its events say {}", told.status)));
        }
        let parties = rows.parties(world.workspace, topic)?;
        let same = parties.len() == told.states.len()
            && parties.iter().all(|party| {
                told.states.get(party.participant.as_str()).is_some_and(|state| state == party.state.name())
            });
        if !same {
            return Ok(Some(format!(
                "{id} has the parties {parties:?}, and its events say {:?}",
                told.states
            )));
        }
    }
    Ok(None)
}

fn deliveries(world: &World, monitor: &Monitor, rows: &dyn Rows) -> ygg_store::Result<Option<String>> {
    let mut known = 0;
    for (id, message) in &monitor.book.messages {
        let Ok(parsed) = id.parse::<MessageId>() else { return Ok(Some(format!("{id} is no id"))) };
        let found = rows.deliveries(world.workspace, parsed)?;
        if found.len() != message.recipients {
            return Ok(Some(format!("{id} has {} deliveries of {}", found.len(), message.recipients)));
        }
        for row in found {
            let key = (id.clone(), row.recipient.to_string());
            let Some(told) = monitor.book.deliveries.get(&key) else { continue };
            let (debt, step) = (row.debt.map(|debt| debt.name()), row.step.name());
            if debt != told.debt || step != told.reached.name() {
                let (said, reached) = (told.debt, told.reached.name());
                let recipient = row.recipient;
                return Ok(Some(format!(
                    "{id} to {recipient} is {step} and owed {debt:?}; its events say {reached} and {said:?}"
                )));
            }
            known += 1;
        }
    }
    let told = monitor.book.deliveries.len();
    Ok((known != told).then(|| format!("{known} deliveries are there, and events told of {told}")))
}

fn wakes(world: &World, monitor: &Monitor, rows: &dyn Rows) -> ygg_store::Result<Option<String>> {
    for agent in monitor.book.agents.keys() {
        let Ok(id) = agent.parse::<ParticipantId>() else { continue };
        let found = rows.pending_wakes(world.workspace, &id)?;
        let told = monitor.book.unanswered.get(agent).into_iter().flatten();
        let told = told.filter(|id| monitor.book.wakes.get(*id).is_some_and(|wake| wake.status == "pending"));
        let told: Vec<&String> = told.collect();
        let same = found.len() == told.len()
            && found.iter().all(|wake| told.iter().any(|id| **id == wake.id.to_string()));
        if !same {
            return Ok(Some(format!("{agent} has the wakes {found:?}, and its events say {told:?}")));
        }
    }
    Ok(None)
}
