//! `given`: who is there when a scenario begins, and what they hold.

use ygg_domain::name::{GroupName, Handle, ParticipantId};
use ygg_domain::participant::{Role, Trust};
use ygg_domain::policy::Policy;

use super::fields::{Fields, ParseError, Result, count, list, map, number, one_of, text, texts};
use super::policy::policy;
use super::scope::Scope;
use crate::scenario::world::{Ceiling, GivenAgent, GivenHook, GivenPerson, POOL, World};
use crate::yaml::{Key, Node};

const GIVEN: [&str; 6] = ["people", "agents", "groups", "hooks", "pool", "wallets"];
const AGENT: [&str; 4] = ["talks_to", "operators", "description", "ceiling"];

/// The world, and the names in it.
pub fn world(policy_node: Option<&Node>, given: Option<&Node>) -> Result<(World, Scope)> {
    let (policy, set) = match policy_node {
        None => (Policy::default(), Vec::new()),
        Some(node) => policy(node)?,
    };
    let mut world = World {
        policy,
        set,
        people: Vec::new(),
        agents: Vec::new(),
        groups: Vec::new(),
        hooks: Vec::new(),
        pool: POOL,
        wallets: Vec::new(),
    };
    let mut scope = Scope::default();
    let Some(given) = given else { return Ok((world, scope)) };
    let fields = Fields::of(given, "given", &GIVEN)?;
    for (key, node) in fields.maybe("people", map)?.unwrap_or_default() {
        world.people.push(person(key, node)?);
    }
    scope.people = world.people.iter().map(|person| person.handle.clone()).collect();
    let agents = fields.maybe("agents", map)?.unwrap_or_default();
    for (key, _) in agents {
        ParticipantId::agent(&key.name).map_err(|bad| bad_name(key, &bad))?;
        if scope.people.contains(&key.name) {
            let problem = format!("{} is a person already; agents and people share their names", key.name);
            return Err(ParseError::new(key.at, problem));
        }
        scope.agents.push(key.name.clone());
    }
    for (key, node) in agents {
        world.agents.push(agent(key, node, &scope)?);
    }
    for (key, node) in fields.maybe("groups", map)?.unwrap_or_default() {
        key.name.parse::<GroupName>().map_err(|bad| bad_name(key, &bad))?;
        let members = list(node, &key.name)?.iter().map(|member| scope.agent(member, &key.name));
        world.groups.push((key.name.clone(), members.collect::<Result<_>>()?));
    }
    for (key, node) in fields.maybe("hooks", map)?.unwrap_or_default() {
        world.hooks.push(hook(key, node, &scope)?);
        scope.hooks.push(key.name.clone());
    }
    for (key, node) in fields.maybe("wallets", map)?.unwrap_or_default() {
        if !scope.agents.contains(&key.name) {
            let problem = format!("`wallets` names {}, and no agent of this world is called so", key.name);
            return Err(ParseError::new(key.at, problem));
        }
        world.wallets.push((key.name.clone(), count(node, &key.name)?));
    }
    world.pool = fields.maybe("pool", count)?.unwrap_or(POOL);
    Ok((world, scope))
}

fn bad_name(key: &Key, bad: &ygg_domain::name::BadName) -> ParseError {
    ParseError::new(key.at, format!("`{}` names nobody: {bad}", key.name))
}

fn person(key: &Key, node: &Node) -> Result<GivenPerson> {
    let handle = key.name.strip_prefix('@').unwrap_or(&key.name).to_owned();
    handle.parse::<Handle>().map_err(|bad| bad_name(key, &bad))?;
    let role = one_of(node, &key.name, &Role::ALL.map(Role::name), Role::read)?;
    Ok(GivenPerson { handle, role })
}

fn agent(key: &Key, node: &Node, scope: &Scope) -> Result<GivenAgent> {
    let fields = Fields::of(node, &key.name, &AGENT)?;
    let people = |node: &Node, what: &str| -> Result<Vec<String>> {
        list(node, what)?.iter().map(|entry| scope.person(entry, what)).collect()
    };
    Ok(GivenAgent {
        id: key.name.clone(),
        line: key.at.line,
        description: fields.maybe("description", text)?.unwrap_or_default(),
        operators: fields.maybe("operators", people)?.unwrap_or_default(),
        talks_to: fields.maybe("talks_to", texts)?,
        ceiling: fields.maybe("ceiling", ceiling)?,
    })
}

fn ceiling(node: &Node, what: &str) -> Result<Ceiling> {
    let fields = Fields::of(node, what, &["turns", "usd", "tokens"])?;
    Ok(Ceiling {
        turns: fields.maybe("turns", count)?,
        usd: fields.maybe("usd", number)?,
        tokens: fields.maybe("tokens", count)?,
    })
}

fn hook(key: &Key, node: &Node, scope: &Scope) -> Result<GivenHook> {
    let fields = Fields::of(node, &key.name, &["agent", "trust"])?;
    // A webhook proves which system called, not that a person meant it: never more than this [I1, P1].
    let words = [Trust::Public, Trust::Participant].map(Trust::name);
    let trust = fields.maybe("trust", |node, what| {
        one_of(node, what, &words, |word| words.contains(&word).then(|| Trust::read(word)).flatten())
    })?;
    Ok(GivenHook {
        name: key.name.clone(),
        line: key.at.line,
        agent: fields.read("agent", |node, what| scope.agent(node, what))?,
        trust: trust.unwrap_or(Trust::Public),
    })
}
