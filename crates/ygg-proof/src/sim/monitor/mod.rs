//! Who watches: small machines that follow the log of events and know the rules as sentences. Nothing here asks the code
//! that decides, and a rule that is not kept is told by its id.

mod book;
mod clocks;
mod credits;
mod deliveries;
mod end;
mod loops;
mod notices;
mod participants;
mod posted;
mod topics;
mod turns;
mod unread;
mod wakes;

use serde_json::Value;
use ygg_domain::time::Timestamp;

use super::log::Entry;

pub use book::{Book, Sums};
pub use end::Left;

pub use crate::wrong::Wrong;

pub type Checked = Result<(), Wrong>;

fn wrong(rule: &'static str, what: impl Into<String>) -> Checked {
    Err(Wrong { rule, what: what.into() })
}

/// Whose doing it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doer {
    Person,
    Agent(String),
    Clock,
}

impl Doer {
    fn is(&self, agent: &str) -> bool {
        matches!(self, Self::Agent(id) if id == agent)
    }
}

pub struct Monitor {
    seq: i64,
    pub book: Book,
    clock: Option<Timestamp>,
    /// What happened in the step that is looked at.
    now: now::Now,
}

mod now {
    //! What happened in one step, for what can be judged only at its end.

    use std::collections::{BTreeMap, BTreeSet};

    use super::Doer;

    pub struct Now {
        pub doer: Doer,
        /// Of topics that moved: their statuses in order, the first from before the step.
        pub statuses: BTreeMap<String, Vec<String>>,
        /// Of parties that moved: their states before the step.
        pub states: BTreeMap<(String, String), Option<String>>,
        pub posted: Vec<String>,
        /// Topics in which somebody lacks credits.
        pub short: Vec<String>,
        /// Topics that agents opened.
        pub opened: Vec<String>,
        pub created: Vec<String>,
        pub ended: Vec<String>,
        pub closed: Vec<String>,
        pub removed: Vec<String>,
        /// Turns that began, and that ended.
        pub began: Vec<String>,
        pub over: Vec<String>,
        /// Agents with something of theirs moved in a topic.
        pub touched: BTreeSet<(String, String)>,
        /// What wallets gave back, and the pool got for it.
        pub returned: i64,
    }

    impl Now {
        pub fn of(doer: Doer) -> Self {
            Self {
                doer,
                statuses: BTreeMap::new(),
                states: BTreeMap::new(),
                posted: Vec::new(),
                short: Vec::new(),
                opened: Vec::new(),
                created: Vec::new(),
                ended: Vec::new(),
                closed: Vec::new(),
                removed: Vec::new(),
                began: Vec::new(),
                over: Vec::new(),
                touched: BTreeSet::new(),
                returned: 0,
            }
        }
    }
}

impl Default for Monitor {
    fn default() -> Self {
        Self { seq: 0, book: Book::default(), clock: None, now: now::Now::of(Doer::Clock) }
    }
}

impl Monitor {
    /// Looks at what one step committed.
    pub fn look(&mut self, doer: Doer, entries: &[Entry]) -> Checked {
        self.now = now::Now::of(doer);
        for entry in entries {
            if entry.seq != self.seq + 1 {
                return wrong("A1", format!("event {} follows event {}", entry.seq, self.seq));
            }
            self.seq = entry.seq;
            self.event(entry).map_err(|wrong| Wrong {
                what: format!("{} (event {}, {} {})", wrong.what, entry.seq, entry.kind, entry.data),
                ..wrong
            })?;
        }
        self.settle()
    }

    fn event(&mut self, entry: &Entry) -> Checked {
        let data = &entry.data;
        match entry.kind.as_str() {
            "conversation.message.posted" => self.posted(entry.seq, text(data, "message_id"), entry),
            "debt.ended" => self.debt_ended(data),
            "delivery.roused" => self.roused(data),
            "delivery.handed" => self.handed(data),
            "delivery.returned" => self.returned(data),
            "delivery.read" => self.read(data),
            "wake.created" => self.wake_created(data),
            "wake.merged" => self.wake_merged(data),
            "wake.taken" => self.wake_taken(data),
            "wake.returned" => self.wake_returned(data),
            "wake.answered" | "wake.ended" => self.wake_ended(data),
            "turn.started" => self.turn_started(data),
            "turn.ended" => self.turn_ended(data),
            "topic.opened" | "topic.marked" => self.topic_marked(data, entry.kind == "topic.opened"),
            "topic.closed" => self.topic_closed(data),
            "topic.titled" => self.topic_is_open(text(data, "topic_id")),
            "topic.state" => self.party_set(data),
            "topic.left" => self.party_left(data),
            "notice.given" => self.notice_given(data),
            "notice.handed" => self.notices_handed(data),
            "notice.returned" => self.notices_returned(data),
            "notice.ended" => self.notice_ended(data),
            "nudge.counted" => self.nudged(data),
            "credits.moved" => self.credits_moved(data),
            "credits.short" => {
                self.now.short.extend(owned(data, "topic_id"));
                Ok(())
            }
            "participant.added" | "participant.changed" => self.participant(data),
            "participant.removed" => self.participant_removed(data),
            "workspace.paused" | "workspace.resumed" => {
                self.book.all_paused = entry.kind == "workspace.paused";
                Ok(())
            }
            "conversation.message.redacted" => {
                self.forget_text(text(data, "message_id"));
                Ok(())
            }
            // What no rule of these speaks of.
            _ => Ok(()),
        }
    }

    /// What can be judged only when all of the step is known.
    fn settle(&mut self) -> Checked {
        self.settle_credits()?;
        self.settle_wakes()?;
        self.settle_turns()?;
        self.settle_topics()?;
        self.settle_posted()?;
        self.settle_unread()?;
        self.settle_participants()?;
        self.settle_sums()
    }
}

fn text<'a>(data: &'a Value, field: &str) -> &'a str {
    data[field].as_str().unwrap_or_default()
}

fn owned(data: &Value, field: &str) -> Option<String> {
    data[field].as_str().map(str::to_owned)
}

fn list<'a>(data: &'a Value, field: &str) -> Vec<&'a str> {
    data[field].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

pub fn is_person(id: &str) -> bool {
    id.starts_with("human.")
}

pub fn is_agent(id: &str) -> bool {
    !is_person(id) && id != "system.ygg"
}
