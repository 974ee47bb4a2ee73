//! Topics: opened, titled, held, closed; the states of their parties; what was said in them.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::id::TopicId;
use ygg_domain::message::{ContextReason, Message, MessageType, Origin};
use ygg_domain::notice::NoticeKind;
use ygg_domain::participant::Participant;
use ygg_domain::topic::{Paused, State, Status, Topic};

use crate::cast::{TEAM, agent, at, held_back, id, notified, told};
use crate::history::History;
use crate::same::{Stores, same};

/// Topics of two agents and a person in two conversations, through every state and status.
pub fn lives() -> History {
    two_of_them().0
}

fn two_of_them() -> (History, [TopicId; 2]) {
    let mut history = History::new();
    let (ana, codex, claude) = (history.person(1, "ana"), history.agent("codex"), history.agent("claude"));
    let general = history.conversation(Kind::General);
    let direct = history.conversation(Kind::direct(&ana, &codex));
    let first = history.topic(general, &codex, Some("the first"));
    let untitled = history.topic(direct, &ana, None);
    let third = history.topic(general, &codex, Some("the third"));
    let paused = Topic {
        id: TopicId::fresh(&mut history.ids),
        conversation: direct,
        title: Some("stands still".to_owned()),
        opener: claude.clone(),
        status: Status::Paused(Paused::Both),
        opened_at: at(5),
        closed_at: None,
        resumed_at: None,
        stalled: false,
        looped: false,
        due: None,
    };
    history.then(Change::TopicOpened(paused));
    for (topic, opener) in [(first, &codex), (untitled, &ana), (third, &codex)] {
        history.party(topic, opener, State::Working);
    }
    history.party(first, &ana, State::Informed);
    history.party(first, &claude, State::Waiting(vec![ana.clone(), codex.clone()]));
    history.party(first, &claude, State::Waiting(Vec::new()));
    history.party(untitled, &codex, State::NeedsHuman);
    history.then(Change::TopicTitled {
        topic: untitled,
        conversation: direct,
        title: "titled — 話題".to_owned(),
    });
    history.party(third, &codex, State::Done);
    history.party(third, &codex, State::Working);
    history.party(first, &codex, State::Done);
    say(&mut history, first, untitled);
    history.close(untitled, &ana);
    // A party may move in a topic that is closed, and does not come back to it by that.
    history.party(untitled, &codex, State::Done);
    history.party(untitled, &claude, State::Working);
    history.close(untitled, &codex);
    (history, [first, third])
}

/// What timers, pauses and a removal make of topics.
pub fn by_themselves() -> History {
    let (mut history, [first, third]) = two_of_them();
    let (ana, codex, claude) = (id("human.1"), id("codex"), id("claude"));
    history.due(first, Some(at(500)));
    history.mark(first, Status::Paused(Paused::Credits), true);
    history.tell(first, &claude, &[told(&codex, ContextReason::TopicPaused)]);
    history.ask(first, &codex, &[held_back(&claude)]);
    history.mark(third, Status::Open, false);
    history.due(third, Some(at(400)));
    history.nudged(first, &claude, &codex, 1);
    history.nudged(first, &claude, &codex, 3);
    history.nudged(first, &ana, &codex, 2);
    let short = history.short(&codex, Some(first), 4);
    history.short(&codex, Some(first), 7);
    history.short(&claude, None, 2);
    history.then(Change::ShortfallEnded(short));
    let nudge = history.notice_of(NoticeKind::Nudge, &codex, Some(first));
    history.notice_of(NoticeKind::Resume, &claude, None);
    history.then(Change::NoticeEnded { notice: nudge.id, recipient: codex.clone() });
    history.then(Change::WorkspacePaused(true));
    history.then(Change::WorkspacePaused(false));
    history.leave_topic(third, &codex);
    history.due(first, None);
    history.then(Change::ParticipantRemoved(Participant { removed: true, ..agent("claude") }));
    history
}

/// Messages with all that a message can carry.
fn say(history: &mut History, first: TopicId, untitled: TopicId) {
    let (ana, codex, claude) = (id("human.1"), id("codex"), id("claude"));
    let asked = history.ask(first, &claude, &[notified(&ana, false), notified(&codex, true)]);
    let plain = history.message(first, &codex, MessageType::Response);
    let answer = Message {
        text: "line one\nline two\t'; DROP TABLE messages; --\u{1F332}".to_owned(),
        body: Some(r#"{"a":[1,null]}"#.to_owned()),
        in_reply_to: Some(asked),
        state: Some(State::Waiting(vec![ana.clone(), claude.clone()])),
        origin: Origin { message: asked, hop: u32::MAX },
        charged: 12,
        ..plain
    };
    history.post(answer, &[]);
    for state in [State::Informed, State::Working, State::NeedsHuman, State::Done, State::Waiting(Vec::new())]
    {
        let plain = history.message(untitled, &ana, MessageType::Inform);
        history.post(Message { state: Some(state), text: String::new(), ..plain }, &[]);
    }
    for reason in ContextReason::ALL {
        history.tell(first, &claude, &[told(&codex, reason), told(&ana, reason)]);
    }
}

#[test]
fn topics_live_and_close() {
    let history = lives();
    let stores = same(&history);
    let titles =
        |topics: &[Topic]| topics.iter().map(|topic| topic.title.clone().unwrap()).collect::<Vec<_>>();
    let all = stores.ask(|rows| rows.topics(TEAM, None, None, 10));
    assert_eq!(titles(&all), ["stands still", "the third", "titled — 話題", "the first"]);
    let closed = &all[2];
    assert_eq!((closed.status, closed.closed_at), (Status::Closed, Some(history.steps.last().unwrap().0)));
    let earlier = stores.ask(|rows| rows.topics(TEAM, Some(all[1].conversation), Some(all[1].id), 10));
    assert_eq!(titles(&earlier), ["the first"]);
    let open = stores.ask(|rows| rows.open_topics_of(TEAM, &id("codex")));
    assert_eq!(titles(&open), ["the first", "the third"]);
    let held = stores.ask(|rows| rows.held_topics(TEAM, &id("codex")));
    assert_eq!(held.iter().map(|topic| topic.id).collect::<Vec<_>>(), [all[1].id]);
    assert_eq!(stores.ask(|rows| rows.open_topics_of(TEAM, &id("human.1"))).len(), 1);
}

#[test]
fn what_moves_by_itself_is_the_same_everywhere() {
    let stores = same(&by_themselves());
    assert_eq!(stores.ask(|rows| rows.next_due()), Some(at(400)));
    assert_eq!(stores.ask(|rows| rows.shortfalls(TEAM)).len(), 1);
    let first = stores.ask(|rows| rows.topics(TEAM, None, None, 10))[3].id;
    // Who was removed is a party of nothing, and what was held back for it waits for nobody.
    assert!(!stores.ask(|rows| rows.is_party(TEAM, first, &id("claude"))));
    assert_eq!(stores.ask(|rows| rows.unread_count(TEAM, &id("claude"))), 0);
}

#[test]
fn messages_are_paged_in_the_order_of_the_log() {
    let stores = Stores::after(&lives());
    let first = stores.ask(|rows| rows.topics(TEAM, None, None, 10))[3].id;
    let all = stores.ask(|rows| rows.messages_after(TEAM, first, 0, 100));
    assert_eq!(all.len(), 2 + ContextReason::ALL.len());
    assert!(all.is_sorted_by_key(|logged| logged.seq));
    let (third, last) = (all[2].seq, all[all.len() - 1].seq);
    assert_eq!(stores.ask(|rows| rows.messages_after(TEAM, first, third, 2)), all[3..5]);
    assert_eq!(
        stores.ask(|rows| rows.messages_before(TEAM, first, last, 2)),
        all[all.len() - 3..all.len() - 1]
    );
    let asked = all[0].message.id;
    assert_eq!(stores.ask(|rows| rows.asker(TEAM, asked, first)), Some(id("claude")));
    assert_eq!(stores.ask(|rows| rows.asker(TEAM, all[1].message.id, first)), None);
}
