//! What each action may cost, read from `limits.toml`, and what to do when one costs more.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::counts::Action;

const FILE: &str = include_str!("../limits.toml");
/// A limit this much above what is counted has not followed an improvement.
const SLACK: f64 = 0.85;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    pub statements: f64,
    pub allocations: f64,
    pub instructions: f64,
}

impl Cost {
    fn parts(self) -> [(&'static str, f64); 3] {
        [
            ("statements", self.statements),
            ("allocations", self.allocations),
            ("instructions", self.instructions),
        ]
    }
}

/// Prints what was counted beside its limits; an error when something is over.
pub fn check(counted: &[(Action, Cost)]) -> Result<()> {
    let limits: BTreeMap<String, Cost> = toml::from_str(FILE).context("limits.toml does not read")?;
    let mut over = Vec::new();
    for (action, cost) in counted {
        let limit = limits.get(action.name()).context("limits.toml has no such action")?;
        for ((what, cost), (_, limit)) in cost.parts().into_iter().zip(limit.parts()) {
            let name = action.name();
            let remark = if cost > limit {
                over.push(format!("one {name} takes {cost:.1} {what}, and {limit} are allowed"));
                "OVER"
            } else if cost < limit * SLACK {
                "well below: lower the limit in crates/ygg-bench/limits.toml"
            } else {
                ""
            };
            println!("{name:<9} {what:<13} {cost:>12.1} of {limit:>12} {remark}");
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    bail!(
        "{}. See docs/speed.md, \"Counts\", for how to find where they come from. If they are worth it, raise the \
         limit in crates/ygg-bench/limits.toml in the same commit and say why.",
        over.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(of: f64) -> Cost {
        Cost { statements: of, allocations: of, instructions: of }
    }

    #[test]
    fn more_than_is_allowed_is_told_with_what_to_do() {
        assert!(check(&Action::ALL.map(|action| (action, cost(1.0)))).is_ok());
        let error = check(&[(Action::Inbox, cost(1e12))]).expect_err("over").to_string();
        assert!(error.contains("one inbox takes") && error.contains("limits.toml"), "{error}");
    }
}
