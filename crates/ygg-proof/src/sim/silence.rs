//! The end of a run: everybody leaves it alone. Agents take what wakes them and say nothing, or take nothing at all; the
//! clock goes on; and all has to come to rest [L4, S6].

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Result, anyhow};
use ygg_domain::time::Timestamp;
use ygg_wire::time;

use super::monitor::{Left, Monitor, Wrong};
use super::run;
use super::scene::{Leave, Taker};
use super::step::{Act, Step, Who};
use super::world::World;

/// Steps of the end have no number that others could name.
const NOBODY: u32 = u32::MAX;
/// More than any silence takes.
const ROUNDS: usize = 2_000;
/// Timers that fall due close to each other are looked at together.
const GRAIN: Duration = Duration::from_secs(20);

pub async fn leave(world: &mut World, monitor: &mut Monitor) -> Result<()> {
    prepare(world, monitor).await?;
    let deaf = world.scene.leave == Leave::Deaf;
    let (mut rested, mut rounds) = (false, 0);
    while rounds < ROUNDS {
        let mut until = None;
        rounds += 1;
        while !deaf && rounds < ROUNDS && take(world, monitor, &mut until).await? {
            rounds += 1;
        }
        let next = world.engine.next_timer().await?;
        let Some(next) = next.into_iter().chain(until).min() else {
            rested = true;
            break;
        };
        let at = next.max(world.now().after(GRAIN));
        let seconds = at.since(world.now()).as_millis().div_ceil(1_000);
        act(world, monitor, Act::Wait { seconds: u32::try_from(seconds).unwrap_or(u32::MAX) }).await?;
    }
    if !rested {
        return Err(Wrong { rule: "L4", what: "it does not come to rest".to_owned() }.into());
    }
    let left = left(world, deaf).await?;
    Ok(monitor.rests(&left)?)
}

/// Whoever lost its key gets one; and where people are kind they set everything going before they leave.
async fn prepare(world: &mut World, monitor: &mut Monitor) -> Result<()> {
    let there = |monitor: &Monitor, number: u16| {
        let agent = monitor.book.agents.get(&Who::Agent(number).to_string());
        agent.is_some_and(|agent| !agent.removed)
    };
    for number in 0..u16::try_from(world.agents.len()).unwrap_or(u16::MAX) {
        let told = act(world, monitor, Act::Peek { by: number }).await?;
        if there(monitor, number) && (told.is_null() || told == "not signed in") {
            act(world, monitor, Act::Hire { by: 0, agent: number }).await?;
        }
    }
    if !world.scene.goes_on {
        return Ok(());
    }
    act(world, monitor, Act::PauseAll { by: 0, paused: false }).await?;
    for number in 0..u16::try_from(world.agents.len()).unwrap_or(u16::MAX) {
        let agent = monitor.book.agents.get(&Who::Agent(number).to_string());
        if agent.is_some_and(|agent| agent.paused && !agent.removed) {
            act(world, monitor, Act::Pause { by: 0, agent: number, paused: false }).await?;
        }
    }
    Ok(())
}

async fn act(world: &mut World, monitor: &mut Monitor, act: Act) -> Result<serde_json::Value> {
    let step = Step { n: NOBODY, act, crash: None };
    let came = world.perform(&step).await?;
    let news = world.news()?;
    monitor.tick((!world.scene.clock_jumps).then(|| world.now()));
    monitor.look(run::doer(&step.act), &news)?;
    Ok(came.told)
}

/// Every agent takes what waits for it. Whether any got something; and when asking again may bring something.
async fn take(world: &mut World, monitor: &mut Monitor, until: &mut Option<Timestamp>) -> Result<bool> {
    let mut waiting: Vec<u16> = Vec::new();
    for (agent, wakes) in &monitor.book.unanswered {
        let pending =
            wakes.iter().filter_map(|id| monitor.book.wakes.get(id)).any(|one| one.status == "pending");
        let number: Option<u16> = agent.strip_prefix('a').and_then(|number| number.parse().ok());
        waiting.extend(number.filter(|_| pending));
    }
    waiting.sort_unstable();
    let mut got = false;
    for number in waiting {
        let Some(actor) = world.scene.actor(number) else { continue };
        let agent = Who::Agent(number).to_string();
        let before = monitor.book.sums.events;
        if world.agents[usize::from(number)].turn.is_some() {
            act(world, monitor, Act::End { by: number, well: true }).await?;
            world.agents[usize::from(number)].turn = None;
        }
        if actor.taker == Taker::Relay {
            let begun = act(world, monitor, Act::Begin { by: number, lease_seconds: 600 }).await?;
            let again = begun["until"].as_str().and_then(time::read);
            *until = (*until).into_iter().chain(again).min();
            if !begun["turn"].is_null() {
                act(world, monitor, Act::End { by: number, well: true }).await?;
            }
        } else {
            act(world, monitor, Act::Read { by: number }).await?;
        }
        let still = monitor.book.unanswered.get(&agent).is_some_and(|wakes| !wakes.is_empty());
        got |= monitor.book.sums.events != before && still;
    }
    Ok(got)
}

async fn left(world: &mut World, deaf: bool) -> Result<Left> {
    let key = world.client(Who::Person(0)).and_then(|owner| owner.key.clone());
    let owner = world.caller(&key.ok_or_else(|| anyhow!("the owner has a key"))?).await?;
    let (mut listed, mut failing) = (BTreeSet::new(), BTreeSet::new());
    for need in world.engine.needs_you(&owner).await? {
        match (need.kind.as_str(), need.topic_id, need.agent) {
            ("needs_human" | "credits", Some(topic), _) => drop(listed.insert(topic)),
            ("failing", _, Some(agent)) => drop(failing.insert(agent)),
            _ => {}
        }
    }
    Ok(Left { listed, failing, deaf })
}
