//! A supervised turn that failed or died: what it took is pending again, with what it was handed, and the next attempt
//! is told what this one had already sent [K6].

use crate::change::Change;
use crate::fault::{Fault, planted};
use crate::id::{Ids, MessageId, TopicId};
use crate::notice::{Notice, NoticeKind, Telling};
use crate::time::Timestamp;
use crate::turn::end::{Ending, Handed, over, shown};
use crate::turn::{Report, Turn, TurnStatus, retry};
use crate::wake::{Wake, WakeStatus};

pub struct FailFacts {
    pub turn: Turn,
    /// Wakes that the turn took and that are still unanswered.
    pub taken: Vec<Wake>,
    /// What it was handed, topic by topic.
    pub handed: Handed,
    pub notices: Vec<Notice>,
    /// What it sent, oldest first.
    pub sent: Vec<(TopicId, MessageId)>,
}

pub fn decide(facts: FailFacts, report: Report, ids: &mut dyn Ids, now: Timestamp) -> Vec<Change> {
    let FailFacts { turn, taken, handed, notices, sent } = facts;
    let mut changes = Vec::new();
    // Where everything that woke it is answered there is nothing to try again, and what it read was read.
    if let Some(first) = taken.first() {
        for (conversation, topic, messages) in handed {
            let recipient = turn.agent.clone();
            changes.push(Change::DeliveriesReturned {
                turn: turn.id,
                recipient,
                conversation,
                topic,
                messages,
            });
        }
        if !notices.is_empty() {
            let (recipient, notices) = (turn.agent.clone(), notices.iter().map(|one| one.id).collect());
            changes.push(Change::NoticesReturned { turn: turn.id, recipient, notices });
        }
        tell(&turn, first, &sent, ids, &mut changes);
    } else {
        changes.extend(shown(&turn, &handed));
    }
    for wake in taken.iter().filter(|_| !planted(Fault::FailedWakeLost)) {
        let status = WakeStatus::Pending;
        changes.push(Change::WakeReturned(Wake { status, ..retry::returned(wake, now) }));
    }
    changes.extend(over(&turn, Ending { status: TurnStatus::Failed, silent: false, report }));
    changes
}

/// With the wake that comes back, so that it is read with it.
fn tell(
    turn: &Turn,
    wake: &Wake,
    sent: &[(TopicId, MessageId)],
    ids: &mut dyn Ids,
    changes: &mut Vec<Change>,
) {
    let telling =
        |kind, topic, message| Telling { kind, recipient: &turn.agent, topic, about: None, message };
    if sent.is_empty() {
        telling(NoticeKind::TriedBefore, turn.topic, None).with(wake.id, ids, changes);
    }
    for (topic, message) in sent {
        telling(NoticeKind::AlreadySent, Some(*topic), Some(*message)).with(wake.id, ids, changes);
    }
}
