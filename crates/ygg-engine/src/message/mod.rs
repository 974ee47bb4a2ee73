//! Sending and reading messages: the facts of a send, and threads read back.

pub mod facts;
mod loops;
pub mod read;
mod why;

pub use read::{ReadBack, view_of};

use serde_json::Value;
use ygg_domain::message::draft::{self, Keyed};
use ygg_domain::message::send::{self, Decision, Remember, Reply, SendFacts};
use ygg_domain::message::{Draft, Outcome};
use ygg_domain::turn::TurnStatus;
use ygg_domain::{Refusal, message};
use ygg_store::sent::Remembered;
use ygg_wire::Receipt;

use crate::attention;
use crate::commit::Work;
use crate::{Caller, Engine, Error, Result};

impl Engine {
    /// One send: decided, durable, announced. A refusal is a receipt too.
    pub async fn send(&self, caller: &Caller, body: Value) -> Result<Receipt> {
        let understood = ygg_wire::draft::read(body).and_then(draft::understand);
        let caller = caller.clone();
        let attention = self.attention.lacks(&caller, self.clock.now());
        let sender = caller.clone();
        let sent = self.commit(caller.workspace, move |work| {
            let receipt = send_once(work, &sender, understood.clone())?;
            let noted = if attention { Some(attention::note(work, &sender)?) } else { None };
            Ok((receipt, noted))
        });
        let sent = sent.await.map(|(receipt, noted)| {
            self.attention.noted(&caller, noted);
            receipt
        });
        self.figures.count_send(&sent);
        sent
    }
}

fn send_once(
    work: &mut Work<'_>,
    caller: &Caller,
    understood: std::result::Result<Draft, Refusal>,
) -> Result<Receipt> {
    let keyed = understood.as_ref().ok().and_then(|draft| draft.key.clone());
    let (workspace, sender) = (caller.workspace, &caller.participant.id);
    let turn = caller.turn();
    if let Some(turn) = turn {
        // It may have ended since it was signed in.
        let told = work.tx.turn(workspace, turn)?;
        if told.is_none_or(|told| told.status != TurnStatus::Running) {
            return Err(Error::Unauthenticated);
        }
    }
    let facts = facts::load(work.tx, workspace, sender, understood.as_ref().ok(), work.now)?;
    let facts = SendFacts { over_rate: caller.over_rate, turn, ..facts };
    let decision = send::decide(&facts, understood, &mut work.ids, work.now);
    let Decision { changes, reply, remember, due, .. } = decision;
    let seq = work.apply(workspace, &changes)?;
    if let Some((topic, at)) = due {
        work.tx.set_due(workspace, topic, Some(at))?;
    }
    let receipt = match reply {
        Reply::Again(told) => {
            let first: Receipt = serde_json::from_str(&told)
                .map_err(|error| Error::broken(format!("a remembered receipt does not read: {error}")))?;
            return Ok(Receipt { duplicate: true, ..first });
        }
        Reply::Receipt(receipt) => {
            trace(caller, &receipt);
            Receipt { seq, ..Receipt::from(*receipt) }
        }
    };
    if let Some(Keyed { key, digest }) = keyed.filter(|_| remember != Remember::Nothing) {
        let told = match remember {
            Remember::Receipt => Some(
                serde_json::to_string(&receipt)
                    .map_err(|error| Error::broken(format!("a receipt does not write: {error}")))?,
            ),
            Remember::Charge | Remember::Nothing => None,
        };
        let send = Remembered { sender, key: &key, digest, receipt: told.as_deref(), at: work.now };
        work.tx.remember_send(workspace, &send)?;
    }
    Ok(receipt)
}

/// Ids and outcomes only: what was said never reaches a log.
fn trace(caller: &Caller, receipt: &message::Receipt) {
    let reason = match &receipt.outcome {
        Outcome::Refused(refusal) => refusal.code(),
        Outcome::Delivered => "delivered",
        Outcome::Absorbed => "absorbed",
    };
    tracing::debug!(workspace = %caller.slug, sender = %caller.participant.id, reason, "send");
}
