//! What each change leaves in the audit log, and by whom.

use super::*;
use crate::audit::{Datum, Way, private_read, refused};
use crate::change::DebtEnd;
use crate::conversation::Stint;
use crate::id::{AccountId, ConversationId, Ids, InviteId, KeyId, MessageId, SessionId, TopicId};
use crate::key::{Key, KeyHash};
use crate::message::{Debt, Origin};
use crate::participant::{Agent, Person, Role, WakeBy};
use crate::refusal::Refusal;
use crate::time::Timestamp;

struct Zero;

impl Ids for Zero {
    fn next(&mut self) -> u128 {
        0
    }
}

fn person(number: u64, role: Role) -> Participant {
    let (account, handle) = (AccountId::fresh(&mut Zero), "someone".parse().expect("a handle"));
    let nature = Nature::Person(Person { account, handle, role });
    Participant { id: ParticipantId::person(number), display_name: "One".to_owned(), nature, removed: false }
}

fn agent(paused: bool, description: &str) -> Participant {
    let nature = Nature::Agent(Agent {
        wake_by: WakeBy::None,
        description: description.to_owned(),
        operators: Vec::new(),
        connected_by: None,
        paused,
    });
    let id = ParticipantId::agent("scout").expect("an id");
    Participant { id, display_name: "Scout".to_owned(), nature, removed: false }
}

fn ana() -> By {
    By::Participant(ParticipantId::person(1))
}

fn kinds(by: &By, changes: &[Change], before: &[Participant]) -> Vec<&'static str> {
    entries(by, changes, before).iter().map(|entry| entry.kind.name()).collect()
}

fn booked(reason: Reason) -> Change {
    let by = ParticipantId::person(1);
    Change::CreditsMoved(Booked { pot: Pot::Pool, amount: 5, balance: 9, reason, by, message: None })
}

fn closed(by: ParticipantId) -> Change {
    let (topic, conversation) = (TopicId::fresh(&mut Zero), ConversationId::fresh(&mut Zero));
    Change::TopicClosed { topic, conversation, by }
}

fn key_made(participant: ParticipantId) -> Change {
    Change::KeyMade(Key {
        id: KeyId::fresh(&mut Zero),
        participant,
        label: "what somebody wrote".to_owned(),
        hash: KeyHash([7; 32]),
        made_at: Timestamp(0),
        revoked_at: None,
        used_at: None,
    })
}

#[test]
fn what_people_decide_is_kept() {
    let (scout, mia) = (agent(false, "looks"), person(2, Role::Member));
    let renamed = Participant { display_name: "Two".to_owned(), ..mia.clone() };
    let admin = Participant { nature: person(2, Role::Admin).nature, ..renamed.clone() };
    let session = SessionId::fresh(&mut Zero);
    let ended =
        |participant: &Participant| Change::SessionEnded { session, participant: participant.id.clone() };
    let invite = InviteId::fresh(&mut Zero);
    let table: Vec<(Change, &[&str])> = vec![
        (Change::ParticipantAdded(scout.clone()), &["agent_added"]),
        (Change::ParticipantAdded(mia.clone()), &["person_added"]),
        (Change::ParticipantChanged(agent(true, "looks")), &["agent_paused"]),
        (Change::ParticipantChanged(agent(false, "sees")), &["agent_edited"]),
        (Change::ParticipantChanged(agent(true, "sees")), &["agent_paused", "agent_edited"]),
        (Change::ParticipantChanged(scout.clone()), &[]),
        (Change::ParticipantChanged(renamed), &["person_edited"]),
        (Change::ParticipantChanged(admin), &["role_changed", "person_edited"]),
        (Change::WorkspacePaused(true), &["workspace_paused"]),
        (Change::WorkspacePaused(false), &["workspace_resumed"]),
        (Change::PolicySet(Box::default()), &["policy_set"]),
        (key_made(scout.id.clone()), &["key_made"]),
        (ended(&mia), &["session_ended"]),
        (ended(&person(1, Role::Owner)), &[]),
        (Change::InviteEnded { invite, accepted_by: Some(mia.id.clone()) }, &["invite_accepted"]),
        (Change::InviteEnded { invite, accepted_by: None }, &["invite_revoked"]),
        (closed(ParticipantId::person(1)), &["topic_closed"]),
        (closed(ParticipantId::system()), &[]),
        (closed(scout.id.clone()), &[]),
        (booked(Reason::Grant), &["credits_granted"]),
        (booked(Reason::Message), &[]),
    ];
    let before = [scout, mia];
    for (change, expected) in table {
        assert_eq!(kinds(&ana(), std::slice::from_ref(&change), &before), expected, "{change:?}");
    }
}

#[test]
fn what_goes_with_a_removal_is_part_of_it() {
    let gone = Participant { removed: true, ..agent(false, "") };
    let changes = [
        Change::KeyRevoked { key: KeyId::fresh(&mut Zero), participant: gone.id.clone() },
        closed(ParticipantId::person(1)),
        booked(Reason::Returned),
        Change::ParticipantRemoved(gone),
    ];
    assert_eq!(kinds(&ana(), &changes, &[]), ["agent_removed"]);
    let left = Participant { removed: true, ..person(1, Role::Member) };
    assert_eq!(kinds(&ana(), &[Change::ParticipantChanged(left)], &[]), ["person_removed"]);
}

#[test]
fn nobody_acts_by_something_that_agents_do_and_the_server_acts_as_nobody() {
    let scout = By::Participant(agent(false, "").id);
    assert_eq!(kinds(&scout, &[closed(ParticipantId::person(1))], &[]), [""; 0]);
    let told = entries(&By::Server, &[key_made(ParticipantId::person(1))], &[]);
    assert_eq!((told.len(), told[0].by.as_ref()), (1, None));
    let came = entries(&By::Themselves, &[Change::ParticipantAdded(person(3, Role::Viewer))], &[]);
    assert_eq!(came[0].by, Some(ParticipantId::person(3)));
}

#[test]
fn an_entry_holds_nothing_that_somebody_wrote() {
    let told = entries(&ana(), &[key_made(ParticipantId::person(1))], &[]);
    assert!(!format!("{told:?}").contains("wrote"));
    let named = [Change::ParticipantChanged(agent(false, "what somebody wrote"))];
    let told = entries(&ana(), &named, &[agent(false, "")]);
    assert_eq!(told[0].data["changed"], Datum::Name("description".to_owned()));
    let unknown = Refusal::UnknownTopic { topic: "what somebody wrote".to_owned() };
    let told = refused(&ParticipantId::person(1), &unknown, None);
    assert!(!format!("{told:?}").contains("wrote"));
}

#[test]
fn the_same_refusal_and_the_same_look_of_a_day_are_one_entry() {
    let (one, other) = (ParticipantId::person(1), ParticipantId::person(2));
    let topic = TopicId::fresh(&mut Zero);
    let refusal = |who: &ParticipantId, refusal: &Refusal, topic| refused(who, refusal, topic).same;
    let first = refusal(&one, &Refusal::TopicRequired, None);
    assert_eq!(first, refusal(&one, &Refusal::TopicRequired, None));
    assert_ne!(first, refusal(&other, &Refusal::TopicRequired, None));
    assert_ne!(first, refusal(&one, &Refusal::AgentPaused, None));
    assert_ne!(first, refusal(&one, &Refusal::TopicRequired, Some(topic)));

    let conversation = ConversationId::fresh(&mut Zero);
    let look = |who, way, hour: i64| private_read(who, conversation, way, Timestamp(hour * 3_600_000)).same;
    assert_eq!(look(&one, Way::Opened, 0), look(&one, Way::Opened, 23));
    for another in [look(&one, Way::Opened, 24), look(&one, Way::Streamed, 0), look(&other, Way::Opened, 0)] {
        assert_ne!(look(&one, Way::Opened, 0), another);
    }
}

#[test]
fn what_follows_leaves_nothing() {
    let (topic, conversation) = (TopicId::fresh(&mut Zero), ConversationId::fresh(&mut Zero));
    let (participant, message) = (ParticipantId::person(1), MessageId::fresh(&mut Zero));
    let debt = Debt {
        request: message,
        debtor: participant.clone(),
        creditor: participant.clone(),
        origin: Origin { message, hop: 1 },
        wake: None,
        asked_at: Timestamp(0),
    };
    let changes = [
        Change::ParticipantJoined(Stint { conversation, participant, begun_at: Timestamp(0) }),
        Change::DebtEnded { debt, topic, conversation, how: DebtEnd::Closed },
    ];
    assert_eq!(kinds(&ana(), &changes, &[]), [""; 0]);
}
