//! Participants, groups, keys and policy.

use std::time::Duration;

use ygg_domain::Change;
use ygg_domain::key::KeyHash;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::{Agent, Nature, Participant, Role, WakeBy};
use ygg_domain::policy::{Doors, Policy, Preset};
use ygg_domain::workspace::WorkspaceKey;

use crate::cast::{TEAM, account_id, agent, at, group_name, group_set, handle, id, person};
use crate::history::History;
use crate::same::same;

/// Handles move, an agent is removed and its id taken again.
pub fn comings_and_goings() -> History {
    let mut history = History::new();
    let ana = history.person(7, "ana");
    let bo = history.person(30, "bo");
    let codex = history.agent("codex");
    history.add(Participant {
        id: ParticipantId::system(),
        display_name: "Ygg".to_owned(),
        nature: Nature::System,
        removed: false,
    });
    history.add(Participant {
        id: id("hook:ci"),
        display_name: "CI".to_owned(),
        nature: Nature::Hook,
        removed: false,
    });
    history.then(group_set("builders", &[codex.clone(), id("claude")]));
    history.then(group_set("all-of-us", &[]));
    history.then(group_set("builders", &[id("claude"), codex.clone()]));
    // The handle that Bo gives up is Ana's from then on.
    history.then(Change::ParticipantChanged(person(30, "bob", Role::Admin)));
    history.then(Change::ParticipantChanged(person(7, "bo", Role::Owner)));
    history.then(Change::ParticipantChanged(Participant { removed: true, ..person(30, "bob", Role::Admin) }));
    history.then(Change::ParticipantChanged(Participant { removed: true, ..agent("codex") }));
    let nature = Nature::Agent(Agent {
        wake_by: WakeBy::Webhook,
        description: String::new(),
        operators: vec![bo, ana.clone()],
        connected_by: Some(ana),
        paused: true,
    });
    history
        .add(Participant { nature, display_name: "Codex, again — né codex".to_owned(), ..agent("codex") });
    history
}

#[test]
fn participants_come_go_and_come_again() {
    let stores = same(&comings_and_goings());
    assert_eq!(stores.ask(|rows| rows.person_by_handle(TEAM, &handle("ana"))), None);
    let bo = stores.ask(|rows| rows.person_by_handle(TEAM, &handle("bo"))).unwrap();
    assert_eq!(bo.id, ParticipantId::person(7));
    assert!(stores.ask(|rows| rows.person_by_handle(TEAM, &handle("bob"))).unwrap().removed);
    let codex = stores.ask(|rows| rows.participant(TEAM, &id("codex"))).unwrap();
    assert!(!codex.removed && codex.as_agent().unwrap().paused);
    assert_eq!(codex.as_agent().unwrap().operators, [ParticipantId::person(30), ParticipantId::person(7)]);
    let ids: Vec<String> =
        stores.ask(|rows| rows.participants(TEAM)).iter().map(|found| found.id.to_string()).collect();
    assert_eq!(ids, ["codex", "hook:ci", "human.30", "human.7", "system.ygg"]);
    let builders = stores.ask(|rows| rows.group(TEAM, &group_name("builders"))).unwrap();
    assert_eq!(builders.members, [id("claude"), id("codex")]);
}

/// One account in two workspaces, one that nobody claimed; a first password, and another one.
pub fn accounts() -> History {
    let mut history = History::new();
    history.account(1, "ana", None);
    history.account(2, "bo", None);
    history.person(1, "ana");
    history.account(1, "ana", Some("first"));
    history.workspace("plane");
    history.person(2, "bo");
    history.person(1, "ana");
    // Neither the handle nor the time of making follows.
    history.account(1, "another", Some("second"));
    history
}

#[test]
fn an_account_is_one_in_all_workspaces_and_keeps_its_handle() {
    let stores = same(&accounts());
    let ana = stores.ask(|rows| rows.account_by_handle(&handle("ana"))).unwrap();
    assert_eq!((ana.id, ana.made_at), (account_id(1), at(2_000)));
    assert_eq!(ana.password.unwrap().as_str(), "second");
    assert_eq!(stores.ask(|rows| rows.account_by_handle(&handle("another"))), None);
    assert_eq!(stores.ask(|rows| rows.account(account_id(2))).unwrap().password, None);
    let ana = ParticipantId::person(1);
    let everywhere = [(TEAM, ana.clone()), (WorkspaceKey(2), ana)];
    assert_eq!(stores.ask(|rows| rows.participants_of(account_id(1))), everywhere);
}

/// Two keys; one is used and revoked, and revoked again, which changes nothing.
pub fn keys() -> History {
    let mut history = History::new();
    let codex = history.agent("codex");
    let first = history.key(&codex, 1);
    let second = history.key(&codex, 2);
    history.key_used(first);
    history.key_used(second);
    for _ in 0..2 {
        history.then(Change::KeyRevoked { key: first, participant: codex.clone() });
    }
    history.key_used(first);
    history
}

#[test]
fn a_key_is_revoked_once_and_found_all_the_same() {
    let stores = same(&keys());
    let (workspace, first) = stores.ask(|rows| rows.key_by_hash(&KeyHash([1; 32]))).unwrap();
    assert_eq!((workspace, first.revoked_at, first.used_at), (TEAM, Some(at(7_000)), Some(at(9_000))));
    assert_eq!(stores.ask(|rows| rows.keys(TEAM)).len(), 2);
    assert_eq!(stores.ask(|rows| rows.key_by_hash(&KeyHash([3; 32]))), None);
}

/// Every field another; a span that is no whole number of seconds.
pub fn policies() -> History {
    let mut history = History::new();
    history.then(Change::PolicySet(Box::new(Policy::preset(Preset::Plane))));
    let odd = Policy {
        doors: Doors::Closed,
        topic_limit: 0,
        nudge_after: Duration::from_millis(1_999),
        turn_messages: Some(0),
        day_turns: Some(7),
        attachment_unit_bytes: 1,
        ..Policy::preset(Preset::Plane)
    };
    history.then(Change::PolicySet(Box::new(odd)));
    history
}

#[test]
fn a_policy_is_kept_as_it_reads_back() {
    let stores = same(&policies());
    let policy = stores.ask(|rows| rows.workspace(TEAM)).unwrap().policy;
    assert_eq!(policy.nudge_after, Duration::from_secs(1));
    assert_eq!((policy.turn_messages, policy.day_turns), (None, Some(7)));
    assert_eq!(policy.doors, Doors::Closed);
}

/// An account has one claim at most; a taken one is gone.
#[test]
fn claims_are_found_by_their_hash_alone_and_the_last_one_counts() {
    let mut history = History::new();
    history.account(7, "ana", None);
    history.account(8, "bo", None);
    history.claim(7, 1);
    history.claim(8, 2);
    history.claim(7, 3);
    history.unclaim(8);
    let stores = same(&history);
    let found = |hash: u8| stores.ask(|rows| rows.claim_by_hash(&KeyHash([hash; 32])));
    assert_eq!((found(1), found(2)), (None, None));
    let claim = found(3).expect("the last one of ana");
    assert_eq!((claim.account, claim.workspace), (account_id(7), TEAM));
}
