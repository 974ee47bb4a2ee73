//! Conversations and who is in them for how long.

use ygg_domain::conversation::Kind;

use crate::cast::{TEAM, group_name, id, room};
use crate::history::History;
use crate::same::{Stores, same};

/// One conversation of each kind; staying, leaving, coming back, leaving what one is not in.
pub fn stays() -> History {
    let mut history = History::new();
    let (ana, codex, claude) = (history.person(1, "ana"), history.agent("codex"), history.agent("claude"));
    let general = history.conversation(Kind::General);
    let direct = history.conversation(Kind::direct(&codex, &ana));
    history.conversation(Kind::Group(group_name("builders")));
    history.conversation(room(&[&claude, &codex], false));
    let secret = history.conversation(room(&[&ana, &claude, &codex], true));
    for participant in [&codex, &ana, &claude] {
        history.join(general, participant);
    }
    history.join(direct, &ana);
    history.join(direct, &codex);
    history.join(secret, &claude);
    history.leave(secret, &codex);
    history.leave(general, &codex);
    history.leave(general, &codex);
    history.join(general, &codex);
    history.leave(general, &claude);
    // Somebody who joins twice is in it twice, and leaves once for all.
    history.join(secret, &claude);
    history.join(secret, &claude);
    history.leave(secret, &claude);
    history.join(secret, &claude);
    history
}

#[test]
fn coming_back_makes_a_second_stay() {
    let stores = same(&stays());
    let general = stores.ask(|rows| rows.conversation_of_kind(TEAM, &Kind::General)).unwrap();
    assert_eq!(stores.ask(|rows| rows.stints(TEAM, general.id)), [id("codex"), id("human.1")]);
    assert!(!stores.ask(|rows| rows.has_stint(TEAM, general.id, &id("claude"))));
    assert!(stores.ask(|rows| rows.has_stint(TEAM, general.id, &id("codex"))));
    assert_eq!(stores.ask(|rows| rows.stints_of(TEAM, &id("codex"))).len(), 2);
    assert_eq!(stores.ask(|rows| rows.stints_of(TEAM, &id("claude"))).len(), 1);
}

#[test]
fn a_room_is_found_by_its_founders_whether_private_or_not() {
    let stores = Stores::after(&stays());
    let founders = [&id("human.1"), &id("claude"), &id("codex")];
    let found = stores.ask(|rows| rows.conversation_of_kind(TEAM, &room(&founders, false))).unwrap();
    assert_eq!(found.kind, room(&founders, true));
}
