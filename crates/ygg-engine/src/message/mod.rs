//! Sending and reading messages: the facts of a send, and threads read back.

pub mod facts;
mod loops;
pub mod read;
mod redact;
mod why;

pub use read::{ReadBack, view_of};

use std::time::Duration;

use serde_json::Value;
use ygg_domain::audit;
use ygg_domain::message::draft::{self, Keyed};
use ygg_domain::message::send::{self, Decision, Place, Remember, Reply, SendFacts};
use ygg_domain::message::{Draft, Outcome};
use ygg_domain::turn::TurnStatus;
use ygg_domain::{Refusal, message};
use ygg_store::sent::Remembered;
use ygg_wire::Receipt;

use crate::attention;
use crate::commit::{Work, Write};
use crate::file::sendable;
use crate::guard::Guard;
use crate::{Caller, Engine, Error, Result};

/// Between two writes about a sender that is over its rate.
const FLOOD: Duration = Duration::from_secs(60);

impl Engine {
    /// One send: decided, durable, announced. A refusal is a receipt too.
    pub async fn send(&self, caller: &Caller, body: Value) -> Result<Receipt> {
        let understood = ygg_wire::draft::read(body).and_then(draft::understand);
        let caller = caller.clone();
        let attention = self.attention.lacks(&caller, self.clock.now());
        let sender = caller.clone();
        let sent = self.commit(Write::by(&caller), move |work| {
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
    let files = match &understood {
        Ok(draft) if !draft.attachments.is_empty() => {
            sendable(&Guard::new(work.tx, caller)?, &draft.attachments)?
        }
        Ok(_) | Err(_) => Vec::new(),
    };
    let facts = SendFacts { over_rate: caller.over_rate, turn, files, ..facts };
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
            if let Outcome::Refused(refusal) = &receipt.outcome {
                keep_refusal(work, caller, refusal, &facts.place)?;
            }
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

/// In the audit log, counted. A flood of refusals is to be no flood of writes: one that is over its rate is written down
/// once a minute.
fn keep_refusal(work: &mut Work<'_>, caller: &Caller, refusal: &Refusal, place: &Place) -> Result<()> {
    let topic = match place {
        Place::Topic(topic) => Some(topic.standing.topic.id),
        Place::Unnamed | Place::Unknown(_) | Place::New(_) => None,
    };
    let entry = audit::refused(&caller.participant.id, refusal, topic);
    if matches!(refusal, Refusal::RateLimited { .. })
        && let Some(same) = &entry.same
        && let Some(kept_at) = work.tx.kept_at(caller.workspace, same)?
        && work.now.since(kept_at) < FLOOD
    {
        return Ok(());
    }
    Ok(work.keep(caller.workspace, &entry)?)
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
