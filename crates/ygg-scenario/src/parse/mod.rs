//! From a file to scenarios. Nothing is skipped: an unknown key or step, a wrong type, a missing key and an unbound
//! name are errors with their line.

mod draft;
mod expect;
mod fields;
mod made;
mod policy;
mod scope;
mod span;
mod step;
mod world;

pub use fields::ParseError;

use crate::scenario::Scenario;
use crate::yaml::{self, Node};
use fields::{Fields, Result, list, text, texts};

const SCENARIO: [&str; 5] = ["name", "rules", "policy", "given", "steps"];

/// The scenarios of one file, in order.
pub fn parse(source: &str) -> Result<Vec<Scenario>> {
    let documents = yaml::documents(source).map_err(|(at, message)| ParseError::new(at, message))?;
    if documents.is_empty() {
        let message = "there is no scenario here; begin with `name:` and `steps:`".to_owned();
        return Err(ParseError { line: 1, column: 1, message });
    }
    made::check_made(&documents)?;
    documents.iter().map(scenario).collect()
}

fn scenario(document: &Node) -> Result<Scenario> {
    let fields = Fields::of(document, "a scenario", &SCENARIO)?;
    let name = fields.read("name", text)?;
    let (world, mut scope) = world::world(fields.get("policy"), fields.get("given"))?;
    let mut steps = Vec::new();
    for node in fields.read("steps", list)? {
        steps.push(step::step(node, &mut scope)?);
    }
    let rules = fields.maybe("rules", texts)?.unwrap_or_default();
    Ok(Scenario { name, line: document.at.line, rules, world, steps })
}
