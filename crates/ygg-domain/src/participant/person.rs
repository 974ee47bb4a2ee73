//! What may be changed about a person who is here: role, name, and whether they stay [W3].

use crate::limits;
use crate::participant::add::check_line;
use crate::participant::{Nature, Participant, Right, Role};
use crate::refusal::Refusal;

const NEEDS_ADMIN: &str = "changing people needs the role of admin or owner";
const NEEDS_OWNER: &str = "making and unmaking owners needs the role of owner";

/// `owners`: how many the workspace has.
pub struct PersonFacts {
    pub by: Participant,
    pub person: Participant,
    pub owners: usize,
}

impl PersonFacts {
    fn is_self(&self) -> bool {
        self.by.id == self.person.id
    }

    fn is_owner(&self) -> bool {
        self.person.as_person().is_some_and(|person| person.role == Role::Owner)
    }

    /// Owners are made and unmade by owners, everybody else by admins too.
    fn require(&self, touches_owner: bool) -> Result<(), Refusal> {
        let (right, needs) =
            if touches_owner { (Right::Own, NEEDS_OWNER) } else { (Right::Administer, NEEDS_ADMIN) };
        if self.by.may(right) { Ok(()) } else { Err(Refusal::Forbidden { needs }) }
    }

    fn keep_an_owner(&self) -> Result<(), Refusal> {
        if self.is_owner() && self.owners <= 1 { Err(Refusal::LastOwner) } else { Ok(()) }
    }
}

/// The person with another role.
pub fn set_role(facts: &PersonFacts, role: Role) -> Result<Participant, Refusal> {
    facts.require(facts.is_owner() || role == Role::Owner)?;
    if role != Role::Owner {
        facts.keep_an_owner()?;
    }
    let mut person = facts.person.clone();
    if let Nature::Person(about) = &mut person.nature {
        about.role = role;
    }
    Ok(person)
}

/// The person under another display name: by an admin, or by themselves.
pub fn rename(facts: &PersonFacts, display_name: &str) -> Result<Participant, Refusal> {
    if !facts.is_self() {
        facts.require(facts.is_owner())?;
    }
    check_line("display name", display_name, limits::DISPLAY_NAME_CHARS)?;
    Ok(Participant { display_name: display_name.to_owned(), ..facts.person.clone() })
}

/// The person as somebody who left. Everybody may leave, but for the last owner.
pub fn remove(facts: &PersonFacts) -> Result<Participant, Refusal> {
    if !facts.is_self() {
        facts.require(facts.is_owner())?;
    }
    facts.keep_an_owner()?;
    Ok(Participant { removed: true, ..facts.person.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AccountId, Ids};
    use crate::name::ParticipantId;
    use crate::participant::Person;

    struct Zero;

    impl Ids for Zero {
        fn next(&mut self) -> u128 {
            0
        }
    }

    fn person(number: u64, role: Role) -> Participant {
        let (account, handle) = (AccountId::fresh(&mut Zero), "someone".parse().expect("a good handle"));
        let nature = Nature::Person(Person { account, handle, role });
        Participant { id: ParticipantId::person(number), display_name: String::new(), nature, removed: false }
    }

    fn facts(by: Role, person_role: Role, owners: usize) -> PersonFacts {
        PersonFacts { by: person(1, by), person: person(2, person_role), owners }
    }

    #[test]
    fn owners_are_made_and_unmade_by_owners_alone() {
        use Role::{Admin, Member, Owner, Viewer};
        // by, whom, to: the reason of the refusal, if there is one
        let table = [
            (Viewer, Member, Viewer, Some("forbidden")),
            (Member, Viewer, Member, Some("forbidden")),
            (Admin, Viewer, Admin, None),
            (Admin, Admin, Viewer, None),
            (Admin, Member, Owner, Some("forbidden")),
            (Admin, Owner, Admin, Some("forbidden")),
            (Owner, Member, Owner, None),
            (Owner, Owner, Viewer, None),
        ];
        for (by, whom, to, refused) in table {
            let told = set_role(&facts(by, whom, 2), to);
            assert_eq!(told.as_ref().err().map(Refusal::code), refused, "{by:?} {whom:?} {to:?}");
            if let Ok(person) = told {
                assert_eq!(person.as_person().map(|person| person.role), Some(to));
            }
        }
    }

    #[test]
    fn the_last_owner_stays_and_stays_owner() {
        let last = PersonFacts { by: person(1, Role::Owner), person: person(1, Role::Owner), owners: 1 };
        assert_eq!(set_role(&last, Role::Admin), Err(Refusal::LastOwner));
        assert_eq!(remove(&last), Err(Refusal::LastOwner));
        assert!(set_role(&last, Role::Owner).is_ok());
        let one_of_two = PersonFacts { owners: 2, ..last };
        assert!(set_role(&one_of_two, Role::Admin).is_ok() && remove(&one_of_two).is_ok());
    }

    #[test]
    fn whoever_leaves_needs_no_right_and_whoever_removes_does() {
        for role in [Role::Viewer, Role::Member] {
            let own = PersonFacts { by: person(1, role), person: person(1, role), owners: 1 };
            assert!(remove(&own).is_ok_and(|gone| gone.removed));
            assert!(rename(&own, "Another").is_ok());
            assert!(remove(&facts(role, Role::Viewer, 1)).is_err());
            assert!(rename(&facts(role, Role::Viewer, 1), "Another").is_err());
        }
        assert!(remove(&facts(Role::Admin, Role::Owner, 2)).is_err());
        assert!(remove(&facts(Role::Admin, Role::Admin, 2)).is_ok());
    }
}
