//! The runner can fail: wrong expectations are found, at the right line, at every level; and right ones pass.

use ygg_scenario::{Level, Outcome, Servers, parse, run};

const WORLD: &str = "name: s\ngiven: {people: {ana: owner, max: member, vic: viewer}, agents: {a: {}, b: {}}, pool: 10}\nsteps:\n";

/// Steps that each stand on lines of their own, from line 4 on.
async fn outcome_of(steps: &str, level: Level) -> Outcome {
    let source = format!("{WORLD}{steps}");
    let scenario = parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}")).remove(0);
    run(&scenario, level, &Servers::default()).await
}

async fn at_each_level(steps: &str) -> Vec<(Level, Outcome)> {
    let (memory, sqlite, http) = tokio::join!(
        outcome_of(steps, Level::Memory),
        outcome_of(steps, Level::Sqlite),
        outcome_of(steps, Level::Http)
    );
    vec![(Level::Memory, memory), (Level::Sqlite, sqlite), (Level::Http, http)]
}

async fn check(steps: &str, line: usize, step: &str, expected: &str, seen: &str) {
    for (level, outcome) in at_each_level(steps).await {
        let Outcome::Failed { line: at, step: label, expected: wanted, seen: found, .. } = &outcome else {
            panic!("{level}: {steps}: {outcome:?}")
        };
        assert_eq!((*at, label.as_str(), wanted.as_str()), (line, step, expected), "{level}: {outcome:?}");
        assert!(found.contains(seen), "{level}: {outcome:?}");
    }
}

async fn passes(steps: &str) {
    for (level, outcome) in at_each_level(steps).await {
        assert!(matches!(outcome, Outcome::Passed { .. }), "{level}: {steps}: {outcome:?}");
    }
}

const REQUEST: &str = "  - send: {from: a, to: b, type: request, topic: new, title: T, text: x}\n    as: q\n";

#[tokio::test]
async fn sends() {
    for (expect, expected, seen) in [
        ("{outcome: refused}", "{outcome: refused}", "{outcome: delivered}"),
        ("{reason: topic_limit}", "{reason: topic_limit}", "{reason: nothing}"),
        ("{charged: 2, balance: 9}", "{charged: 2}", "{charged: 1}"),
        ("{charged: 2, balance: 8}", "{balance: 8, charged: 2}", "{balance: 9, charged: 1}"),
        (
            "{effects: {b: \"context:orphan_response\"}}",
            "{effects: {b: \"context:orphan_response\"}}",
            "{b: wake}",
        ),
        ("{effects: {\"@ana\": notify}}", "{effects: {\"@ana\": notify}}", "{effects: {b: wake}}"),
        ("{effects: {}}", "{effects: {}}", "{effects: {b: wake}}"),
        ("{notes_about: [type]}", "{notes_about: [type]}", "{notes_about: []}"),
        ("{duplicate: true}", "{duplicate: true}", "{duplicate: false}"),
        ("{hop: 2}", "{hop: 2}", "{hop: 1}"),
    ] {
        check(&format!("{REQUEST}    expect: {expect}\n"), 4, "send from a", expected, seen).await;
    }
    let refused = "  - send: {from: a, to: b, text: x}\n    expect: {outcome: delivered}\n";
    let seen = "{outcome: refused}; it was refused: topic_required (";
    check(refused, 4, "send from a", "{outcome: delivered}", seen).await;
}

#[tokio::test]
async fn looks() {
    for (look, label, expected, seen) in [
        ("inbox: {of: b}\n    expect: {wakes: []}", "inbox of b", "{wakes: []}", "message: $q"),
        (
            "inbox: {of: b}\n    expect: {wakes: [{kind: request, from: a, message: $q, trust: operator}]}",
            "inbox of b",
            "{wakes: [{from: a, kind: request, message: $q, trust: operator}]}",
            "trust: participant",
        ),
        (
            "inbox: {of: b}\n    expect: {context: [{reason: context_inform}]}",
            "inbox of b",
            "{context: [{reason: context_inform}]}",
            "{context: []}",
        ),
        (
            "inbox: {of: b}\n    expect: {prompt_lacks: [agent a]}",
            "inbox of b",
            "{prompt_lacks: [\"agent a\"]}",
            "agent a",
        ),
        (
            "topic: $q.topic\n    expect: {status: closed}",
            "topic $q.topic",
            "{status: closed}",
            "{status: open}",
        ),
        (
            "topic: $q.topic\n    expect: {states: {b: done}}",
            "topic $q.topic",
            "{states: {b: done}}",
            "{states: {a: working, b: working}}",
        ),
        (
            "topic: $q.topic\n    expect: {closed_at: \"2026-01-01T00:00:00Z\"}",
            "topic $q.topic",
            "{closed_at: \"2026-01-01T00:00:00Z\"}",
            "{closed_at: nothing}",
        ),
        (
            "balance: {of: pool}\n    expect: {balance: 10}",
            "balance of pool",
            "{balance: 10}",
            "{balance: 9}",
        ),
        ("balance: {of: b}\n    expect: {balance: 10}", "balance of b", "{balance: 10}", "{balance: 9}"),
    ] {
        check(&format!("{REQUEST}  - restart: true\n  - {look}\n"), 7, label, expected, seen).await;
    }
}

#[tokio::test]
async fn acts_and_unexpected_refusals() {
    let close = "  - close: {by: \"@max\", topic: $q.topic}\n";
    let steps = format!("{REQUEST}{close}  - topic: $q.topic\n    expect: {{status: closed}}\n");
    for level in Level::possible(&Servers::default()) {
        let Outcome::Failed { line, refused_before, .. } = outcome_of(&steps, level).await else {
            panic!("it fails")
        };
        assert_eq!((line, refused_before.len()), (7, 1));
        let told = "line 6: close by @max was refused: forbidden (";
        assert!(refused_before.iter().all(|refusal| refusal.starts_with(told)), "{refused_before:?}");
    }
    let wrong = format!("{REQUEST}{close}    expect: {{outcome: delivered}}\n");
    check(
        &wrong,
        6,
        "close by @max",
        "{outcome: delivered}",
        "{outcome: refused}; it was refused: forbidden",
    )
    .await;
    let unbound = "  - send: {from: a, to: b, text: x}\n    as: q\n  - topic: $q.topic\n";
    check(unbound, 6, "topic $q.topic", "an answer", "$q.topic stands for nothing").await;
}

#[tokio::test]
async fn what_is_right_passes() {
    passes(&format!(
        "{REQUEST}    expect: {{outcome: delivered, charged: 1, balance: 9, hop: 1, duplicate: false, notes_about: [], effects: {{b: wake}}}}
  - close: {{by: \"@max\", topic: $q.topic}}
    expect: {{outcome: refused, reason: forbidden}}
  - inbox: {{of: b, peek: true}}
    expect: {{wakes: [{{kind: request, from: a, message: $q, trust: participant}}], prompt_has: [agent a], instructions_lack: [\"\\nx\\n\"]}}
  - retitle: {{by: \"@max\", topic: $q.topic, title: \"Another\"}}
  - restart: true
  - fund: {{by: \"@vic\", pool: true, credits: 1}}
    expect: {{outcome: refused, reason: forbidden}}
  - fund: {{by: \"@ana\", pool: true, credits: 1}}
    expect: {{balance: 10}}
  - fund: {{by: \"@ana\", agent: b, credits: 2}}
  - fund: {{by: \"@ana\", topic: $q.topic, credits: 3}}
  - balance: {{of: b}}
    expect: {{balance: 2}}
  - add: {{by: \"@ana\", agent: c}}
  - tasks: {{of: c, add: [one, two]}}
  - send: {{from: c, to: [a, \"@ana\"], type: inform, topic: new, title: U, text: y}}
    as: u
    expect: {{charged: 2, effects: {{a: \"context:context_inform\", \"@ana\": notify}}}}
  - say: {{from: \"@max\", to: a, text: \"well?\"}}
    as: s
    expect: {{charged: 0, effects: {{a: wake}}}}
  - say: {{from: \"@max\", to: a, text: \"now\", topic: $s.topic}}
  - send: {{from: \"@max\", to: \"@vic\", type: inform, topic: new, text: \"between us\"}}
    as: p
  - topic: $p.topic
    expect: {{status: open, states: {{\"@max\": working}}}}
  - inbox: {{of: a}}
    expect: {{wakes: [{{kind: human, from: \"@max\", trust: operator, message: $s}}, {{kind: human, from: \"@max\"}}], context: [{{from: c, reason: context_inform, message: $u}}]}}
  - close: {{by: \"@ana\", topic: $q.topic}}
  - topic: $q.topic
    expect: {{status: closed, closed_at: \"2026-01-01T00:00:00Z\", states: {{a: working, b: working}}}}
  - ledger_ok: true\n"
    ))
    .await;
}

#[tokio::test]
async fn a_world_without_an_owner_has_a_hidden_one() {
    let steps = "name: s\ngiven: {agents: {scenario-owner: {}, b: {}}, wallets: {b: 0}, pool: 5}\nsteps:\n  \
                 - send: {from: b, to: scenario-owner, type: inform, topic: new, title: T, text: x}\n    \
                 expect: {outcome: refused, reason: credits_exhausted, charged: 0, balance: 0}\n  - ledger_ok: true\n";
    let scenario = parse(steps).expect("it reads").remove(0);
    for level in Level::possible(&Servers::default()) {
        assert_eq!(run(&scenario, level, &Servers::default()).await, Outcome::Passed { steps: 2 }, "{level}");
    }
}
