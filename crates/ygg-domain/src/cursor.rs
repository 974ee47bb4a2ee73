//! How far a person has read in a topic, the same on every device [W6]. Agents have no cursor: what an inbox hands out
//! counts as read.

use crate::change::Change;
use crate::id::{ConversationId, TopicId};
use crate::participant::Participant;
use crate::refusal::Refusal;

/// How a person stands in a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub topic: TopicId,
    /// The place in the log up to which it was read; 0 before the first time.
    pub seq: i64,
    /// Messages after it that others wrote, counted up to `limits::UNREAD`.
    pub unread: usize,
    /// The person takes part, or something addressed to them is unread there: what is unread counts in their sum.
    pub concerns_reader: bool,
}

/// What moves a cursor.
pub struct MoveFacts {
    pub reader: Participant,
    pub conversation: ConversationId,
    /// Where the cursor is now.
    pub stands: i64,
    /// How the reader would stand at `place`.
    pub moved: Reading,
    /// Something addressed to the reader lies up to there that was not read.
    pub reads_own: bool,
}

/// Reading is for people.
pub fn check_reader(reader: &Participant) -> Result<(), Refusal> {
    if reader.id.is_person() {
        return Ok(());
    }
    Err(Refusal::Forbidden {
        needs: "read cursors are for people; what your inbox hands you counts as read without one",
    })
}

/// Where a cursor goes that is asked to go to `wanted`: never back, and no further than the newest message.
pub fn place(stands: i64, newest: i64, wanted: i64) -> i64 {
    wanted.min(newest).max(stands)
}

/// A cursor that does not move changes nothing.
pub fn decide(facts: &MoveFacts) -> Result<Vec<Change>, Refusal> {
    check_reader(&facts.reader)?;
    let MoveFacts { reader, conversation, moved, .. } = facts;
    let mut changes = Vec::new();
    if moved.seq <= facts.stands {
        return Ok(changes);
    }
    changes.push(Change::CursorMoved { person: reader.id.clone(), reading: *moved });
    if facts.reads_own {
        changes.push(Change::DeliveriesRead {
            recipient: reader.id.clone(),
            conversation: *conversation,
            topic: moved.topic,
            seq: moved.seq,
        });
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AccountId, Ids};
    use crate::name::ParticipantId;
    use crate::participant::{Nature, Person, Role};

    struct Zero;

    impl Ids for Zero {
        fn next(&mut self) -> u128 {
            0
        }
    }

    fn facts(stands: i64, seq: i64, reads_own: bool) -> MoveFacts {
        let nature = Nature::Person(Person {
            account: AccountId::fresh(&mut Zero),
            handle: "ana".parse().expect("a handle"),
            role: Role::Viewer,
        });
        let (id, display_name) = (ParticipantId::person(1), String::new());
        let reader = Participant { id, display_name, nature, removed: false };
        let moved = Reading { topic: TopicId::fresh(&mut Zero), seq, unread: 2, concerns_reader: true };
        MoveFacts { reader, conversation: ConversationId::fresh(&mut Zero), stands, moved, reads_own }
    }

    #[test]
    fn a_cursor_goes_neither_back_nor_beyond_the_newest_message() {
        // where it stands, the newest message, where it is asked to go, where it goes
        for (stands, newest, wanted, goes) in [
            (0, 9, 5, 5),
            (0, 9, 9, 9),
            (0, 9, i64::MAX, 9),
            (5, 9, 3, 5),
            (5, 9, i64::MIN, 5),
            (9, 9, 9, 9),
            (0, 0, 7, 0),
        ] {
            assert_eq!(place(stands, newest, wanted), goes, "{stands} {newest} {wanted}");
        }
    }

    #[test]
    fn reading_is_told_to_the_reader_and_what_was_addressed_to_everybody_who_reads_along() {
        // where it stands, where it goes, whether something addressed lies before, how many changes
        for (stands, seq, reads_own, changes) in
            [(0, 4, true, 2), (0, 4, false, 1), (4, 4, true, 0), (4, 4, false, 0)]
        {
            let told = decide(&facts(stands, seq, reads_own)).expect("a person reads");
            assert_eq!(told.len(), changes, "{stands} {seq} {reads_own}");
        }
    }

    #[test]
    fn an_agent_has_no_cursor() {
        let agent = ParticipantId::agent("scout").expect("an id");
        let reader = Participant { id: agent, ..facts(0, 1, false).reader };
        let refused = decide(&MoveFacts { reader, ..facts(0, 1, false) });
        assert_eq!(refused.err().map(|refusal| refusal.code()), Some("forbidden"));
    }
}
