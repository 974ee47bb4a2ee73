//! The audit log: entries in their order, those that are the same counted, and what a successor does not inherit.

use ygg_domain::Change;
use ygg_domain::audit::{By, Way, entries, private_read};
use ygg_domain::conversation::Kind;
use ygg_domain::participant::Participant;
use ygg_store::audit::{Kept, Which};

use crate::cast::{TEAM, agent, group_set, id};
use crate::history::History;
use crate::same::{Stores, same};

fn story() -> History {
    let mut history = History::new();
    let (ana, codex) = (history.person(1, "ana"), history.agent("codex"));
    let general = history.conversation(Kind::General);
    history.refused(&codex);
    for by in [By::Participant(ana.clone()), By::Server] {
        for entry in entries(&by, &[group_set("crew", std::slice::from_ref(&codex))], &[]) {
            history.keep(entry);
        }
    }
    let look = private_read(&ana, general, Way::Opened, history.now());
    history.keep(look.clone());
    history.refused(&ana);
    history.refused(&codex);
    history.keep(look);
    history
}

fn told(stores: &Stores, which: &Which, limit: usize) -> Vec<(String, String, i64)> {
    let found = stores.ask(|rows| rows.audit(TEAM, which, None, limit));
    let line = |kept: Kept| {
        let by = kept.entry.by.map_or_else(|| "server".to_owned(), |by| by.to_string());
        (kept.entry.kind.name().to_owned(), by, kept.times)
    };
    found.into_iter().map(line).collect()
}

#[test]
fn what_is_the_same_is_one_entry_that_is_counted_and_comes_first_again() {
    let mut history = story();
    let stores = Stores::after(&history);
    let line = |kind: &str, by: &str, times| (kind.to_owned(), by.to_owned(), times);
    let all = told(&stores, &Which::default(), 10);
    let (look, codex) = (line("private_read", "human.1", 2), line("send_refused", "codex", 2));
    assert_eq!(
        all,
        [
            look.clone(),
            codex.clone(),
            line("send_refused", "human.1", 1),
            line("group_set", "server", 1),
            line("group_set", "human.1", 1),
        ]
    );
    assert_eq!(told(&stores, &Which::default(), 1), [look]);
    let refused = Which { by: Some(Some(id("codex"))), ..Which::default() };
    assert_eq!(told(&stores, &refused, 10), std::slice::from_ref(&codex));
    // A page goes on where the one before it ended.
    let page = stores.ask(|rows| rows.audit(TEAM, &Which::default(), None, 2));
    let end = page.last().map(|kept| (kept.at, kept.id));
    let rest = stores.ask(|rows| rows.audit(TEAM, &Which::default(), end, 10));
    assert_eq!(rest.len(), 3);

    // Whoever gets the id of a removed agent begins with nothing.
    history.then(Change::ParticipantRemoved(Participant { removed: true, ..agent("codex") }));
    history.refused(&id("codex"));
    let stores = same(&history);
    assert_eq!(told(&stores, &refused, 10), [line("send_refused", "codex", 1), codex]);
}
