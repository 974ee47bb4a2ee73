//! What a send records of itself, for `why`: each rule that fired, in order, with the fact that decided it.

use super::*;
use crate::id::NoticeId;
use crate::message::fired::Part;
use crate::message::recipients::Candidate;
use crate::notice::NoticeKind;
use crate::topic::Paused;

/// The record as it is kept, without ids, which say nothing here.
fn recorded(facts: &SendFacts, raw: RawDraft) -> Vec<String> {
    let (changes, receipt) = run(facts, raw);
    let posted = changes.iter().find_map(|change| match change {
        Change::MessagePosted(posted) => Some(posted),
        _ => None,
    });
    let posted = posted.unwrap_or_else(|| panic!("nothing was posted: {receipt:?}"));
    let line = |fired: &crate::message::Fired| {
        let mut words = Vec::new();
        fired.write(&mut |part| {
            let word = match part {
                Part::Plain(word) => word.to_string(),
                Part::Text(text) => text.to_owned(),
            };
            words.push(word);
        });
        words.retain(|word| !(word.len() == 30 && word.as_bytes()[3] == b'_'));
        words.join(" ")
    };
    posted.fired.iter().map(line).collect()
}

fn check(facts: &SendFacts, raw: RawDraft, expected: &[&str]) {
    let said = format!("{raw:?}");
    assert_eq!(recorded(facts, raw), expected, "{said}");
}

/// The lines that name one of these rules.
fn check_of(rules: &[&str], facts: &SendFacts, raw: RawDraft, expected: &[&str]) {
    let said = format!("{raw:?}");
    let mut lines = recorded(facts, raw);
    lines.retain(|line| rules.contains(&line.split(' ').next().unwrap_or_default()));
    assert_eq!(lines, expected, "{said}");
}

fn within(topic: TopicFacts) -> SendFacts {
    SendFacts { place: Place::Topic(Box::new(topic)), ..world() }
}

/// The topic without the wake and the debt that stand in it.
fn quiet() -> TopicFacts {
    let mut topic = topic();
    topic.standing.wakes.clear();
    topic.standing.debts.clear();
    TopicFacts { named: None, ..topic }
}

fn plain(kind: &str) -> RawDraft {
    RawDraft { title: None, ..draft(kind) }
}

#[test]
fn a_request_that_opens_a_topic_records_where_what_it_costs_and_whom_it_wakes() {
    check(
        &world(),
        draft("request"),
        &[
            "M6 opened made",
            "T2 titled",
            "C1 priced 1 1",
            "C2 paid pool -",
            "H1 began 1 itself",
            "K1 woken b request",
            "S1 works a",
            "S1 works b",
        ],
    );
}

#[test]
fn an_answer_records_what_it_settles_and_which_wake_it_answers() {
    check(
        &answering(topic()),
        answer(),
        &[
            "C1 priced 1 1",
            "C2 paid pool -",
            "M4 settled a",
            "H1 began 2 answer",
            "K1 woken a response",
            "K2 answered answered_all",
        ],
    );
}

#[test]
fn a_draft_that_is_mended_names_the_rule_of_each_repair() {
    let ignored = |raw: RawDraft| RawDraft { ignored: vec!["from".into()], ..raw };
    let repaired = ["M1", "M5", "M6", "T2", "T3", "S2", "K5"];
    let note = |facts: &SendFacts, raw: RawDraft, expected: &str| {
        let lines: Vec<_> =
            recorded(facts, raw).into_iter().filter(|line| line.contains(" repaired ")).collect();
        let starts = lines.len() == 1 && lines[0].starts_with(expected);
        assert!(starts && repaired.contains(&&expected[..2]), "{lines:?}, not {expected}");
    };
    note(&world(), ignored(draft("request")), "M1 repaired from ");
    note(&world(), draft("question"), "M5 repaired type ");
    note(
        &world(),
        RawDraft { to: vec!["b".into(), "system.ygg".into()], ..draft("request") },
        "K5 repaired to ",
    );
    let elsewhere = RawDraft { conversation_id: Some("x".into()), ..plain("request") };
    note(&within(quiet()), elsewhere, "M6 repaired conversation_id ");
    note(&within(quiet()), draft("request"), "T2 repaired title ");
    let mut done = quiet();
    done.standing.parties[0].state = State::Done;
    let held = vec![HeldTopic { id: done.standing.topic.id, title: None }; 3];
    let back = RawDraft { state: Some("working".into()), ..plain("inform") };
    note(&SendFacts { held, ..within(done) }, back, "T3 repaired state ");
    let awaited = vec![(Address::read("c"), vec![agent("c").id])];
    let waits = RawDraft { state: Some("waiting".into()), waiting_for: vec!["c".into()], ..plain("request") };
    note(&SendFacts { awaited, ..within(quiet()) }, waits, "S2 repaired waiting_for ");
}

#[test]
fn the_title_is_recorded_where_a_message_gives_it() {
    let untitled = || {
        let mut topic = quiet();
        topic.standing.topic.title = None;
        topic
    };
    check_of(&["T2"], &within(untitled()), draft("inform"), &["T2 titled"]);
    check_of(&["T2"], &within(quiet()), plain("inform"), &[]);
}

#[test]
fn who_pays_is_recorded_and_whether_a_budget_bears_it() {
    let topic = quiet();
    let budget = Some((topic.standing.topic.id, 5));
    let funds = Funds { pot: Pot::Wallet(agent("a").id), balance: 9, budget };
    let paid = SendFacts { funds, ..within(topic) };
    check_of(&["C1", "C2"], &paid, plain("inform"), &["C1 priced 1 1", "C2 paid wallet budget"]);
    let ana = SendFacts { sender: person("ana", Role::Owner), ..world() };
    check_of(&["C1", "C2", "H1"], &ana, draft("inform"), &[]);
}

#[test]
fn what_a_list_comes_to_is_recorded_where_it_says_more_than_its_entries() {
    let member =
        |participant: Participant| Candidate { participant, ties: Ties { stint: true, ..Ties::default() } };
    let gone = Participant { removed: true, ..agent("d") };
    let members = vec![member(agent("a")), member(agent("b")), member(agent("c")), member(gone)];
    let addressed = vec![(Address::read("group:g"), Resolved::Many(members))];
    let facts = SendFacts { addressed, ..within(quiet()) };
    check_of(&["M7"], &facts, plain("inform"), &["M7 resolved 1 2", "M7 passed_over d"]);
    check_of(&["M7"], &within(quiet()), plain("inform"), &[]);
}

#[test]
fn a_request_records_which_wake_it_joins_or_is_folded_into() {
    let wakes = ["K1", "K3", "K5c"];
    let asked = |status| {
        let mut topic = topic();
        topic.standing.wakes[0].status = status;
        topic
    };
    let by_ana = |facts: SendFacts| SendFacts { sender: person("ana", Role::Owner), ..facts };
    check_of(&wakes, &within(asked(WakeStatus::Pending)), plain("request"), &["K3 folded b pending"]);
    check_of(&wakes, &within(asked(WakeStatus::Taken)), plain("request"), &["K3 folded b taken"]);
    check_of(&wakes, &by_ana(within(asked(WakeStatus::Pending))), plain("inform"), &["K3 joined b human"]);
    check_of(&wakes, &by_ana(within(asked(WakeStatus::Taken))), plain("inform"), &["K1 woken b human"]);
    let mut paused = agent("b");
    if let Nature::Agent(about) = &mut paused.nature {
        about.paused = true;
    }
    let to_paused = SendFacts { addressed: vec![(Address::read("b"), stint(paused))], ..within(quiet()) };
    check_of(&wakes, &to_paused, plain("request"), &["K1 woken b request", "K5c waits_for_pause b agent"]);
    check_of(&wakes, &to_paused, plain("inform"), &[]);
    let stopped = SendFacts { workspace_paused: true, ..by_ana(within(quiet())) };
    check_of(&wakes, &stopped, plain("inform"), &["K1 woken b human", "K5c waits_for_pause b workspace"]);
}

#[test]
fn context_records_why_it_disturbs_nobody() {
    let rows = ["M3", "M4", "S4", "S3"];
    let mut done = quiet();
    done.standing.parties[1].state = State::Done;
    check_of(&rows, &within(quiet()), plain("inform"), &["M3 informed b"]);
    check_of(&rows, &within(done), plain("request"), &["S4 shielded b"]);
    let mut paused = quiet();
    paused.standing.topic.status = Status::Paused(Paused::NeedsHuman);
    check_of(&rows, &within(paused), plain("request"), &["S3 held_back b"]);
    check_of(&rows, &answering(quiet()), answer(), &["M4 unasked a"]);
    let mut both = answering(topic());
    both.addressed.push((Address::read("c"), stint(agent("c"))));
    check_of(&rows, &both, answer(), &["M4 settled a", "M3 overheard c"]);
    let ana = person("ana", Role::Owner);
    let told = SendFacts { addressed: vec![(Address::read("@ana"), stint(ana.clone()))], ..within(quiet()) };
    check_of(&["K1"], &told, plain("inform"), &[&format!("K1 notified {} quietly", ana.id)]);
    check_of(&["K1"], &told, plain("request"), &[&format!("K1 notified {} aloud", ana.id)]);
}

#[test]
fn a_suspected_loop_records_its_sign_and_what_it_was_held_against() {
    let loops = ["L1", "L2", "L3"];
    let with = |repeats, volley| SendFacts {
        loops: vec![(agent("b").id, Signs { repeats, volley })],
        ..within(quiet())
    };
    check_of(&loops, &with(0, 5), plain("request"), &[]);
    check_of(&loops, &with(2, 6), plain("request"), &["L1 same_text b 2 5 60", "L3 shown"]);
    check_of(&loops, &with(0, 6), plain("request"), &["L2 back_and_forth b 6 6", "L3 shown"]);
    let mut again = quiet();
    again.standing.topic.looped = true;
    let again = SendFacts { loops: with(1, 0).loops, ..within(again) };
    check_of(&loops, &again, plain("request"), &["L1 same_text b 1 5 60"]);
}

#[test]
fn states_that_move_are_recorded_with_the_rule_that_moves_them() {
    let states = ["S1", "S2", "S3", "S4"];
    let declare = |state: &str| RawDraft { state: Some(state.into()), ..plain("request") };
    let waits = RawDraft { waiting_for: vec!["b".into()], ..declare("waiting") };
    let awaited = vec![(Address::read("b"), vec![agent("b").id])];
    let mut works = quiet();
    works.standing.parties[0].state = State::Working;
    check_of(&states, &SendFacts { awaited, ..within(works) }, waits, &["S2 waits a b"]);
    check_of(&states, &within(quiet()), declare("working"), &["S1 works a"]);
    check_of(&states, &within(quiet()), declare("done"), &["S4 is_done a"]);
    let asks = ["S3 needs_person a", "S3 paused"];
    check_of(&states, &within(quiet()), declare("needs_human"), &asks);
    let mut alone = quiet();
    alone.standing.parties.truncate(1);
    check_of(&states, &within(alone), plain("inform"), &["S1 was_informed b"]);
    let mut done = quiet();
    done.standing.parties[1].state = State::Done;
    let ana = person("ana", Role::Owner);
    let again = SendFacts { sender: ana.clone(), ..within(done) };
    let moved = [format!("S1 works {}", ana.id), "S4 works_again b".to_owned()];
    check_of(&states, &again, plain("inform"), &moved.each_ref().map(String::as_str));
}

#[test]
fn the_end_of_a_pause_is_recorded_with_whom_it_wakes() {
    let rules = ["S3", "C4"];
    let paused = |why| {
        let mut topic = quiet();
        topic.standing.topic.status = Status::Paused(why);
        topic.standing.parties[0].state = State::NeedsHuman;
        let held = HeldBack {
            recipient: agent("c").id,
            message: message(3),
            origin: Origin { message: message(0), hop: 1 },
            read: false,
        };
        TopicFacts { held_back: vec![held.clone(), held], ..topic }
    };
    let by_ana = |facts: SendFacts| SendFacts { sender: person("ana", Role::Owner), ..facts };
    check_of(
        &rules,
        &by_ana(within(paused(Paused::NeedsHuman))),
        plain("inform"),
        &["S3 resumed", "S3 works_on a", "S3 released c"],
    );
    let topic = Some(quiet().standing.topic.id);
    let short =
        |id: &str| Shortfall { agent: agent(id).id, topic, pot: Pot::Pool, needed: 3, at: Timestamp(0) };
    let short_of = |ids: &[&str], why| SendFacts {
        shortfalls: ids.iter().map(|id| short(id)).collect(),
        ..within(paused(why))
    };
    check_of(
        &rules,
        &short_of(&["a"], Paused::Credits),
        plain("inform"),
        &["C4 lacks_no_more a", "C4 goes_on", "S3 works_on a", "S3 released c"],
    );
    check_of(&rules, &short_of(&["a", "b"], Paused::Credits), plain("inform"), &["C4 lacks_no_more a"]);
    check_of(&rules, &short_of(&["a"], Paused::Both), plain("inform"), &["C4 lacks_no_more a"]);
    check_of(
        &rules,
        &by_ana(short_of(&["a", "b"], Paused::Both)),
        plain("inform"),
        &["C4 lacks_no_more a", "C4 lacks_no_more b", "S3 resumed", "S3 works_on a", "S3 released c"],
    );
}

#[test]
fn what_a_message_ends_is_recorded() {
    let taken = || {
        let mut topic = topic();
        topic.standing.wakes[0].status = WakeStatus::Taken;
        let (wake, origin) = (topic.standing.wakes[0].id, topic.standing.wakes[0].origin);
        TopicFacts { folded: vec![Folded { wake, message: message(2), origin }], ..topic }
    };
    let ends = ["H1", "K2", "K3", "S2", "S4", "S5", "S7", "K4"];
    let inform = || RawDraft { to: vec!["a".into()], ..plain("inform") };
    check_of(&ends, &answering(taken()), inform(), &["H1 began 2 wake", "K2 answered wrote", "K3 came_up"]);
    let mut line = taken();
    line.standing.wakes[0].operator = true;
    check_of(&["H1"], &answering(line), inform(), &["H1 began 1 line"]);
    let done = || RawDraft { state: Some("done".into()), ..inform() };
    check_of(
        &ends,
        &answering(taken()),
        done(),
        &["H1 began 2 wake", "S4 is_done b", "K2 answered done", "S4 left_owing a"],
    );
    let mut last = topic();
    last.standing.parties[1].state = State::Done;
    last.unfinished = vec![agent("c").id];
    let last = within(last);
    let said = RawDraft { state: Some("done".into()), ..plain("inform") };
    check_of(
        &ends,
        &last,
        said,
        &["H1 began 1 itself", "S4 is_done a", "S5 all_done 2", "S7 closed 1 1", "K4 reminded c"],
    );
}

#[test]
fn a_wait_that_is_over_is_recorded_with_its_reminder() {
    let mut topic = topic();
    let wake = &mut topic.standing.wakes[0];
    wake.kind = WakeKind::Nudge;
    let nudge = Notice {
        id: fresh(NoticeId::fresh, 5),
        recipient: agent("b").id,
        topic: wake.topic,
        kind: NoticeKind::Nudge,
        about: Some(agent("a").id),
        message: None,
        wake: Some(wake.id),
    };
    topic.notices = vec![nudge];
    topic.standing.topic.stalled = true;
    let facts = answering(topic);
    let lines = ["K2 answered answered_all", "S2 nudge_over b", "S2 stalled_no_more"];
    check_of(&["S2", "K2"], &facts, answer(), &lines);
}
