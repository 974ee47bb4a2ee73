//! How far people have read: cursors, what they leave unread, and what goes with a person who left.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::id::{MessageId, TopicId};
use ygg_domain::message::ContextReason;
use ygg_domain::name::ParticipantId;
use ygg_domain::participant::{Participant, Role};
use ygg_domain::topic::State;
use ygg_store::delivery::Step;

use crate::cast::{TEAM, id, notified, person, told};
use crate::history::History;
use crate::same::{Stores, same};

/// A topic that Ana takes part in, one where something is addressed to her, and one of two agents.
pub fn far() -> History {
    reading().0
}

fn reading() -> (History, [TopicId; 3], Vec<MessageId>) {
    let mut history = History::new();
    let (ana, codex, claude) = (history.person(1, "ana"), history.agent("codex"), history.agent("claude"));
    let general = history.conversation(Kind::General);
    let topics = ["hers", "told", "theirs"].map(|title| history.topic(general, &codex, Some(title)));
    let [hers, addressed, agents] = topics;
    history.party(hers, &ana, State::Working);
    let mut said = vec![history.ask(hers, &codex, &[notified(&ana, false)])];
    history.tell(hers, &ana, &[told(&codex, ContextReason::Inform)]);
    said.push(history.tell(hers, &codex, &[notified(&ana, true), told(&claude, ContextReason::Inform)]));
    said.push(history.tell(addressed, &claude, &[notified(&ana, true)]));
    history.tell(addressed, &claude, &[told(&codex, ContextReason::Inform)]);
    history.ask(agents, &claude, &[told(&codex, ContextReason::Inform)]);
    history.read(hers, &ana, 10);
    (history, topics, said)
}

fn unread(stores: &Stores, who: &ParticipantId) -> Vec<(TopicId, bool, usize)> {
    let found = stores.ask(|rows| rows.unread_topics(TEAM, who));
    found.into_iter().map(|found| (found.topic, found.is_party, found.unread)).collect()
}

fn steps(stores: &Stores, messages: &[MessageId]) -> Vec<Step> {
    let step = |message: &MessageId| {
        let met = stores.ask(|rows| rows.deliveries(TEAM, *message));
        met.into_iter().find(|met| met.recipient == id("human.1")).map(|met| met.step)
    };
    messages.iter().filter_map(step).collect()
}

#[test]
fn what_lies_before_the_cursor_is_read_and_what_others_wrote_after_it_is_not() {
    let (mut history, [hers, addressed, agents], said) = reading();
    let ana = id("human.1");
    let stores = Stores::after(&history);
    // Her own line in between is not unread to her, and what agents say to each other does not count.
    assert_eq!(unread(&stores, &ana), [(hers, true, 1), (addressed, false, 2)]);
    assert_eq!(steps(&stores, &said), [Step::Read, Step::Pending, Step::Pending]);
    let readings = stores.ask(|rows| rows.readings(TEAM, &ana, &[agents, hers, addressed, hers], 0));
    let found: Vec<_> =
        readings.iter().map(|one| (one.topic, one.seq, one.unread, one.concerns_reader)).collect();
    assert_eq!(found, [(hers, 10, 1, true), (addressed, 0, 2, true), (agents, 0, 1, false)]);

    history.read(hers, &ana, 12);
    history.read(addressed, &ana, 99);
    let stores = same(&history);
    assert_eq!(unread(&stores, &ana), []);
    assert_eq!(steps(&stores, &said), [Step::Read; 3]);
    // Where she has no part and has read what was addressed to her, nothing more counts.
    history.tell(addressed, &id("claude"), &[told(&id("codex"), ContextReason::Inform)]);
    assert_eq!(unread(&Stores::after(&history), &ana), []);
}

#[test]
fn a_cursor_goes_with_the_person() {
    let (mut history, [hers, ..], said) = reading();
    let ana = id("human.1");
    let gone = Participant { removed: true, ..person(1, "ana", Role::Member) };
    history.then(Change::ParticipantChanged(gone));
    let stores = Stores::after(&history);
    assert_eq!(steps(&stores, &said), [Step::Read, Step::Gone, Step::Gone]);
    history.add(person(1, "ana", Role::Member));
    let stores = same(&history);
    assert_eq!(unread(&stores, &ana), [(hers, true, 2)], "whoever comes back reads anew");
    assert!(!stores.ask(|rows| rows.has_unread_up_to(TEAM, &ana, hers, i64::MAX)));
}
