//! Who reads and writes where, role by role [W3, W4].

use super::*;
use crate::id::{AccountId, ConversationId, Ids};
use crate::participant::{Nature, Person, Role};
use crate::time::Timestamp;

struct Zero;

impl Ids for Zero {
    fn next(&mut self) -> u128 {
        0
    }
}

fn person(role: Role) -> Participant {
    let handle = "someone".parse().expect("a good handle");
    let nature = Nature::Person(Person { account: AccountId::fresh(&mut Zero), handle, role });
    Participant { id: ParticipantId::person(9), display_name: "someone".to_owned(), nature, removed: false }
}

fn conversation(kind: Kind) -> Conversation {
    Conversation { id: ConversationId::fresh(&mut Zero), kind, made_at: Timestamp(0) }
}

fn kinds() -> [(&'static str, Kind); 9] {
    let agent = |id: &str| ParticipantId::agent(id).expect("a good id");
    let human = ParticipantId::person;
    let room = |private| Kind::Room { founders: vec![agent("a"), human(1), human(2)], private };
    let own = |private| Kind::OwnRoom { id: ConversationId::fresh(&mut Zero), private };
    [
        ("general", Kind::General),
        ("group", Kind::Group("g".parse().expect("a good name"))),
        ("agents", Kind::direct(&agent("a"), &agent("b"))),
        ("open room", room(false)),
        ("private room", room(true)),
        ("own room", own(false)),
        ("private own room", own(true)),
        ("with an agent", Kind::direct(&agent("a"), &human(1))),
        ("two people", Kind::direct(&human(1), &human(2))),
    ]
}

#[test]
fn strangers_read_and_write_what_their_role_gives() {
    // For viewer, member, admin, owner; nobody is in the conversation and nobody operates an agent of it.
    let table = [
        ("general", [true, true, true, true], [false, true, true, true]),
        ("group", [false, true, true, true], [false, true, true, true]),
        ("agents", [false, true, true, true], [false, true, true, true]),
        ("open room", [false, true, true, true], [false, true, true, true]),
        ("private room", [false, false, true, true], [false; 4]),
        ("own room", [false, true, true, true], [false, true, true, true]),
        ("private own room", [false, false, true, true], [false; 4]),
        ("with an agent", [false, false, true, true], [false; 4]),
        ("two people", [false; 4], [false; 4]),
    ];
    for ((name, kind), (expected_name, reads, writes)) in kinds().into_iter().zip(table) {
        assert_eq!(name, expected_name);
        let conversation = conversation(kind);
        let read = Role::ALL.map(|role| may_read(&person(role), &conversation, Ties::default()));
        let write = Role::ALL.map(|role| may_write(&person(role), &conversation.kind, Ties::default()));
        assert_eq!((read, write), (reads, writes), "{name}");
    }
}

#[test]
fn members_read_the_private_matters_of_agents_they_operate() {
    let ties = Ties { operates: true, ..Ties::default() };
    for (name, kind) in kinds() {
        let conversation = conversation(kind);
        let read = Role::ALL.map(|role| may_read(&person(role), &conversation, ties));
        let expected = match name {
            "general" => [true; 4],
            "two people" => [false; 4],
            _ => [false, true, true, true],
        };
        assert_eq!(read, expected, "{name}");
    }
}

#[test]
fn what_is_read_by_role_alone_is_audited_where_others_talk_in_private() {
    let (operates, tied) =
        (Ties { operates: true, ..Ties::default() }, Ties { party: true, ..Ties::default() });
    for (name, kind) in kinds() {
        let conversation = conversation(kind);
        let audited = |ties: Ties| Role::ALL.map(|role| is_audited(&person(role), &conversation, ties));
        let private = ["private room", "private own room", "with an agent"].contains(&name);
        assert_eq!(audited(Ties::default()), [false, false, private, private], "{name}");
        assert_eq!(audited(operates), [false, private, private, private], "{name}");
        assert_eq!(audited(tied), [false; 4], "{name}");
    }
}

#[test]
fn who_is_in_it_reads_it_and_whoever_was_removed_reads_nothing() {
    let ties = Ties { stint: true, ..Ties::default() };
    for (name, kind) in kinds() {
        let conversation = conversation(kind);
        assert!(may_read(&person(Role::Viewer), &conversation, ties), "{name}");
        assert!(!may_write(&person(Role::Viewer), &conversation.kind, ties), "{name}");
        assert!(may_write(&person(Role::Member), &conversation.kind, ties), "{name}");
        let gone = Participant { removed: true, ..person(Role::Owner) };
        assert!(!may_read(&gone, &conversation, ties), "{name}");
        assert!(!may_write(&gone, &conversation.kind, ties), "{name}");
    }
}
