//! What the one who watches keeps of what it saw.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ygg_domain::time::Timestamp;

/// An agent or person in a topic.
pub type In = (String, String);

#[derive(Default)]
pub struct Book {
    pub topics: BTreeMap<String, Topic>,
    pub messages: HashMap<String, Message>,
    /// By message and recipient.
    pub deliveries: BTreeMap<In, Delivery>,
    /// What nobody read yet, by recipient and topic: places in the log and messages.
    pub unread: HashMap<In, BTreeSet<(i64, String)>>,
    pub wakes: BTreeMap<String, Wake>,
    /// Unanswered ones by agent, with their topics.
    pub unanswered: BTreeMap<String, BTreeSet<String>>,
    pub turns: BTreeMap<String, Turn>,
    /// By agent.
    pub running: BTreeMap<String, String>,
    pub notices: HashMap<String, Notice>,
    pub pots: BTreeMap<String, i64>,
    pub agents: BTreeMap<String, Agent>,
    /// Roles of people.
    pub roles: BTreeMap<String, String>,
    /// Topics by the agents that opened them, in order.
    pub opened: BTreeMap<String, Vec<String>>,
    /// Where in the log one last said that to another, in any topic.
    pub said: HashMap<(String, String, String), i64>,
    pub all_paused: bool,
    pub sums: Sums,
}

#[derive(Default)]
pub struct Agent {
    pub paused: bool,
    pub removed: bool,
}

#[derive(Default)]
pub struct Topic {
    /// `open`, `paused` or `closed`.
    pub status: String,
    pub states: BTreeMap<String, String>,
    /// Who was asked whether it is done, in this part of theirs.
    pub asked: BTreeSet<String>,
    /// The same, whatever became of them since.
    pub ever_asked: BTreeSet<String>,
    /// Reminders of whom by whom since the waiter sent something.
    pub nudges: BTreeMap<In, i64>,
    /// Requests that are owed an answer, with who owes it.
    pub owed: BTreeSet<In>,
    /// What a pause held back: messages and recipients.
    pub held: Vec<In>,
    /// Waking messages back and forth between two agents, with nobody else between.
    pub volley: Option<(String, String, u32)>,
    /// The last texts of one to another.
    pub texts: BTreeMap<In, Vec<(String, String)>>,
    /// Messages of agents since a person last wrote, and where in the log that was.
    pub since_person: (u32, i64),
    /// When something was last said.
    pub heard_at: Option<Timestamp>,
    /// Where in the log everybody last wrote, and when.
    pub wrote: BTreeMap<String, (i64, Option<Timestamp>)>,
    /// When everybody last said anything here, be it to the backend alone.
    pub spoke: BTreeMap<String, Timestamp>,
    /// Where in the log everybody last said that they wait, and since when they do.
    pub declared: BTreeMap<String, i64>,
    pub waits_since: BTreeMap<String, Timestamp>,
    /// When the last reminder of each wait was.
    pub reminded: BTreeMap<In, Timestamp>,
    /// Waits whose end was told to the one who waits.
    pub given_up: BTreeSet<In>,
    pub resumed_at: Option<Timestamp>,
}

pub struct Message {
    pub topic: String,
    pub sender: String,
    pub kind: &'static str,
    pub charged: i64,
    /// What was taken from pool or wallet for it.
    pub paid: i64,
    /// What of it was counted against the topic's budget, where one was set when it was sent.
    pub budgeted: Option<i64>,
    pub recipients: usize,
}

/// How far a delivery got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    Pending,
    Handed,
    Read,
    Gone,
}

impl Reached {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Handed => "handed",
            Self::Read => "read",
            Self::Gone => "gone",
        }
    }
}

pub struct Delivery {
    pub seq: i64,
    pub topic: String,
    pub effect: &'static str,
    pub reason: Option<&'static str>,
    pub operator: bool,
    pub reached: Reached,
    /// The wake that carries it.
    pub wake: Option<String>,
    /// A wake carried it once.
    pub carried: bool,
    /// It was handed on to a runner.
    pub handed_on: bool,
    pub turn: Option<String>,
    /// `open`, `settled`, `closed` or `gone`.
    pub debt: Option<&'static str>,
    /// Nobody has to be woken for it any more: its reader was done meanwhile, or dealt with it otherwise.
    pub excused: bool,
}

pub struct Wake {
    pub agent: String,
    pub topic: Option<String>,
    pub kind: String,
    pub status: String,
    pub turn: Option<String>,
    pub failed: i64,
    /// It carries what no wake carried before.
    pub fresh: bool,
    /// Something was handed on with it.
    pub handed_on: bool,
    /// A notice came with it.
    pub noticed: bool,
    /// A part of another, for what fitted a reading.
    pub part: bool,
    pub made_at: Option<Timestamp>,
    /// Somebody took it once.
    pub handed: bool,
}

impl Wake {
    pub fn is_unanswered(&self) -> bool {
        matches!(self.status.as_str(), "pending" | "taken")
    }

    pub fn is_of_notice(&self) -> bool {
        matches!(self.kind.as_str(), "closure_poll" | "nudge" | "resume" | "refilled" | "recipient_gone")
    }
}

pub struct Turn {
    pub agent: String,
    pub supervised: bool,
    pub topic: Option<String>,
    pub status: String,
    pub took: Vec<String>,
    /// Something that it took may be tried; what else waits there goes along.
    pub ready: bool,
    pub handed: Vec<In>,
    pub notices: usize,
}

pub struct Notice {
    pub recipient: String,
    pub kind: String,
    pub wake: Option<String>,
    /// `given`, `handed` or `ended`.
    pub status: &'static str,
}

/// What is counted over a whole run.
#[derive(Debug, Default, Clone)]
pub struct Sums {
    pub events: i64,
    /// Credits that people put into the pool and wallets.
    pub handed_out: i64,
    /// Credits taken from pool and wallets.
    pub paid: i64,
    pub agent_messages: i64,
    /// Recipients of these.
    pub agent_deliveries: i64,
    pub person_deliveries: i64,
    /// Wakes of agents that agents made.
    pub agent_wakes: i64,
    /// The same that went to a runner after a session let them lapse.
    pub handed_on: i64,
    pub reminders: i64,
    pub polls: i64,
    pub resumes: i64,
    /// Wakes that came of a person's act: their words, grants and removals.
    pub person_wakes: i64,
    /// Wakes whose failures a person forgave.
    pub forgiven: i64,
    /// Turns that took a wake.
    pub turns: i64,
    pub closed: i64,
}

impl Book {
    pub fn unanswered_in(&self, agent: &str, topic: Option<&str>) -> impl Iterator<Item = &Wake> {
        let theirs = self.unanswered.get(agent).into_iter().flatten();
        let wakes = theirs.filter_map(|id| self.wakes.get(id));
        wakes.filter(move |wake| wake.topic.as_deref() == topic)
    }

    pub fn pending_in(&self, agent: &str, topic: Option<&str>) -> Option<String> {
        let theirs = self.unanswered.get(agent).into_iter().flatten();
        let mut pending = theirs.filter(|id| {
            self.wakes.get(*id).is_some_and(|wake| wake.status == "pending" && wake.topic.as_deref() == topic)
        });
        pending.next().cloned()
    }

    pub fn is_done(&self, topic: &str, party: &str) -> bool {
        self.state(topic, party) == Some("done")
    }

    pub fn state(&self, topic: &str, party: &str) -> Option<&str> {
        self.topics.get(topic)?.states.get(party).map(String::as_str)
    }

    /// Moves a delivery on; whether it is unread follows.
    pub fn reach(&mut self, key: &In, reached: Reached) {
        let Some(delivery) = self.deliveries.get_mut(key) else { return };
        delivery.reached = reached;
        let place = (delivery.seq, key.0.clone());
        let unread = self.unread.entry((key.1.clone(), delivery.topic.clone())).or_default();
        if reached == Reached::Pending {
            unread.insert(place);
        } else {
            unread.remove(&place);
        }
    }
}
