//! A supervised turn, as whoever runs the agent would take it: begun, its drafts sent with its own key, ended.

use serde_json::Value;
use ygg_wire::turn::{BeginTurn, EndTurn, TurnBegun, TurnHanded};

use super::body::of_draft;
use super::seen;
use super::step::{Stop, Taken};
use super::world::World;
use crate::compare::Seen;
use crate::drive::Driver;
use crate::scenario::{Step, Turn};

/// Long enough that no step of a scenario outlasts it.
const LEASE_SECONDS: u64 = 600;

pub async fn turn<D: Driver>(world: &mut World<D>, step: &Step, turn: &Turn) -> Taken {
    let key = world.cast.key(&turn.of)?.to_owned();
    let topic_id = match &turn.topic {
        Some(topic) => Some(world.bound.id(topic)?.to_owned()),
        None => None,
    };
    let asked = BeginTurn { taker: "builtin".to_owned(), topic_id, lease_seconds: Some(LEASE_SECONDS) };
    let begun = begin(world, &key, asked).await?;
    let Some(handed) = begun.turn else {
        return Ok(seen::nothing_handed(begun.help.unwrap_or_default()));
    };
    for draft in &turn.send {
        let body = of_draft(draft, &world.bound)?;
        world.driver()?.send(&handed.key, body).await?;
    }
    let end = EndTurn {
        outcome: if turn.fails { "failed" } else { "ended" }.to_owned(),
        usd: turn.usd,
        ..EndTurn::default()
    };
    world.driver()?.end_turn(&handed.key, &handed.id, end).await?;
    Ok(shown(world, step, handed))
}

/// Waits until no live session has the agent's attention.
async fn begin<D: Driver>(world: &World<D>, key: &str, asked: BeginTurn) -> Result<TurnBegun, Stop> {
    loop {
        let begun = world.driver()?.begin_turn(key, asked.clone()).await?;
        let attended = begun.idle.as_deref() == Some("attention");
        match begun.until.as_deref().filter(|_| attended) {
            Some(until) => world.advance_to(until).await?,
            None => return Ok(begun),
        }
    }
}

fn shown<D>(world: &mut World<D>, step: &Step, handed: TurnHanded) -> Seen {
    if let Some(name) = &step.bind {
        world.bound.bind_turn(name, &handed.agent, handed.topic_id.as_deref());
    }
    let shown = seen::handed(&handed.wakes, &handed.context, &world.cast, &world.bound);
    // Nothing of the plane is told of yet, so nothing is.
    shown.with(crate::scenario::ExpectKey::Told, Value::Array(Vec::new())).with_prompt(handed.prompt)
}
