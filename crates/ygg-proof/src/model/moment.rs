//! What is stored at one moment, with participants by their places: read once for each state, and looked at by all that
//! compare states.

use ygg_domain::credits::Pot;
use ygg_domain::id::{MessageId, TopicId, TurnId, WakeId};
use ygg_domain::message::{ContextReason, Effect, MessageType};
use ygg_domain::name::ParticipantId;
use ygg_domain::notice::NoticeKind;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::{State as PartyState, Status};
use ygg_domain::turn::TurnStatus;
use ygg_domain::wake::{WakeKind, WakeStatus};
use ygg_store::Rows;
use ygg_store::delivery::{DebtStatus, Step};
use ygg_store::memory::Snapshot;

use super::action::{Crowd, Who};
use super::cast::Cast;

pub struct Moment {
    pub now: Timestamp,
    /// In order of opening.
    pub topics: Vec<Topic>,
    /// Every one there ever was, in order of making.
    pub wakes: Vec<Wake>,
    /// Every one there ever was, in order of sending.
    pub deliveries: Vec<Delivery>,
    pub turns: Vec<Turn>,
    pub agents: Vec<Agent>,
    pub shortfalls: Vec<Shortfall>,
    pub pool: i64,
}

/// What is an agent's own.
pub struct Agent {
    pub is_paused: bool,
    pub attended_until: Option<Timestamp>,
    /// What it is told with its next turn.
    pub notices: Vec<Notice>,
    /// What its supervised turn was handed, and what comes back when that fails.
    pub handed: Vec<Notice>,
}

#[derive(Clone, Copy)]
pub struct Notice {
    pub topic: Option<TopicId>,
    pub kind: NoticeKind,
    pub about: Option<Who>,
    pub wake: Option<WakeId>,
}

#[derive(Clone, Copy)]
pub struct Shortfall {
    pub agent: Who,
    pub topic: Option<TopicId>,
    pub needed: i64,
}

pub struct Topic {
    pub id: TopicId,
    pub opener: Who,
    pub status: Status,
    pub is_titled: bool,
    pub opened_at: Timestamp,
    pub resumed_at: Option<Timestamp>,
    pub due: Option<Timestamp>,
    pub parties: Vec<Party>,
    pub nudged: Vec<Nudged>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Informed,
    Working,
    Waiting(Crowd),
    NeedsHuman,
    Done,
}

#[derive(Clone, Copy)]
pub struct Party {
    pub who: Who,
    pub part: Part,
    pub since: Timestamp,
    pub declared: bool,
    pub asked_at: Option<Timestamp>,
    pub replied_at: Option<Timestamp>,
    /// The place at which it last said that it waits.
    pub waits_from: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nudged {
    pub waiter: Who,
    pub on: Who,
    pub times: u32,
    pub last_at: Timestamp,
    pub told: bool,
}

#[derive(Clone, Copy)]
pub struct Wake {
    pub id: WakeId,
    /// Its place in the cast.
    pub agent: usize,
    pub topic: Option<TopicId>,
    pub kind: WakeKind,
    pub status: WakeStatus,
    pub operator: bool,
    pub made_at: Timestamp,
    pub turn: Option<TurnId>,
    pub failed: u32,
    pub not_before: Option<Timestamp>,
    pub handed_on: bool,
}

#[derive(Clone, Copy)]
pub struct Delivery {
    /// Its message's place in the log.
    pub seq: i64,
    pub message: MessageId,
    pub topic: TopicId,
    pub sender: Who,
    pub recipient: Who,
    pub kind: MessageType,
    /// The text that its sender says again and again.
    pub is_same: bool,
    pub sent_at: Timestamp,
    pub in_reply_to: Option<MessageId>,
    pub effect: Effect,
    pub step: Step,
    pub wake: Option<WakeId>,
    pub folded: Option<WakeId>,
    pub debt: Option<DebtStatus>,
    pub settled_by: Option<MessageId>,
    pub turn: Option<TurnId>,
    /// Its message settled what its sender owed.
    pub answers: bool,
}

#[derive(Clone, Copy)]
pub struct Turn {
    pub id: TurnId,
    /// Its place in the cast.
    pub agent: usize,
    pub is_supervised: bool,
    pub runs: bool,
    pub topic: Option<TopicId>,
    pub began_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub due: Timestamp,
}

impl Moment {
    pub fn of(cast: &Cast, stored: &Snapshot, now: Timestamp) -> Self {
        let workspace = cast.workspace;
        let rows = stored.rows();
        let topics = stored.topics(workspace).map(|(topic, parties, nudges)| Topic {
            id: topic.id,
            opener: cast.who(&topic.opener),
            status: topic.status,
            is_titled: topic.title.is_some(),
            opened_at: topic.opened_at,
            resumed_at: topic.resumed_at,
            due: topic.due,
            parties: parties.map(|party| self::party(cast, rows, topic.id, party)).collect(),
            nudged: nudges.map(|(nudged, _)| self::nudged(cast, nudged)).collect(),
        });
        let wakes = stored.wakes(workspace).into_iter().filter_map(|wake| self::wake(cast, wake));
        let turns = stored.turns(workspace).into_iter().filter_map(|told| {
            let turn = &told.turn;
            Some(Turn {
                id: turn.id,
                agent: cast.place(&turn.agent)?,
                is_supervised: turn.taker.is_supervised(),
                runs: told.status == TurnStatus::Running,
                topic: turn.topic,
                began_at: turn.began_at,
                ended_at: told.ended_at,
                due: turn.due,
            })
        });
        let turns: Vec<Turn> = turns.collect();
        let shortfalls = rows.shortfalls(workspace).unwrap_or_default();
        let shortfalls = shortfalls.iter().map(|short| Shortfall {
            agent: cast.who(&short.agent),
            topic: short.topic,
            needed: short.needed,
        });
        Self {
            now,
            topics: topics.collect(),
            wakes: wakes.collect(),
            agents: (0..cast.agents.len()).map(|place| agent(cast, stored, &turns, place)).collect(),
            shortfalls: shortfalls.collect(),
            turns,
            deliveries: deliveries(cast, stored),
            pool: rows.balance(workspace, &Pot::Pool).ok().flatten().unwrap_or(0),
        }
    }

    pub fn topic(&self, id: TopicId) -> Option<&Topic> {
        self.topics.iter().find(|topic| topic.id == id)
    }

    pub fn open_topics(&self) -> impl Iterator<Item = &Topic> {
        self.topics.iter().filter(|topic| topic.status != Status::Closed)
    }

    pub fn wake(&self, id: WakeId) -> Option<&Wake> {
        self.wakes.iter().find(|wake| wake.id == id)
    }

    /// Pending ones, in order of making.
    pub fn pending(&self, agent: usize) -> impl Iterator<Item = &Wake> {
        self.wakes.iter().filter(move |wake| wake.agent == agent && wake.status == WakeStatus::Pending)
    }

    pub fn turn(&self, id: TurnId) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.id == id)
    }

    pub fn running(&self, agent: usize) -> Option<&Turn> {
        self.turns.iter().find(|turn| turn.agent == agent && turn.runs)
    }

    pub fn party(&self, topic: TopicId, who: Who) -> Option<&Party> {
        self.topic(topic)?.parties.iter().find(|party| party.who == who)
    }

    /// Answers that are owed, oldest request first.
    pub fn debts(&self, topic: TopicId) -> impl Iterator<Item = &Delivery> {
        self.deliveries.iter().filter(move |row| row.topic == topic && row.owes())
    }

    /// When the sender last sent the recipient something there.
    pub fn last_sent(&self, topic: TopicId, sender: Who, recipient: Who) -> Option<Timestamp> {
        let mut sent = self.deliveries.iter().rev();
        let last = sent.find(|row| row.topic == topic && row.sender == sender && row.recipient == recipient);
        last.map(|row| row.sent_at)
    }

    /// What somebody last wrote there.
    pub fn last_written(&self, topic: TopicId, who: Who) -> Option<&Delivery> {
        let mut sent = self.deliveries.iter().rev();
        sent.find(|row| row.topic == topic && row.sender == who)
    }

    /// When anybody did, or the topic went on [S3].
    pub fn last_heard(&self, topic: &Topic) -> Option<Timestamp> {
        let mut sent = self.deliveries.iter().rev();
        sent.find(|row| row.topic == topic.id).map(|row| row.sent_at).max(topic.resumed_at)
    }

    /// When somebody was last handed something of the topic.
    pub fn last_served(&self, topic: TopicId, who: Who) -> Option<Timestamp> {
        let Who::Agent(place) = who else { return None };
        let served = self.turns.iter().filter(|turn| turn.agent == place && turn.topic == Some(topic));
        served.map(|turn| turn.began_at).max()
    }

    pub fn carries_unread(&self, wake: WakeId) -> bool {
        self.deliveries.iter().any(|row| row.wake == Some(wake) && row.step == Step::Pending)
    }
}

impl Delivery {
    pub fn owes(&self) -> bool {
        self.debt == Some(DebtStatus::Open)
    }

    /// It came while the topic stood still, and may wake when that ends [S3].
    pub fn is_held_back(&self) -> bool {
        let paused = self.effect == Effect::Context(ContextReason::TopicPaused) && self.wake.is_none();
        paused && (self.owes() || self.answers) && matches!(self.recipient, Who::Agent(_))
    }
}

fn agent(cast: &Cast, stored: &Snapshot, turns: &[Turn], place: usize) -> Agent {
    let (rows, workspace, id) = (stored.rows(), cast.workspace, &cast.agents[place].id);
    let own = rows.participant(workspace, id).ok().flatten();
    let notice = |notice: &ygg_domain::notice::Notice| Notice {
        topic: notice.topic,
        kind: notice.kind,
        about: notice.about.as_ref().map(|about| cast.who(about)),
        wake: notice.wake,
    };
    let all = |found: ygg_store::Result<Vec<_>>| found.unwrap_or_default().iter().map(notice).collect();
    let running = turns.iter().find(|turn| turn.agent == place && turn.runs && turn.is_supervised);
    let attended = rows.attention(workspace, id).ok().flatten();
    Agent {
        is_paused: own.as_ref().and_then(|own| own.as_agent()).is_some_and(|own| own.paused),
        attended_until: attended.map(|at| at.after(cast.policy.attention)),
        notices: all(rows.pending_notices(workspace, id, usize::MAX)),
        handed: running.map(|turn| all(rows.handed_notices(workspace, turn.id))).unwrap_or_default(),
    }
}

fn party(cast: &Cast, rows: &dyn Rows, topic: TopicId, party: &ygg_domain::topic::Party) -> Party {
    let waits = rows.last_wait(cast.workspace, topic, &party.participant).ok().flatten();
    let part = match &party.state {
        PartyState::Informed => Part::Informed,
        PartyState::Working => Part::Working,
        PartyState::Waiting(on) => Part::Waiting(Crowd::of(on.iter().map(|id| cast.who(id)))),
        PartyState::NeedsHuman => Part::NeedsHuman,
        PartyState::Done => Part::Done,
    };
    Party {
        who: cast.who(&party.participant),
        part,
        since: party.since,
        declared: party.declared,
        asked_at: party.asked_at,
        replied_at: party.replied_at,
        waits_from: waits.map(|declared| declared.seq),
    }
}

fn nudged(cast: &Cast, nudged: &ygg_domain::topic::waits::Nudged) -> Nudged {
    let who = |id: &ParticipantId| cast.who(id);
    let (waiter, on) = (who(&nudged.waiter), who(&nudged.on));
    Nudged { waiter, on, times: nudged.times, last_at: nudged.last_at, told: nudged.told }
}

fn wake(cast: &Cast, wake: &ygg_domain::wake::Wake) -> Option<Wake> {
    Some(Wake {
        id: wake.id,
        agent: cast.place(&wake.agent)?,
        topic: wake.topic,
        kind: wake.kind,
        status: wake.status,
        operator: wake.operator,
        made_at: wake.made_at,
        turn: wake.turn,
        failed: wake.failed,
        not_before: wake.not_before,
        handed_on: wake.handed_on,
    })
}

fn deliveries(cast: &Cast, stored: &Snapshot) -> Vec<Delivery> {
    let same = Some(cast.same);
    let all = stored.deliveries(cast.workspace).map(|row| Delivery {
        seq: row.seq,
        is_same: row.message.mark == same,
        sent_at: row.message.sent_at,
        message: row.message.id,
        topic: row.message.topic,
        sender: cast.who(&row.message.sender),
        recipient: cast.who(row.recipient),
        kind: row.message.kind,
        in_reply_to: row.message.in_reply_to,
        effect: row.effect,
        step: row.step,
        wake: row.wake,
        folded: row.folded,
        debt: row.debt,
        settled_by: row.settled_by,
        turn: row.turn,
        answers: row.answers,
    });
    all.collect()
}
