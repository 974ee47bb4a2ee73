//! The whole format reads, built or not.

use std::collections::BTreeSet;

use ygg_scenario::scenario::{Act, ExpectKey, FundTo, Holder, Names, Part, Ref, Word};
use ygg_scenario::{Level, Outcome, Servers, parse, run};

const EVERYTHING: &str = r#"
name: everything that a scenario can say
rules: [M1, K1]
policy:
  preset: plane
  doors: closed
  topic_limit: 4
  nudge_after: 5m
  nudge_every: 90s
  nudge_max: 2
  poll_after: 10m
  poll_answer: 1h
  poll_silence: 1d
  idle_after: 7d
  turn_messages: 3
  hops: 4
  chain_wakes: 24
  day_turns: 100
  loop_texts: 5
  loop_window: 1h
  loop_rounds: 6
  attention: 10m
  held_expiry: 7d
  idempotency: 86400
  attachment_unit: 65536
given:
  people: {ana: owner, bob: admin, max: member, vic: viewer}
  agents:
    a: {talks_to: [b], operators: ["@ana", "@max"], description: "does a", ceiling: {turns: 40, usd: 5, tokens: 100}}
    b: {talks_to: []}
    c: {}
  groups: {team: [b, a]}
  hooks: {ci: {agent: a, trust: public}, cd: {agent: b, trust: participant}}
  pool: 0
  wallets: {a: 3, c: 0}
steps:
  - send: {from: a, to: b, type: request, topic: new, title: "T", text: "x", state: waiting, waiting_for: b, key: k, attachments: [1, 65537]}
    as: q
    expect: {outcome: delivered, charged: 1, balance: 2, effects: {b: wake, "@ana": notify, c: "context:loop_suspected"}, notes_about: [state], duplicate: false, hop: 1}
  - send: {from: "@ana", to: [a, "group:team", conversation], topic: $q.topic, text: {repeat: "né", times: 3}, waiting_for: [a, b], in_reply_to: $q, conversation: $q.conversation}
    expect: {outcome: refused, reason: unknown_recipient}
  - send: {from: c}
  - say: {from: "@ana", to: a, text: "go", topic: new}
    as: s
    expect: {effects: {a: wake}}
  - say: {from: "@ana", to: a, text: "on", topic: $s.topic}
  - inbox: {of: a}
    expect: {wakes: [{kind: human, from: "@ana", message: $s, trust: operator}, {kind: nudge}], context: [{from: b, reason: context_inform, message: $q}], prompt_has: [a], prompt_lacks: [b], instructions_lack: [c], notes: [], answer: none, told: []}
  - inbox: {of: b, peek: true}
  - turn:
      of: a
      topic: $s.topic
      send_to: [{to: b, note: "hello"}]
      send: [{to: c, type: inform, topic: new, title: "U", text: "y"}, {from: a, to: b, type: inform, topic: new, title: "V", text: "z"}]
      wake_me: {after: 10m, note: "look again"}
      final: "done"
      fails: false
      usd: 0.25
      answer_with: either
    as: t
    expect: {notes: [{to: b, outcome: held}, {to: c, outcome: refused, reason: turn_limit}, {to: b, outcome: delivered, hop: 1}], answer: {to: "@ana", effect: notify, hop: 2, state: done}, told: [{about: b, reason: door_closed}], prompt_has: ["x", "y"]}
  - turn: {of: b, outbox_raw: "[{\"to\": 5}]", fails: true}
    expect: {answer: none, notes: []}
  - answer: {by: "@ana", from: a, to: b, yes: true}
  - answer: {by: "@ana", from: a, to: c, yes: false}
    expect: {outcome: refused, reason: not_found}
  - door: {by: "@ana", from: a, to: b, open: true}
  - door: {by: "@ana", from: a, to: b, open: false}
  - hook: {name: ci, text: "the build failed"}
    as: h
  - stop: {by: "@ana", agent: a}
  - redact: {by: "@ana", message: $q}
  - retitle: {by: "@max", topic: $q.topic, title: "T2"}
  - pause_workspace: {by: "@ana"}
  - resume_workspace: {by: "@ana"}
  - fund: {by: "@ana", agent: a, credits: 5}
    expect: {balance: 8}
  - fund: {by: "@ana", pool: true, credits: 5}
  - fund: {by: "@ana", topic: $q.topic, credits: 5}
  - close: {by: "@vic", topic: $q.topic}
    expect: {outcome: refused, reason: forbidden}
  - pause: {by: "@ana", agent: b}
  - resume: {by: "@ana", agent: b}
  - remove: {by: "@ana", agent: b}
  - add: {by: "@ana", agent: b}
  - add: {by: "@ana", agent: d}
  - send: {from: d, to: a, type: inform, topic: $h.topic, text: "x"}
  - tasks: {of: a, add: [one, "two"]}
  - advance: 1h30m
  - restart: true
  - topic: $q.topic
    expect: {status: paused, paused_for: needs_human, states: {a: waiting, "@ana": needs_human, b: done, c: informed, d: working}, closed_at: "2026-01-01T01:10:00Z", stalled: true, looped: false}
  - balance: {of: a}
    expect: {balance: 1}
  - balance: {of: pool}
    expect: {balance: 0}
  - questions: {of: "@ana"}
    expect: [{from: a, to: b, notes: 2}]
  - questions: {of: "@ana"}
    expect: []
  - needs_you: {of: "@ana"}
    expect: [needs_human, held, credits, closing, stalled, failing]
  - doors: {of: a}
    expect: {b: open, c: shut}
  - doors: {of: a}
    expect: {}
  - ledger_ok: true
"#;

/// As the README lists them.
const STEPS: [&str; 27] = [
    "send",
    "say",
    "inbox",
    "turn",
    "answer",
    "door",
    "hook",
    "stop",
    "redact",
    "retitle",
    "pause_workspace",
    "resume_workspace",
    "fund",
    "close",
    "pause",
    "resume",
    "remove",
    "add",
    "tasks",
    "advance",
    "restart",
    "topic",
    "balance",
    "questions",
    "needs_you",
    "doors",
    "ledger_ok",
];

#[test]
fn every_step_and_every_expectation_reads() {
    let scenarios = parse(EVERYTHING).unwrap_or_else(|error| panic!("{error}"));
    let [scenario] = scenarios.as_slice() else { panic!("one scenario") };
    let steps: BTreeSet<_> = scenario.steps.iter().map(|step| step.act.name()).collect();
    assert_eq!(steps, BTreeSet::from(STEPS));
    let keys: BTreeSet<_> = scenario
        .steps
        .iter()
        .flat_map(|step| &step.expect)
        .flat_map(|expect| &expect.wants)
        .map(|want| want.key.name())
        .collect();
    let whole = [ExpectKey::Whole.name()];
    assert_eq!(keys, ExpectKey::NAMED.map(ExpectKey::name).into_iter().chain(whole).collect());
}

#[test]
fn what_is_written_is_what_is_read() {
    let scenario = parse(EVERYTHING).expect("it reads").remove(0);
    let world = &scenario.world;
    assert_eq!((world.pool, world.policy.nudge_every.as_secs()), (0, 90));
    assert_eq!((world.policy.turn_messages, world.policy.idempotency.as_secs()), (Some(3), 86_400));
    assert_eq!(world.groups, [("team".to_owned(), vec!["b".to_owned(), "a".to_owned()])]);
    assert_eq!(world.wallets, [("a".to_owned(), 3), ("c".to_owned(), 0)]);
    let talks: Vec<_> = world.agents.iter().map(|agent| agent.talks_to.as_ref().map(Vec::len)).collect();
    assert_eq!(talks, [Some(1), Some(0), None]);
    let Act::Send(draft) = &scenario.steps[1].act else { panic!("the second send") };
    assert_eq!(draft.text.as_deref(), Some("nénéné"));
    assert_eq!(draft.to, Some(Names::Several(vec!["a".into(), "group:team".into(), "conversation".into()])));
    let reference = |part| Some(Word::Ref(Ref { name: "q".to_owned(), part }));
    assert_eq!((&draft.topic, &draft.in_reply_to), (&reference(Part::Topic), &reference(Part::Message)));
    assert_eq!((&draft.conversation, &draft.kind), (&reference(Part::Conversation), &None));
    let Act::Send(bare) = &scenario.steps[2].act else { panic!("the third send") };
    assert_eq!((&bare.to, &bare.text, &bare.topic), (&None, &None, &None));
    let funded = scenario.steps.iter().filter_map(|step| match &step.act {
        Act::Fund { to, .. } => Some(to.clone()),
        _ => None,
    });
    let topic = Ref { name: "q".to_owned(), part: Part::Topic };
    assert_eq!(
        funded.collect::<Vec<_>>(),
        [FundTo::Agent("a".to_owned()), FundTo::Pool, FundTo::Topic(topic)]
    );
    let held = scenario.steps.iter().filter_map(|step| match &step.act {
        Act::Balance { of } => Some(of.clone()),
        _ => None,
    });
    assert_eq!(held.collect::<Vec<_>>(), [Holder::Agent("a".to_owned()), Holder::Pool]);
}

#[tokio::test]
async fn what_is_not_built_is_named_and_not_run() {
    let scenario = parse(EVERYTHING).expect("it reads").remove(0);
    let Outcome::NotBuilt { names, line, passed_before } =
        run(&scenario, Level::Memory, &Servers::default()).await
    else {
        panic!("not built")
    };
    assert_eq!((line, passed_before), (5, 0));
    assert!(names.contains(&"the plane preset") && names.contains(&"webhooks"), "{names:?}");

    let later = "name: s\ngiven: {agents: {a: {}, b: {}}}\nsteps:\n  - tasks: {of: a, add: [x]}\n  - doors: {of: a}\n  - tasks: {of: b, add: []}\n";
    let scenario = parse(later).expect("it reads").remove(0);
    for level in Level::possible(&Servers::default()) {
        let expected = Outcome::NotBuilt { names: vec!["doors"], line: 5, passed_before: 1 };
        assert_eq!(run(&scenario, level, &Servers::default()).await, expected, "{level}");
    }
}
