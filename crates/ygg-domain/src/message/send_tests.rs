//! One send as a table: each line is a small world, a draft, and what must come of it.

use super::*;
use crate::credits::Pot;
use crate::id::{AccountId, MessageId, WakeId};
use crate::message::draft::understand;
use crate::message::{Origin, RawDraft};
use crate::name::GroupName;
use crate::participant::{Agent, Nature, Person, Role, WakeBy};
use crate::topic::{Party, State};
use crate::wake::{Wake, WakeKind, WakeStatus};

struct Count(u128);

impl Ids for Count {
    fn next(&mut self) -> u128 {
        self.0 += 1;
        self.0
    }
}

fn fresh<T>(make: impl Fn(&mut dyn Ids) -> T, number: u128) -> T {
    make(&mut Count(number))
}

fn message(number: u128) -> MessageId {
    fresh(MessageId::fresh, number)
}

fn agent(id: &str) -> Participant {
    let nature = Nature::Agent(Agent {
        wake_by: WakeBy::None,
        description: String::new(),
        operators: Vec::new(),
        connected_by: None,
        paused: false,
    });
    let id = ParticipantId::agent(id).expect("a good id");
    Participant { display_name: id.to_string(), id, nature, removed: false }
}

fn person(handle: &str, role: Role) -> Participant {
    let number = handle.bytes().map(u64::from).sum();
    let nature = Nature::Person(Person {
        account: AccountId::fresh(&mut Count(0)),
        handle: handle.parse().expect("a good handle"),
        role,
    });
    Participant { id: ParticipantId::person(number), display_name: handle.to_owned(), nature, removed: false }
}

fn stint(participant: Participant) -> Resolved {
    let ties = Ties { stint: true, ..Ties::default() };
    Resolved::One(crate::message::recipients::Candidate { participant, ties })
}

/// `a` writes to `b` in a new topic; everything else differs from here.
fn world() -> SendFacts {
    let addressed = vec![(Address::read("b"), stint(agent("b")))];
    let kind = crate::message::recipients::place(&agent("a").id, &addressed);
    SendFacts {
        policy: Policy::default(),
        workspace_paused: false,
        sender: agent("a"),
        turn: None,
        over_rate: None,
        prior: None,
        place: Place::New(NewPlace::OnDemand { kind, found: None }),
        addressed,
        awaited: Vec::new(),
        held: Vec::new(),
        funds: Funds { pot: Pot::Pool, balance: 10, budget: None },
        shortfalls: Vec::new(),
        loops: Vec::new(),
        files: Vec::new(),
    }
}

/// `a` opened a topic with `b` and asked message 1 of it, which `b` has not read.
fn topic() -> TopicFacts {
    let (a, b) = (agent("a").id, agent("b").id);
    let origin = Origin { message: message(0), hop: 1 };
    let wake = wake(1, WakeStatus::Pending);
    let id = fresh(crate::id::TopicId::fresh, 0);
    let debt = Debt {
        request: message(1),
        debtor: b.clone(),
        creditor: a.clone(),
        origin,
        wake: Some(wake.id),
        asked_at: Timestamp(0),
    };
    let standing = Standing {
        topic: Topic {
            id,
            conversation: fresh(ConversationId::fresh, 0),
            title: Some("T".to_owned()),
            opener: a.clone(),
            status: Status::Open,
            opened_at: Timestamp(0),
            closed_at: None,
            resumed_at: None,
            stalled: false,
            looped: false,
            due: None,
        },
        kind: Kind::direct(&a, &b),
        parties: vec![
            Party::new(a.clone(), State::Waiting(vec![b.clone()]), Timestamp(0)),
            Party::new(b.clone(), State::Working, Timestamp(0)),
        ],
        debts: vec![debt.clone()],
        wakes: vec![wake],
    };
    TopicFacts {
        standing,
        ties: Ties { stint: true, party: true, operates: false },
        named: Some(NamedDebt { debt, last_of_wake: true }),
        debtors: Vec::new(),
        folded: Vec::new(),
        reply_to: None,
        held_back: Vec::new(),
        notices: Vec::new(),
        carrying: Vec::new(),
        unfinished: Vec::new(),
        farthest: None,
    }
}

fn wake(number: u128, status: WakeStatus) -> Wake {
    Wake {
        id: fresh(WakeId::fresh, number),
        agent: agent("b").id,
        topic: Some(fresh(crate::id::TopicId::fresh, 0)),
        kind: WakeKind::Request,
        status,
        operator: false,
        origin: Origin { message: message(0), hop: 1 },
        made_at: Timestamp(0),
        turn: None,
        failed: 0,
        not_before: None,
        handed_on: false,
    }
}

/// `b` answers message 1 in that topic.
fn answering(topic: TopicFacts) -> SendFacts {
    let reply_to = Some(agent("a").id);
    SendFacts {
        sender: agent("b"),
        addressed: vec![(Address::read("a"), stint(agent("a")))],
        place: Place::Topic(Box::new(TopicFacts { reply_to, ..topic })),
        ..world()
    }
}

fn draft(kind: &str) -> RawDraft {
    RawDraft {
        to: vec!["b".into()],
        kind: Some(kind.into()),
        topic_id: Some("new".into()),
        title: Some("T".into()),
        text: Some("x".into()),
        ..RawDraft::default()
    }
}

fn answer() -> RawDraft {
    RawDraft { title: None, in_reply_to: Some(message(1).to_string()), ..draft("response") }
}

fn run(facts: &SendFacts, raw: RawDraft) -> (Vec<Change>, Receipt) {
    let decision = decide(facts, understand(raw), &mut Count(100), Timestamp(0));
    match decision.reply {
        Reply::Receipt(receipt) => (decision.changes, *receipt),
        Reply::Again(receipt) => panic!("a repeat: {receipt}"),
    }
}

fn check_refused(facts: &SendFacts, raw: RawDraft, code: &str) {
    let said = format!("{raw:?}");
    let (changes, receipt) = run(facts, raw);
    let Outcome::Refused(refusal) = &receipt.outcome else { panic!("{said}: {receipt:?}") };
    assert_eq!(refusal.code(), code, "{said}");
    assert_eq!(receipt.message, None, "{said}");
    // What was refused for want of credits is noted for those who fund [C4].
    let short = code == "credits_exhausted";
    assert_eq!(changes.len(), usize::from(receipt.charged > 0 || short), "{said}: {changes:?}");
}

fn check_effect(facts: &SendFacts, raw: RawDraft, expected: &str) {
    let said = format!("{raw:?}");
    let (_, receipt) = run(facts, raw);
    let [(_, effect)] = receipt.recipients.as_slice() else { panic!("{said}: {receipt:?}") };
    assert_eq!(effect.reason().unwrap_or(effect.name()), expected, "{said}");
}

#[test]
fn the_checks_refuse_in_their_order() {
    let closed = || {
        let mut topic = topic();
        topic.standing.topic.status = Status::Closed;
        Place::Topic(Box::new(topic))
    };
    let unknown = vec![(Address::read("nobody"), Resolved::Unknown)];
    let held = vec![HeldTopic { id: topic().standing.topic.id, title: None }; 3];
    let poor = || Funds { balance: 0, ..world().funds };
    let viewer = || person("vic", Role::Viewer);
    let over_rate = Some(Duration::from_secs(1));
    let nothing = || RawDraft { text: None, ..draft("request") };
    let untitled = || RawDraft { title: None, ..draft("request") };
    let mut paused = agent("a");
    if let Nature::Agent(about) = &mut paused.nature {
        about.paused = true;
    }
    for (facts, raw, code) in [
        (SendFacts { sender: viewer(), over_rate, ..world() }, nothing(), "forbidden"),
        (SendFacts { sender: paused, over_rate, ..world() }, nothing(), "agent_paused"),
        (SendFacts { workspace_paused: true, over_rate, ..world() }, nothing(), "workspace_paused"),
        (SendFacts { over_rate, ..world() }, nothing(), "rate_limited"),
        (SendFacts { place: Place::Unnamed, ..world() }, nothing(), "invalid_message"),
        (
            SendFacts { place: Place::Unnamed, files: vec![(file(1), None)], ..world() },
            draft("request"),
            "invalid_message",
        ),
        (
            SendFacts { place: Place::Unnamed, addressed: unknown.clone(), ..world() },
            untitled(),
            "topic_required",
        ),
        (
            SendFacts { place: Place::Unknown("x".into()), addressed: unknown.clone(), ..world() },
            untitled(),
            "unknown_topic",
        ),
        (
            SendFacts { place: closed(), addressed: unknown.clone(), ..world() },
            untitled(),
            "unknown_recipient",
        ),
        (SendFacts { place: closed(), funds: poor(), ..world() }, untitled(), "topic_closed"),
        (SendFacts { held: held.clone(), funds: poor(), ..world() }, untitled(), "title_required"),
        (SendFacts { held, funds: poor(), ..world() }, draft("request"), "topic_limit"),
        (SendFacts { funds: poor(), ..world() }, draft("request"), "credits_exhausted"),
    ] {
        check_refused(&facts, raw, code);
    }
}

fn file(number: u128) -> FileId {
    fresh(FileId::fresh, number)
}

fn attached(number: u128, bytes: u64) -> (FileId, Option<Attachment>) {
    let (name, media_type) = ("plan.md".to_owned(), "text/markdown".to_owned());
    (file(number), Some(Attachment { file: file(number), name, media_type, bytes }))
}

#[test]
fn files_go_along_in_their_order_and_are_paid_once_per_send() {
    let files_alone = RawDraft {
        text: None,
        attachments: vec![file(2).to_string(), file(1).to_string()],
        ..draft("request")
    };
    let facts = SendFacts { files: vec![attached(2, 65_536), attached(1, 1)], ..world() };
    let (changes, receipt) = run(&facts, files_alone);
    assert_eq!(receipt.charged, 1 + 2, "one recipient, and two started units for all files together");
    let carried = changes.iter().find_map(|change| match change {
        Change::MessagePosted(posted) => Some(posted.message.attachments.clone()),
        _ => None,
    });
    let ids: Vec<FileId> = carried.expect("a message").iter().map(|file| file.file).collect();
    assert_eq!(ids, [file(2), file(1)]);
    let missing = SendFacts { files: vec![attached(1, 1), (file(2), None)], ..world() };
    let (changes, receipt) = run(&missing, draft("request"));
    let Outcome::Refused(refusal) = receipt.outcome else { panic!("it is refused") };
    assert!(refusal.help().contains(&file(2).to_string()), "{}", refusal.help());
    assert_eq!((changes.len(), receipt.charged), (0, 0));
}

#[test]
fn a_topic_that_is_not_the_senders_is_like_one_that_is_not_there() {
    let mut topic = topic();
    topic.ties = Ties::default();
    check_refused(
        &SendFacts { place: Place::Topic(Box::new(topic)), ..world() },
        draft("request"),
        "unknown_topic",
    );
}

#[test]
fn no_topic_costs_a_credit_once_per_key_and_never_more_than_there_is() {
    let unnamed = |balance, prior| SendFacts {
        place: Place::Unnamed,
        funds: Funds { balance, ..world().funds },
        prior,
        ..world()
    };
    let paid = Some(Prior { digest: [0; 32], receipt: None });
    for (facts, charged, balance) in
        [(unnamed(10, None), 1, 9), (unnamed(0, None), 0, 0), (unnamed(9, paid), 0, 9)]
    {
        let (_, receipt) = run(&facts, draft("request"));
        assert_eq!((receipt.charged, receipt.balance), (charged, Some(balance)));
    }
}

/// What was made of the draft may be why it was refused.
#[test]
fn a_refusal_tells_what_was_dropped_before_it() {
    let raw = RawDraft { title: None, state: Some("finished".into()), ..draft("question") };
    let (_, receipt) = run(&world(), raw);
    assert!(matches!(receipt.outcome, Outcome::Refused(Refusal::TitleRequired { .. })));
    assert_eq!(receipt.notes.iter().map(|note| note.field.as_str()).collect::<Vec<_>>(), ["type", "state"]);
}

#[test]
fn what_wakes_and_what_is_context() {
    let asked = |status| {
        let mut topic = topic();
        topic.standing.wakes[0].status = status;
        topic
    };
    let to_b = |topic: TopicFacts| SendFacts { place: Place::Topic(Box::new(topic)), ..world() };
    let quiet = |mut topic: TopicFacts| {
        topic.standing.wakes.clear();
        topic
    };
    let done = |mut topic: TopicFacts| {
        topic.standing.parties[1].state = State::Done;
        quiet(topic)
    };
    let by_ana = |facts: SendFacts| SendFacts { sender: person("ana", Role::Owner), ..facts };
    let settled = |mut topic: TopicFacts| {
        topic.named = None;
        topic
    };
    check_effect(&world(), draft("request"), "wake");
    check_effect(&world(), draft("inform"), "context_inform");
    check_effect(&to_b(asked(WakeStatus::Pending)), draft("request"), "wake_coalesced");
    check_effect(&to_b(asked(WakeStatus::Taken)), draft("request"), "wake_coalesced");
    check_effect(&to_b(quiet(topic())), draft("request"), "wake");
    check_effect(&to_b(done(topic())), draft("request"), "recipient_done");
    check_effect(&by_ana(to_b(done(topic()))), draft("inform"), "wake");
    check_effect(&by_ana(to_b(asked(WakeStatus::Taken))), draft("inform"), "wake");
    check_effect(&answering(topic()), answer(), "wake");
    check_effect(&answering(settled(topic())), answer(), "orphan_response");
    check_effect(&answering(topic()), RawDraft { in_reply_to: None, ..answer() }, "orphan_response");
}

#[test]
fn an_answer_to_another_is_context_for_everybody_else() {
    let mut facts = answering(topic());
    facts.addressed.push((Address::read("c"), stint(agent("c"))));
    let (_, receipt) = run(&facts, answer());
    let effects: Vec<_> =
        receipt.recipients.iter().map(|(_, effect)| effect.reason().unwrap_or("wake")).collect();
    assert_eq!(effects, ["wake", "context_inform"]);
}

#[test]
fn an_answer_settles_the_debt_and_ends_the_wake_it_was_owed_by() {
    let (changes, _) = run(&answering(topic()), answer());
    assert!(
        changes
            .iter()
            .any(|change| matches!(change, Change::DebtEnded { debt, .. } if debt.request == message(1)))
    );
    assert!(
        changes.iter().any(|change| matches!(change, Change::WakeEnded { how: WakeStatus::Answered, .. }))
    );
}

#[test]
fn a_folded_request_comes_up_when_its_wake_is_answered_but_not_for_one_who_is_done() {
    let folded = || {
        let mut topic = topic();
        topic.standing.wakes[0].status = WakeStatus::Taken;
        let fold = Folded {
            wake: topic.standing.wakes[0].id,
            message: message(2),
            origin: topic.standing.wakes[0].origin,
        };
        TopicFacts { folded: vec![fold], ..topic }
    };
    let roused = |raw| {
        let (changes, _) = run(&answering(folded()), raw);
        changes
            .iter()
            .any(|change| matches!(change, Change::DeliveryRoused { message: up, .. } if *up == message(2)))
    };
    assert!(roused(answer()));
    assert!(!roused(RawDraft { state: Some("done".into()), ..answer() }));
}

#[test]
fn all_done_closes_at_once_with_everything_that_stands_open() {
    let mut topic = topic();
    topic.standing.parties[1].state = State::Done;
    let facts = SendFacts { place: Place::Topic(Box::new(topic)), ..world() };
    let (changes, receipt) = run(&facts, RawDraft { state: Some("done".into()), ..draft("inform") });
    assert_eq!(receipt.after.map(|after| after.status), Some(Status::Closed));
    let ended = |how| {
        changes.iter().any(|change| matches!(change, Change::WakeEnded { how: ended, .. } if *ended == how))
    };
    assert!(ended(WakeStatus::Cancelled));
    assert!(matches!(changes.last(), Some(Change::TopicClosed { .. })));
    let debts = changes.iter().filter(|change| matches!(change, Change::DebtEnded { .. })).count();
    assert_eq!(debts, 1);
}

#[test]
fn whoever_says_done_and_owes_has_its_askers_told() {
    let facts = answering(topic());
    let done = RawDraft { state: Some("done".into()), in_reply_to: None, ..draft("inform") };
    let (changes, _) = run(&facts, done);
    let told = changes
        .iter()
        .filter(|change| matches!(change, Change::NoticeGiven(notice) if notice.recipient == agent("a").id));
    assert_eq!(told.count(), 1);
}

#[test]
fn waiting_names_recipients_or_debtors_and_nothing_else() {
    let wait = |for_whom: &[&str]| RawDraft {
        state: Some("waiting".into()),
        waiting_for: for_whom.iter().map(ToString::to_string).collect(),
        ..draft("request")
    };
    let awaited = |names: &[(&str, &[&str])]| SendFacts {
        awaited: names
            .iter()
            .map(|(address, ids)| (Address::read(address), ids.iter().map(|id| agent(id).id).collect()))
            .collect(),
        ..world()
    };
    for (facts, raw, waiting, effect, notes) in [
        (awaited(&[("b", &["b"])]), wait(&["b"]), vec!["b"], "wake", 0),
        (awaited(&[("b", &["b"]), ("c", &["c"])]), wait(&["b", "c"]), vec!["b"], "wake", 1),
        (awaited(&[("nobody", &[])]), wait(&["nobody"]), vec![], "context_inform", 1),
        (awaited(&[("a", &["a"])]), wait(&["a"]), vec![], "context_inform", 1),
        (awaited(&[("group:g", &["a", "b"])]), wait(&["group:g"]), vec!["b"], "wake", 0),
    ] {
        let (_, receipt) = run(&facts, raw);
        let after = receipt.after.expect("delivered");
        let sender =
            after.parties.iter().find(|party| party.participant == facts.sender.id).expect("a party");
        let ids: Vec<_> = waiting.into_iter().map(|id| agent(id).id).collect();
        assert_eq!(sender.state, State::Waiting(ids));
        assert_eq!(receipt.recipients[0].1.reason().unwrap_or("wake"), effect);
        assert_eq!(receipt.notes.len(), notes, "{:?}", receipt.notes);
    }
}

#[test]
fn a_state_that_would_take_a_fourth_topic_back_is_dropped() {
    let mut topic = topic();
    topic.standing.parties[0].state = State::Done;
    let held = vec![HeldTopic { id: topic.standing.topic.id, title: None }; 3];
    let facts = SendFacts { place: Place::Topic(Box::new(topic)), held, ..world() };
    let (_, receipt) =
        run(&facts, RawDraft { state: Some("working".into()), title: None, ..draft("inform") });
    assert_eq!(receipt.notes.iter().map(|repair| repair.field.as_str()).collect::<Vec<_>>(), ["state"]);
    assert!(receipt.after.expect("delivered").parties.iter().any(|party| party.state == State::Done));
}

#[test]
fn where_a_new_topic_lives_follows_from_its_recipients() {
    use crate::message::recipients::place;
    let one = |id: &str| (Address::read(id), stint(agent(id)));
    let group: GroupName = "g".parse().expect("a good name");
    let Resolved::One(member) = stint(agent("b")) else { unreachable!("made as one") };
    let of_group = (Address::Group(group.clone()), Resolved::Many(vec![member]));
    let a = agent("a").id;
    assert_eq!(place(&a, &vec![one("b")]), Some(Kind::direct(&agent("b").id, &a)));
    assert_eq!(place(&a, &vec![of_group.clone()]), Some(Kind::Group(group)));
    let room = Kind::room([a.clone(), agent("b").id, agent("c").id]);
    assert_eq!(place(&a, &vec![of_group, one("c")]), Some(room));
    assert_eq!(place(&a, &vec![one("a")]), None);
}

#[path = "record_tests.rs"]
mod record;
