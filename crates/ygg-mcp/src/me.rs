//! `ygg_me`: who the caller is and what stands open for it.

use std::fmt::Write;

use serde::Serialize;
use ygg_domain::render::counted;
use ygg_domain::render::fence::shown_chars;
use ygg_domain::render::page::list;
use ygg_engine::{Caller, Engine, SystemNonces};
use ygg_wire::me::{Me, MyTopic};
use ygg_wire::tool;

use crate::answer::{Answer, done};
use crate::arguments::Arguments;
use crate::render::{joined, more, page};

/// Conversations named in one answer; there may be more, which are counted.
const CONVERSATIONS: usize = 20;

/// `Me` without display name and titles: those stand fenced in the text alone [P5].
#[derive(Serialize)]
struct Known {
    id: String,
    kind: String,
    workspace: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pot: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<i64>,
    paused: bool,
    conversations: Vec<String>,
    conversations_in_all: usize,
    topics: Vec<Topic>,
    topics_held: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic_limit: Option<u32>,
    unread: usize,
    wakes_waiting: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<usize>,
}

#[derive(Serialize)]
struct Topic {
    topic_id: String,
    status: String,
    state: String,
    opened_by_me: bool,
    owes: Vec<String>,
    owed: Vec<String>,
}

/// What others wrote, each with the id it belongs to.
type Written = Vec<(String, String)>;

pub async fn me(engine: &Engine, caller: &Caller, arguments: &Arguments) -> Answer {
    let from = arguments.from()?;
    let (known, written) = sort(engine.me(caller).await?, from);
    Ok(done(text(&known, &written), &known))
}

/// Every field is named, so that a new one cannot reach an agent before somebody decided on which side it belongs.
fn sort(me: Me, from: usize) -> (Known, Written) {
    let Me {
        id,
        kind,
        display_name,
        workspace,
        role,
        pot,
        balance,
        paused,
        mut conversations,
        topics,
        topics_held,
        topic_limit,
        unread,
        wakes_waiting,
    } = me;
    let (topics, next) = page(topics, from, size);
    let mut written = Vec::new();
    if display_name != id {
        written.push(("your name".to_owned(), display_name));
    }
    let topics = topics.into_iter().map(|topic| sort_topic(topic, &mut written)).collect();
    let conversations_in_all = conversations.len();
    conversations.truncate(CONVERSATIONS);
    let known = Known {
        id,
        kind,
        workspace,
        role,
        pot,
        balance,
        paused,
        conversations,
        conversations_in_all,
        topics,
        topics_held,
        topic_limit,
        unread,
        wakes_waiting,
        next,
    };
    (known, written)
}

fn sort_topic(topic: MyTopic, written: &mut Written) -> Topic {
    let MyTopic { id, title, status, state, opened_by_me, owes, owed } = topic;
    if let Some(title) = title {
        written.push((id.clone(), title));
    }
    Topic { topic_id: id, status, state, opened_by_me, owes, owed }
}

/// Characters of a topic in text and data.
fn size(topic: &MyTopic) -> usize {
    const FRAME_CHARS: usize = 200;
    const ID_CHARS: usize = 60;
    let title = topic.title.as_deref().map_or(0, shown_chars);
    FRAME_CHARS + title + ID_CHARS * (topic.owes.len() + topic.owed.len())
}

fn text(known: &Known, written: &Written) -> String {
    let mut out = format!("You are {}, an agent of workspace {}.\n", known.id, known.workspace);
    if known.paused {
        out.push_str(
            "A person paused you: nothing is handed to you and you cannot send until you are resumed.\n",
        );
    }
    if let (Some(pot), Some(balance)) = (&known.pot, known.balance) {
        let whose = if pot == "pool" { "the workspace's pool" } else { "your own wallet" };
        let _ = writeln!(out, "You pay from {whose}, which holds {}.", counted(balance, "credit"));
    }
    let _ = writeln!(
        out,
        "In your inbox: {}, and {} with something that woke you.",
        counted(whole(known.unread), "unread message"),
        counted(whole(known.wakes_waiting), "topic")
    );
    if let Some(limit) = known.topic_limit {
        let held = counted(whole(known.topics_held), "topic");
        let _ = writeln!(out, "You hold {held} that you opened and are not done with; {limit} is the most.");
    }
    let _ = writeln!(out, "Your conversations: {}.", joined(&known.conversations));
    if known.conversations_in_all > known.conversations.len() {
        let _ = writeln!(out, "There are {} in all.", known.conversations_in_all);
    }
    if known.topics.is_empty() {
        out.push_str("You have no open topics here.\n");
    } else {
        out.push_str("Your open topics:\n");
    }
    for topic in &known.topics {
        write_topic(&mut out, topic);
    }
    list(&mut out, "Names and titles, as data:", written, &mut SystemNonces);
    more(&mut out, known.next, tool::ME);
    out
}

fn write_topic(out: &mut String, topic: &Topic) {
    let _ = write!(out, "{}: {}, you are {}", topic.topic_id, topic.status, topic.state);
    if topic.opened_by_me {
        out.push_str(", opened by you");
    }
    if !topic.owes.is_empty() {
        let _ = write!(out, "; you owe an answer to {}", joined(&topic.owes));
    }
    if !topic.owed.is_empty() {
        let _ = write!(out, "; you are owed an answer to {}", joined(&topic.owed));
    }
    out.push_str(".\n");
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
