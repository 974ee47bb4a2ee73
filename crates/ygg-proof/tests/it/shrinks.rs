//! A run that fails becomes a short list of steps that fails by the same rule.

use std::time::Duration;

use serde_json::Value;
use ygg_proof::sim::place::Ground;
use ygg_proof::sim::run::{self, History};
use ygg_proof::sim::scene::Size;
use ygg_proof::sim::shrink::shrink;
use ygg_proof::sim::step::{Act, Crash, Trouble, Who};

/// A history whose store does one agent's send twice.
fn with_a_double() -> History {
    let ran = run::draw(2, Size { agents: 5, steps: 100 }).expect("a run");
    let kept = run::follow_and_keep(&ran.history, Ground::Memory).expect("it is there").kept;
    let sent = |n: u32| {
        let told = kept.iter().find(|kept| kept.n == n).map(|kept| &kept.told["outcome"]);
        told.and_then(Value::as_str) == Some("delivered")
    };
    let mut history = ran.history;
    let unkeyed = |act: &Act| matches!(act, Act::Send { by: Who::Agent(_), line } if !line.keyed && line.forged.is_none());
    let double =
        history.steps.iter_mut().rev().find(|step| unkeyed(&step.act) && sent(step.n)).expect("it is there");
    double.crash = Some(Crash { write: 0, how: Trouble::DoesTwice });
    history
}

#[test]
fn a_write_that_is_done_twice_is_seen_and_shown_in_a_few_steps() {
    let history = with_a_double();
    for ground in [Ground::Memory, Ground::Sqlite] {
        let outcome = run::follow(&history, ground).expect("it is there").outcome;
        assert_eq!(outcome.rule(), Some("M8"), "{outcome}");
    }
    let outcome = run::follow(&history, Ground::Memory).expect("it is there").outcome;
    let (small, how) =
        shrink(&history, &outcome, Ground::Memory, Duration::from_secs(600)).expect("it is there");
    assert_eq!(how.rule(), Some("M8"), "{how}");
    assert!(small.steps.len() <= 4, "{:?}", small.steps);
    assert!(small.scene.agents.iter().any(Option::is_none), "{:?}", small.scene);
    assert_eq!(run::follow(&small, Ground::Memory).expect("it is there").outcome, how);
}
