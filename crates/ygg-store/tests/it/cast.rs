//! Names and values that the tests are made of: ids that count, people, agents, messages.

use ygg_domain::Change;
use ygg_domain::conversation::Kind;
use ygg_domain::group::Group;
use ygg_domain::id::{AccountId, Ids, WakeId};
use ygg_domain::message::{ContextReason, Delivery, Effect};
use ygg_domain::name::{GroupName, Handle, ParticipantId, Slug};
use ygg_domain::participant::{Agent, Nature, Participant, Person, Role, Trust, WakeBy};
use ygg_domain::time::Timestamp;
use ygg_domain::workspace::WorkspaceKey;

/// The workspace that is made first.
pub const TEAM: WorkspaceKey = WorkspaceKey(1);

/// Ids that count: 1, 2, 3. With a stride, ids whose order is not that of their making.
#[derive(Debug, Clone)]
pub struct Count {
    last: u128,
    stride: u128,
}

impl Count {
    pub fn up() -> Self {
        Self { last: 0, stride: 1 }
    }

    /// An odd stride meets every value once.
    pub fn scattered(seed: u64) -> Self {
        let stride = (u128::from(seed) << 64 | 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) | 1;
        Self { last: u128::from(seed), stride }
    }
}

impl Ids for Count {
    fn next(&mut self) -> u128 {
        self.last = self.last.wrapping_add(self.stride);
        self.last
    }
}

pub fn at(ms: i64) -> Timestamp {
    Timestamp(ms)
}

pub fn slug(name: &str) -> Slug {
    name.parse().expect("a slug")
}

pub fn id(name: &str) -> ParticipantId {
    name.parse().expect("a participant id")
}

pub fn handle(name: &str) -> Handle {
    name.parse().expect("a handle")
}

pub fn group_name(name: &str) -> GroupName {
    name.parse().expect("a group name")
}

pub fn room(founders: &[&ParticipantId], private: bool) -> Kind {
    Kind::Room { founders: founders.iter().map(|id| (*id).clone()).collect(), private }
}

pub fn account_id(number: u64) -> AccountId {
    AccountId::fresh(&mut Count { last: u128::from(number), stride: 0 })
}

pub fn person(number: u64, name: &str, role: Role) -> Participant {
    Participant {
        id: ParticipantId::person(number),
        display_name: format!("{name} of the team"),
        nature: Nature::Person(Person { account: account_id(number), handle: handle(name), role }),
        removed: false,
    }
}

pub fn agent(name: &str) -> Participant {
    let nature = Nature::Agent(Agent {
        wake_by: WakeBy::Relay,
        description: format!("what {name} does"),
        operators: Vec::new(),
        connected_by: None,
        paused: false,
    });
    Participant { id: id(name), display_name: name.to_uppercase(), nature, removed: false }
}

pub fn group_set(name: &str, members: &[ParticipantId]) -> Change {
    Change::GroupSet(Group { name: group_name(name), members: members.to_vec() })
}

/// To be told, with nothing owed.
pub fn told(recipient: &ParticipantId, reason: ContextReason) -> Delivery {
    Delivery {
        recipient: recipient.clone(),
        effect: Effect::Context(reason),
        trust: Trust::Participant,
        owes: false,
        wake: None,
        folded: None,
    }
}

/// Asked while the topic stood still: it woke nobody.
pub fn held_back(recipient: &ParticipantId) -> Delivery {
    Delivery { owes: true, ..told(recipient, ContextReason::TopicPaused) }
}

pub fn notified(recipient: &ParticipantId, quiet: bool) -> Delivery {
    Delivery { effect: Effect::Notify { quiet }, ..told(recipient, ContextReason::Inform) }
}

/// Asked, and woken by that wake.
pub fn woken(recipient: &ParticipantId, wake: WakeId) -> Delivery {
    Delivery { effect: Effect::Wake, owes: true, wake: Some(wake), ..told(recipient, ContextReason::Inform) }
}

/// Asked, and folded into a wake that is there.
pub fn folded(recipient: &ParticipantId, wake: WakeId) -> Delivery {
    Delivery { owes: true, folded: Some(wake), ..told(recipient, ContextReason::WakeCoalesced) }
}
