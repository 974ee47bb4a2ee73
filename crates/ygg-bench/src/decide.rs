//! `decide` alone: a request in an open topic of two agents, decided again and again without store or engine.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ygg_domain::conversation::Kind;
use ygg_domain::conversation::access::Ties;
use ygg_domain::credits::{Funds, Pot};
use ygg_domain::id::{ConversationId, Ids, TopicId};
use ygg_domain::message::Draft;
use ygg_domain::message::draft::{self, RawDraft};
use ygg_domain::message::recipients::{Candidate, Resolved};
use ygg_domain::message::send::{Place, SendFacts, TopicFacts, decide};
use ygg_domain::name::{Address, ParticipantId};
use ygg_domain::participant::{Agent, Nature, Participant, WakeBy};
use ygg_domain::policy::Policy;
use ygg_domain::time::Timestamp;
use ygg_domain::topic::{Party, Standing, State, Status, Topic};

/// Drafts made before the clock runs: a decision takes its draft.
const BATCH: usize = 1000;
const NOW: Timestamp = Timestamp(1_700_000_000_000);

struct Count(u128);

impl Ids for Count {
    fn next(&mut self) -> u128 {
        self.0 += 1;
        self.0
    }
}

/// What a decision looks at, and the draft it decides.
pub struct Case {
    facts: SendFacts,
    draft: Draft,
    ids: Count,
}

impl Case {
    pub fn new(text: String) -> Result<Self> {
        let mut ids = Count(1);
        let (sender, recipient) = (agent("asks")?, agent("answers")?);
        let topic = topic(&sender.id, &recipient.id, &mut ids);
        let raw = RawDraft {
            to: vec!["answers".to_owned()],
            kind: Some("request".to_owned()),
            topic_id: Some(topic.standing.topic.id.to_string()),
            text: Some(text),
            ..RawDraft::default()
        };
        let draft = draft::understand(raw).ok().context("a good draft")?;
        let ties = Ties { party: true, ..Ties::default() };
        let candidate = Resolved::One(Candidate { participant: recipient, ties });
        let facts = SendFacts {
            turn: None,
            policy: Policy::default(),
            workspace_paused: false,
            sender,
            over_rate: None,
            prior: None,
            place: Place::Topic(Box::new(topic)),
            addressed: vec![(Address::read("answers"), candidate)],
            awaited: Vec::new(),
            held: Vec::new(),
            funds: Funds { pot: Pot::Pool, balance: 1_000_000, budget: None },
            shortfalls: Vec::new(),
            loops: Vec::new(),
            files: Vec::new(),
        };
        Ok(Self { facts, draft, ids })
    }

    /// Microseconds for one decision, its result dropped besides.
    pub fn us(&mut self, span: Duration) -> f64 {
        let (mut took, mut decided) = (Duration::ZERO, 0);
        while took < span {
            let drafts = vec![self.draft.clone(); BATCH];
            let mut decisions = Vec::with_capacity(BATCH);
            let begun = Instant::now();
            for draft in drafts {
                decisions.push(decide(black_box(&self.facts), Ok(draft), &mut self.ids, NOW));
            }
            took += begun.elapsed();
            decided += decisions.len();
        }
        took.as_secs_f64() * 1e6 / decided as f64
    }
}

fn agent(id: &str) -> Result<Participant> {
    let nature = Nature::Agent(Agent {
        wake_by: WakeBy::None,
        description: String::new(),
        operators: Vec::new(),
        connected_by: None,
        paused: false,
    });
    let id = ParticipantId::agent(id).ok().context("a good id")?;
    Ok(Participant { display_name: id.to_string(), id, nature, removed: false })
}

fn topic(one: &ParticipantId, other: &ParticipantId, ids: &mut Count) -> TopicFacts {
    let party = |id: &ParticipantId| Party::new(id.clone(), State::Working, NOW);
    let standing = Standing {
        topic: Topic {
            id: TopicId::fresh(ids),
            conversation: ConversationId::fresh(ids),
            title: Some("A piece of work".to_owned()),
            opener: one.clone(),
            status: Status::Open,
            opened_at: NOW,
            closed_at: None,
            resumed_at: None,
            stalled: false,
            looped: false,
            due: None,
        },
        kind: Kind::direct(one, other),
        parties: vec![party(one), party(other)],
        wakes: Vec::new(),
        debts: Vec::new(),
    };
    TopicFacts {
        standing,
        ties: Ties { party: true, ..Ties::default() },
        named: None,
        debtors: Vec::new(),
        folded: Vec::new(),
        reply_to: None,
        held_back: Vec::new(),
        notices: Vec::new(),
        carrying: Vec::new(),
        unfinished: Vec::new(),
        farthest: None,
    }
}
