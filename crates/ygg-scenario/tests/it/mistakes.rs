//! What must not read: each mistake with its line and with words that help.

use ygg_scenario::parse;

/// Two agents and a person; the step stands on line 4.
fn with_step(step: &str) -> String {
    format!(
        "name: s\ngiven: {{people: {{ana: owner}}, agents: {{a: {{}}, b: {{}}}}, groups: {{g: [a]}}}}\nsteps:\n  - {step}\n"
    )
}

fn check(source: &str, line: usize, told: &str) {
    let error = parse(source).expect_err(source);
    assert_eq!(error.line, line, "{source}: {error}");
    assert!(error.message.contains(told), "{source}: {error}");
    assert!(error.column >= 1);
}

#[test]
fn files_and_scenarios() {
    for (source, line, told) in [
        ("", 1, "no scenario"),
        ("# only this\n---\n", 1, "no scenario"),
        ("- a\n", 1, "`a scenario` must be a mapping, and this is a list"),
        ("name: s\n", 1, "needs `steps`"),
        ("steps: []\n", 1, "needs `name`"),
        ("name: 5\nsteps: []\n", 1, "`name` must be a text, and this is a whole number: put it in quotes"),
        ("name: s\nsteps: {}\n", 2, "`steps` must be a list, and this is a mapping"),
        ("name: s\nsteps:\n", 2, "and this is nothing"),
        ("name: s\nrules: M1\nsteps: []\n", 2, "`rules` must be a list"),
        ("name: s\nworld: {}\nsteps: []\n", 2, "no key `world`; it has name, rules, policy, given, steps"),
        ("name: s\nname: t\nsteps: []\n", 2, "`name` stands here twice"),
        ("name: s\nsteps: [\n", 2, "unclosed bracket"),
        ("name: s\nsteps: []\n---\nname: t\nstep: []\n", 5, "no key `step`"),
        ("name: s\nsteps: []\n---\nname: t\n\n\nsteps:\n  - sned: {}\n", 8, "no step `sned`; there are send"),
    ] {
        check(source, line, told);
    }
}

#[test]
fn policies_and_worlds() {
    for (part, told) in [
        ("policy: {nudge: 5m}", "no key `nudge`"),
        ("policy: {nudge_after: soon}", "`nudge_after` is a span of time such as 90s"),
        ("policy: {nudge_after: [5m]}", "must be a text"),
        ("policy: {hops: 4m}", "`hops` must be a whole number"),
        ("policy: {hops: -1}", "`hops` cannot be -1"),
        ("policy: {hops: 5000000000}", "cannot be 5000000000"),
        ("policy: {preset: plan}", "preset is"),
        ("policy: {doors: ajar}", "doors is"),
        ("policy: {attachment_unit: 0}", "attachment_unit is at least 1"),
        ("policy: plane", "`policy` must be a mapping"),
        ("given: {person: {ana: owner}}", "no key `person`"),
        ("given: {people: {ana: boss}}", "`ana` is one of viewer, member, admin, owner, not `boss`"),
        ("given: {people: {Ana: owner}}", "`Ana` names nobody"),
        ("given: {agents: {a: }}", "`a` must be a mapping, and this is nothing"),
        ("given: {agents: {system: {}}}", "reserved"),
        ("given: {agents: {a: {talksTo: []}}}", "a has no key `talksTo`"),
        ("given: {agents: {a: {talks_to: b}}}", "`talks_to` must be a list"),
        ("given: {agents: {a: {operators: [\"@ana\"]}}}", "@ana, who is not in this world"),
        ("given: {agents: {a: {ceiling: {turn: 1}}}}", "no key `turn`"),
        ("given: {agents: {a: {}, a: {}}}", "stands here twice"),
        ("given: {people: {a: owner}, agents: {a: {}}}", "share their names"),
        ("given: {groups: {g: [a]}}", "`g` names a, and no agent"),
        ("given: {hooks: {ci: {agent: a}}}", "`agent` names a, and no agent"),
        ("given: {agents: {a: {}}, hooks: {ci: {trust: public}}}", "ci needs `agent`"),
        ("given: {agents: {a: {}}, hooks: {ci: {agent: a, trust: operator}}}", "public, participant"),
        ("given: {wallets: {a: 1}}", "`wallets` names a"),
        ("given: {pool: -5}", "`pool` cannot be -5"),
        ("given: {pool: many}", "`pool` must be a whole number"),
    ] {
        check(&format!("name: s\n{part}\nsteps: []\n"), 2, told);
    }
}

#[test]
fn steps() {
    for (step, told) in [
        ("{}", "a step needs one of send, say"),
        ("send", "`a step` must be a mapping"),
        ("as: q", "a step needs one of"),
        ("{inbox: {of: a}, topic: $q.topic}", "`inbox` and `topic` stand together"),
        ("{inbox: {of: a}, as: q}", "`inbox` makes nothing to name"),
        ("{send: {from: a}, as: $q}", "without the $"),
        ("send: {to: b}", "send needs `from`"),
        ("send: {form: a}", "send has no key `form`; it has from, to"),
        ("send: {from: c}", "`from` names c, who is not in this world"),
        ("send: {from: ana}", "people are written with an @: \"@ana\""),
        ("send: {from: a, to: {b: c}}", "`to` must be a text"),
        ("send: {from: a, text: 42}", "put it in quotes"),
        ("send: {from: a, text: {repeat: x}}", "text needs `times`"),
        ("send: {from: a, text: {repeat: x, times: 99999999}}", "repeat less"),
        ("send: {from: a, attachments: [big]}", "`attachments` must be a whole number"),
        ("send: {from: a, topic: $q.topic}", "`$q` is not bound: no earlier step says `as: q`"),
        ("say: {from: a, to: b, text: x}", "must be a person, and a is an agent"),
        ("say: {from: \"@ana\", to: b, text: x, topic: old}", "`topic` is written $x.topic"),
        ("inbox: {of: a, peek: yes}", "`peek` must be true or false, and this is a text"),
        ("turn: {of: a, send_to: {to: b}}", "`send_to` must be a list"),
        ("turn: {of: a, send_to: [{to: b}]}", "send_to needs `note`"),
        ("turn: {of: a, send: [{from: b}]}", "this turn is a's"),
        ("turn: {of: a, answer_with: shouts}", "`answer_with` is one of tools, final_text, either"),
        ("turn: {of: a, usd: much}", "`usd` must be a number"),
        ("turn: {of: a, wake_me: {at: now}}", "no key `at`"),
        ("turn: {of: \"@ana\"}", "no agent of this world is called so"),
        ("answer: {by: \"@ana\", from: a, to: b}", "answer needs `yes`"),
        ("door: {by: \"@ana\", from: a, to: b, open: shut}", "`open` must be true or false"),
        ("hook: {name: ci, text: x}", "given.hooks does not declare"),
        ("redact: {by: \"@ana\", message: x}", "`message` is written $x, after a step `as: x`"),
        ("fund: {by: \"@ana\", credits: 5}", "fund takes one of agent, pool and topic"),
        ("fund: {by: \"@ana\", agent: a, pool: true, credits: 5}", "fund takes one of"),
        ("fund: {by: \"@ana\", agent: a}", "fund needs `credits`"),
        ("fund: {by: \"@ana\", agent: a, credits: 1.5}", "`credits` must be a whole number"),
        ("pause: {by: \"@ana\"}", "pause needs `agent`"),
        ("pause_workspace: {by: \"@bob\"}", "@bob, who is not in this world"),
        ("tasks: {of: a, add: x}", "`add` must be a list"),
        ("advance: 10", "`advance` must be a text"),
        ("advance: soon", "a span of time"),
        ("restart: false", "`restart` must be `true`"),
        ("ledger_ok: yes", "`ledger_ok` must be `true`, and this is a text"),
        ("topic: new", "`topic` is written $x.topic"),
        ("balance: {of: \"@ana\"}", "no agent of this world"),
        ("balance: {}", "balance needs `of`"),
    ] {
        check(&with_step(step), 4, told);
    }
}

#[test]
fn names_of_earlier_steps() {
    let first = "send: {from: a, to: b, topic: new}\n    as: q\n  - turn: {of: b}\n    as: t\n  - ";
    for (step, told) in [
        ("topic: $q", "`topic` takes `$q.topic`, not `$q`"),
        ("topic: $q.title", "there are $q, $q.topic, $q.conversation"),
        ("topic: $Q.topic", "`$Q` is not bound"),
        ("topic: $t.topic", "`$t` is a turn"),
        ("{send: {from: a, in_reply_to: $q.topic}}", "`in_reply_to` takes `$q`, not `$q.topic`"),
        ("{send: {from: a, conversation: $q}}", "takes `$q.conversation`"),
        ("{inbox: {of: b}, expect: {wakes: [{message: $r}]}}", "`$r` is not bound"),
        ("{inbox: {of: b}, expect: {wakes: [{message: q}]}}", "`message` is written $x"),
    ] {
        check(&with_step(&format!("{first}{step}")), 8, told);
    }
}

#[test]
fn expectations() {
    for (step, expect, told) in [
        ("send: {from: a}", "{outcomes: x}", "send shows no `outcomes`; it has outcome, reason"),
        ("send: {from: a}", "{wakes: []}", "send shows no `wakes`"),
        ("send: {from: a}", "[]", "`expect` must be a mapping"),
        ("send: {from: a}", "{outcome: ok}", "`outcome` is one of delivered, held, refused, absorbed"),
        ("send: {from: a}", "{charged: \"1\"}", "`charged` must be a whole number, and this is a text"),
        ("send: {from: a}", "{duplicate: 1}", "`duplicate` must be true or false"),
        ("send: {from: a}", "{effects: {b: context}}", "`b` is wake, notify, held or context:<reason>"),
        ("send: {from: a}", "{effects: [b]}", "`effects` must be a mapping"),
        ("send: {from: a}", "{notes_about: type}", "`notes_about` must be a list"),
        ("inbox: {of: a}", "{charged: 1}", "inbox shows no `charged`"),
        ("inbox: {of: a}", "{wakes: [{type: request}]}", "a wake has no key `type`"),
        ("inbox: {of: a}", "{wakes: [{kind: knock}]}", "`kind` is one of request, response"),
        ("inbox: {of: a}", "{wakes: {}}", "`wakes` must be a list"),
        ("inbox: {of: a}", "{context: [{kind: x}]}", "context has no key `kind`"),
        ("inbox: {of: a}", "{prompt_has: x}", "`prompt_has` must be a list"),
        ("turn: {of: a}", "{notes: [{reason: [x]}]}", "`reason` must be a text"),
        ("turn: {of: a}", "{answer: nothing}", "`answer` must be a mapping"),
        ("turn: {of: a}", "{answer: {effects: wake}}", "answer has no key `effects`"),
        ("turn: {of: a}", "{told: [{of: b}]}", "told has no key `of`"),
        ("balance: {of: pool}", "{pool: 1}", "balance shows no `pool`; it has balance"),
        ("balance: {of: pool}", "{balance: -1}", "`balance` cannot be -1"),
        ("questions: {of: \"@ana\"}", "{}", "`expect` must be a list"),
        ("questions: {of: \"@ana\"}", "[{note: 1}]", "a question has no key `note`"),
        ("needs_you: {of: \"@ana\"}", "[me]", "`expect` is one of needs_human, held"),
        ("doors: {of: a}", "[b]", "`expect` must be a mapping"),
        ("doors: {of: a}", "{b: closed}", "`b` is one of open, shut"),
        ("advance: 1m", "{outcome: refused}", "it has nothing to show, leave `expect` out"),
        ("restart: true", "{outcome: refused}", "leave `expect` out"),
    ] {
        check(&with_step(&format!("{step}\n    expect: {expect}")), 5, told);
    }
}

/// A small file that asks for much.
#[test]
fn what_all_texts_come_to_is_bound() {
    let line = "  - send: {from: a, to: b, text: {repeat: xxxxxxxxxxxxxxxx, times: 65536}}\n";
    let file = |lines: usize| {
        format!("name: s\ngiven: {{agents: {{a: {{}}, b: {{}}}}}}\nsteps:\n{}", line.repeat(lines))
    };
    assert!(parse(&file(16)).is_ok());
    check(&file(17), 20, "larger than 16777216 bytes");
}
