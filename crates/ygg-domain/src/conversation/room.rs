//! Making a room by hand: chosen participants, private or not [W3, W4].

use crate::change::Change;
use crate::conversation::{Conversation, Kind, Stint};
use crate::id::{ConversationId, Ids};
use crate::limits;
use crate::name::ParticipantId;
use crate::participant::{Participant, Right};
use crate::refusal::{Refusal, Unit};
use crate::time::Timestamp;

/// A room that somebody asks for.
pub struct Wanted {
    /// Everybody named, as far as they are known here.
    pub members: Vec<(String, Option<Participant>)>,
    pub private: bool,
}

/// The room, and who is in it: whoever makes it first, then the others as they were named, each once.
pub fn make(
    by: &Participant,
    wanted: &Wanted,
    ids: &mut dyn Ids,
    now: Timestamp,
) -> Result<(Conversation, Vec<ParticipantId>, Vec<Change>), Refusal> {
    if !by.id.is_person() || !by.may(Right::Write) {
        return Err(Refusal::Forbidden {
            needs: "making a room needs a person of the role of member or above",
        });
    }
    if wanted.members.len() > limits::ROOM_MEMBERS {
        return Err(Refusal::TooLarge {
            what: "list of members",
            size: wanted.members.len(),
            limit: limits::ROOM_MEMBERS,
            unit: Unit::Entries,
        });
    }
    let mut members = vec![by.id.clone()];
    let mut unknown = Vec::new();
    for (name, found) in &wanted.members {
        match found.as_ref().filter(|found| !found.removed) {
            Some(found) if !members.contains(&found.id) => members.push(found.id.clone()),
            Some(_) => {}
            None => unknown.push(name.clone()),
        }
    }
    if !unknown.is_empty() {
        return Err(Refusal::UnknownRecipient { unknown });
    }
    if members.len() < 2 {
        return Err(Refusal::invalid("Name at least one other member of the room."));
    }
    let id = ConversationId::fresh(ids);
    let kind = Kind::OwnRoom { id, private: wanted.private };
    let room = Conversation { id, kind, made_at: now };
    let mut changes = vec![Change::ConversationCreated(room.clone())];
    changes.extend(members.iter().map(|member| {
        Change::ParticipantJoined(Stint { conversation: id, participant: member.clone(), begun_at: now })
    }));
    Ok((room, members, changes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::AccountId;
    use crate::participant::{Nature, Person, Role};

    struct Count(u128);

    impl Ids for Count {
        fn next(&mut self) -> u128 {
            self.0 += 1;
            self.0
        }
    }

    fn person(number: u64, role: Role) -> Participant {
        let handle = format!("p{number}").parse().expect("a good handle");
        let nature = Nature::Person(Person { account: AccountId::fresh(&mut Count(0)), handle, role });
        let id = ParticipantId::person(number);
        Participant { id, display_name: "someone".to_owned(), nature, removed: false }
    }

    fn with(members: Vec<Option<Participant>>) -> Wanted {
        let members = members.into_iter().enumerate();
        Wanted { members: members.map(|(at, one)| (format!("name-{at}"), one)).collect(), private: true }
    }

    #[test]
    fn a_room_is_made_by_whoever_may_write_with_somebody_who_is_there() {
        let (one, other) = (person(1, Role::Member), person(2, Role::Viewer));
        let gone = Participant { removed: true, ..other.clone() };
        let outcome = |by: &Participant, wanted: Wanted| {
            let made = make(by, &wanted, &mut Count(0), Timestamp(0));
            made.map(|(_, members, _)| members.len()).map_err(|refusal| refusal.code())
        };
        let some = |one: &Participant| Some(one.clone());
        for role in Role::ALL {
            let expected = if role.may(Right::Write) { Ok(2) } else { Err("forbidden") };
            assert_eq!(outcome(&person(1, role), with(vec![some(&other)])), expected, "{role:?}");
        }
        for (wanted, expected) in [
            (with(vec![some(&other), some(&one), some(&other)]), Ok(2)),
            (with(vec![]), Err("invalid_message")),
            (with(vec![some(&one)]), Err("invalid_message")),
            (with(vec![some(&other), None]), Err("unknown_recipient")),
            (with(vec![some(&gone)]), Err("unknown_recipient")),
            (with(vec![some(&other); limits::ROOM_MEMBERS]), Ok(2)),
            (with(vec![some(&other); limits::ROOM_MEMBERS + 1]), Err("too_large")),
        ] {
            assert_eq!(outcome(&one, wanted), expected);
        }
    }

    #[test]
    fn two_rooms_of_the_same_people_are_two_and_read_back_as_they_were() {
        let (by, mut ids) = (person(1, Role::Member), Count(0));
        let wanted = with(vec![Some(person(2, Role::Member))]);
        let mut room = || make(&by, &wanted, &mut ids, Timestamp(0)).expect("a room").0;
        let (first, second) = (room(), room());
        assert_ne!(first.kind.anchor(), second.kind.anchor());
        assert_eq!(Kind::read(first.kind.name(), &first.kind.anchor(), true), Some(first.kind));
    }
}
