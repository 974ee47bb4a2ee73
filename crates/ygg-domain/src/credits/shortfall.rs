//! Short of credits: the topic pauses, those who fund see one request for it, and what covers it sets the topic going
//! and wakes that agent alone [C4].

use crate::change::Change;
use crate::credits::Pot;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId, TopicId};
use crate::message::Origin;
use crate::name::ParticipantId;
use crate::notice::{NoticeKind, Telling};
use crate::time::Timestamp;
use crate::topic::pause::{self, HeldBack};
use crate::topic::{Standing, Status};
use crate::wake::{Wake, WakeStatus};

/// What an agent lacked for a send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    pub agent: ParticipantId,
    /// None: the topic never came to be.
    pub topic: Option<TopicId>,
    /// The pot that could not bear it.
    pub pot: Pot,
    /// The price of the send.
    pub needed: i64,
    pub at: Timestamp,
}

/// A shortfall whose pot now bears the send, and the topic it is of.
pub struct Covered {
    pub shortfall: Shortfall,
    /// None: the topic never came to be.
    pub topic: Option<CoveredTopic>,
    /// A pending wake of the agent that belongs to no topic.
    pub loose: Option<Wake>,
}

pub struct CoveredTopic {
    pub standing: Standing,
    /// Somebody else still lacks credits there.
    pub others_lack: bool,
    pub held_back: Vec<HeldBack>,
    /// The farthest waking message of the topic [H3].
    pub farthest: Option<Origin>,
}

/// The topic goes on, and the agent alone is woken to send again; what the pause held back for others wakes too [S3].
pub fn refill(covered: Covered, ids: &mut dyn Ids, now: Timestamp, changes: &mut Vec<Change>) {
    let Covered { shortfall, topic, loose } = covered;
    let agent = shortfall.agent.clone();
    changes.push(Change::ShortfallEnded(shortfall));
    if planted(Fault::NobodyRefilled) {
        return;
    }
    let mut telling =
        Telling { kind: NoticeKind::Refilled, recipient: &agent, topic: None, about: None, message: None };
    let Some(CoveredTopic { mut standing, others_lack, held_back, farthest }) = topic else {
        let origin = Origin { message: MessageId::fresh(ids), hop: 0 };
        telling.wake(loose.as_ref(), origin, ids, now, changes);
        return;
    };
    if standing.topic.status == Status::Closed {
        return;
    }
    let status = standing.topic.status.with_lacking_credits(others_lack);
    if status == Status::Open {
        pause::resume(&mut standing, &held_back, &[&agent], ids, now, changes);
    } else {
        changes.extend(pause::mark(&standing.topic, status, now).map(Change::TopicMarked));
    }
    telling.topic = Some(standing.topic.id);
    let pending =
        standing.wakes.iter().find(|wake| wake.agent == agent && wake.status == WakeStatus::Pending);
    let origin = farthest.unwrap_or(Origin::NONE);
    telling.wake(pending, origin, ids, now, changes);
}
