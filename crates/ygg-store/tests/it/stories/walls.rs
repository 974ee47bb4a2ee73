//! Two workspaces with the same ids in them: nothing of one is seen in the other [W1].

use ygg_domain::conversation::Kind;
use ygg_domain::id::MessageId;
use ygg_domain::message::ContextReason;
use ygg_domain::participant::Role;
use ygg_domain::topic::State;
use ygg_domain::wake::WakeStatus;

use crate::cast::{Count, TEAM, folded, id, told, woken};
use crate::history::History;
use crate::same::same;

/// A few of everything in the workspace where the history is; all of the story, or its first half.
pub fn story(history: &mut History, hash: u8, whole: bool) -> MessageId {
    history.ids = Count::up();
    let (ana, codex) = (history.person(1, "ana"), history.agent("codex"));
    history.key(&codex, hash);
    history.session(&ana, hash);
    history.invite(&ana, Role::Member, hash);
    let general = history.conversation(Kind::General);
    history.join(general, &codex);
    let topic = history.topic(general, &codex, Some("the same in both"));
    history.party(topic, &codex, State::Working);
    let wake = history.wake(&codex, Some(topic));
    let asked = history.ask(topic, &ana, &[woken(&codex, wake.id)]);
    let notice = history.notice(&codex, topic, &ana, asked);
    history.task(&codex, 0);
    history.sent(&codex, "key", hash, None);
    if whole {
        history.ask(topic, &ana, &[folded(&codex, wake.id), told(&ana, ContextReason::Inform)]);
        let turn = history.turn(&codex, Some(topic));
        history.take(&wake, turn);
        history.hand(turn, &codex, &[asked], &[notice]);
        history.end_wake(&wake, WakeStatus::Answered);
        history.leave(general, &codex);
        history.close(topic, &ana);
    }
    asked
}

#[test]
fn workspaces_with_the_same_ids_know_nothing_of_each_other() {
    let mut history = History::new();
    let asked = story(&mut history, 1, true);
    let plane = history.workspace("plane");
    assert_eq!(story(&mut history, 2, false), asked);
    let empty = history.workspace("another");
    let stores = same(&history);

    assert_eq!(stores.ask(|rows| rows.message(empty, asked)), None);
    let counts = [TEAM, plane, empty].map(|here| stores.ask(|rows| rows.last_seq(here)));
    assert_eq!(counts, [21, 13, 0]);
    let codex = id("codex");
    let pending = [TEAM, plane, empty].map(|here| stores.ask(|rows| rows.pending_wakes(here, &codex)).len());
    assert_eq!(pending, [0, 1, 0]);
    let open = [TEAM, plane, empty].map(|here| stores.ask(|rows| rows.open_topics_of(here, &codex)).len());
    assert_eq!(open, [0, 1, 0]);
    let slugs: Vec<String> =
        stores.ask(|rows| rows.workspaces()).iter().map(|found| found.slug.to_string()).collect();
    assert_eq!(slugs, ["another", "plane", "team"]);
}
