//! Order and turns over a restart: the clock stands still, so nothing may lean on ids that sort by time [K2, U1].

use ygg_scenario::{Level, Outcome, Servers, parse, run};

const OLDEST_FIRST: &str = r#"
name: the oldest wake is served first, restart or not
given: {agents: {a: {}, b: {}}}
steps:
  - send: {from: a, to: b, type: request, topic: new, title: "one", text: "first"}
    as: q1
  - restart: true
  - send: {from: a, to: b, type: request, topic: new, title: "two", text: "second"}
    as: q2
  - inbox: {of: b}
    expect: {wakes: [{kind: request, from: a, message: $q1}]}
  - inbox: {of: b}
    expect: {wakes: [{kind: request, from: a, message: $q2}]}
"#;

const TURN_ENDS: &str = r#"
name: a turn ends when the session asks again, restart or not
given: {agents: {a: {}, b: {}}}
steps:
  - send: {from: a, to: b, type: request, topic: new, title: "T", text: "first"}
    as: q
  - inbox: {of: b}
  - restart: true
  - send: {from: a, to: b, type: request, topic: $q.topic, text: "second"}
    expect: {effects: {b: "context:wake_coalesced"}}
  - inbox: {of: b}
    expect: {wakes: [{kind: request, from: a}]}
  - inbox: {of: b}
    expect: {wakes: [], context: []}
  - send: {from: a, to: b, type: request, topic: $q.topic, text: "third"}
    expect: {effects: {b: wake}}
"#;

#[tokio::test]
async fn a_restart_changes_no_order() {
    for source in [OLDEST_FIRST, TURN_ENDS] {
        for scenario in parse(source).expect("the scenario reads") {
            // Ids are random, so one lucky run proves little.
            for _ in 0..5 {
                for level in [Level::Memory, Level::Sqlite] {
                    let outcome = run(&scenario, level, &Servers::default()).await;
                    assert!(matches!(outcome, Outcome::Passed { .. }), "{}: {outcome:?}", level.name());
                }
            }
        }
    }
}
