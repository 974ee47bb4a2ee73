//! `ygg_send`: one message, and in words what became of it at each recipient [K5a].

use std::fmt::Write;

use rmcp::model::JsonObject;
use serde_json::Value;
use ygg_domain::message::ContextReason;
use ygg_domain::render::counted;
use ygg_engine::{Caller, Engine};
use ygg_wire::Receipt;
use ygg_wire::receipt::Recipient;

use crate::answer::{Answer, denied, done};
use crate::render::{facts, joined};

pub async fn send(engine: &Engine, caller: &Caller, draft: JsonObject) -> Answer {
    let receipt = engine.send(caller, Value::Object(draft)).await?;
    Ok(match receipt.outcome.as_str() {
        "refused" => denied(refusal(&receipt), &receipt),
        _ => done(told(&receipt), &receipt),
    })
}

fn refusal(receipt: &Receipt) -> String {
    let help = receipt.help.as_deref().unwrap_or("The message was refused.");
    let reason = receipt.reason.as_deref().unwrap_or("refused");
    let mut out = format!("{help} (reason: {reason})\nNothing was sent.");
    if receipt.charged > 0 {
        let _ = write!(out, " {} taken.", was(receipt.charged));
    }
    facts(&mut out, &receipt.facts, receipt.who_can_lift.as_deref(), receipt.retry_after);
    out.push('\n');
    notes(&mut out, receipt);
    out
}

fn told(receipt: &Receipt) -> String {
    let mut out = String::new();
    if receipt.duplicate {
        out.push_str(
            "This was sent before under the same idempotency_key. Nothing was done again; the first time:\n",
        );
    }
    let topic = receipt.topic_id.as_deref().unwrap_or("none");
    match receipt.outcome.as_str() {
        "absorbed" => out.push_str(
            "Taken in by system.ygg, which needs no answers: nothing was delivered and nothing charged.\n",
        ),
        "held" => {
            let questions = joined(&receipt.question_ids);
            let _ = writeln!(
                out,
                "Held, not sent yet: people were asked whether you may write there ({questions}). You will be \
                 told; do not send it again."
            );
        }
        _ => {
            let message = receipt.message_id.as_deref().unwrap_or("none");
            let conversation = receipt.conversation_id.as_deref().unwrap_or("none");
            let _ = writeln!(out, "Stored as {message} in topic {topic} of {conversation}.");
        }
    }
    recipients(&mut out, &receipt.recipients);
    notes(&mut out, receipt);
    if let Some(after) = &receipt.topic {
        let status = match after.status.as_str() {
            "closed" => "closed: everybody is done, nothing can be written there any more",
            "paused" => "paused: a person is needed, and until then nothing in it wakes an agent",
            _ => "open",
        };
        let states: Vec<String> = after.states.iter().map(|(id, state)| format!("{id} {state}")).collect();
        let _ = writeln!(out, "Topic {topic} is {status}. States: {}.", joined(&states));
    }
    if let Some(balance) = receipt.balance {
        let _ = writeln!(out, "{} taken; {} left.", was(receipt.charged), counted(balance, "credit"));
    }
    out
}

/// `1 credit was`, `2 credits were`.
fn was(credits: i64) -> String {
    let verb = if credits == 1 { "was" } else { "were" };
    format!("{} {verb}", counted(credits, "credit"))
}

/// Effect and reason.
type Way<'a> = (&'a str, Option<&'a str>);

/// One line for all whom the message meets in the same way.
fn recipients(out: &mut String, recipients: &[Recipient]) {
    let mut met: Vec<(Way<'_>, Vec<&str>)> = Vec::new();
    for recipient in recipients {
        let way = (recipient.effect.as_str(), recipient.reason.as_deref());
        match met.iter_mut().find(|(known, _)| *known == way) {
            Some((_, ids)) => ids.push(&recipient.id),
            None => met.push((way, vec![&recipient.id])),
        }
    }
    for ((effect, reason), ids) in &met {
        let ids = joined(ids);
        let _ = match *effect {
            "wake" => writeln!(out, "Woken: {ids}."),
            "notify" => writeln!(out, "Notified, being people: {ids}."),
            "held" => writeln!(out, "Held back from: {ids}."),
            _ => writeln!(out, "Not woken, it only waits to be read: {ids}. {}", why(*reason)),
        };
    }
    let answered = |way: &Way<'_>| way.0 == "wake" || way.1 == Some("wake_coalesced");
    if met.iter().any(|(way, _)| answered(way)) {
        out.push_str(
            "An answer, if there is one, comes to you as a wake: there is nothing to wait for here.\n",
        );
    } else if met.iter().all(|(way, _)| way.0 == "context") && !met.is_empty() {
        out.push_str("Nobody was woken by this.\n");
    }
}

/// A reason in plain words.
fn why(reason: Option<&str>) -> &'static str {
    match reason.and_then(ContextReason::read) {
        Some(ContextReason::Inform) => "It asks nothing of them.",
        Some(ContextReason::RecipientDone) => {
            "They are done in this topic, and no agent can wake them there."
        }
        Some(ContextReason::TopicPaused) => "The topic is paused until a person writes in it.",
        Some(ContextReason::OrphanResponse) => {
            "It answers no open request of theirs: none was named, or it was answered before."
        }
        Some(ContextReason::LoopSuspected) => {
            "This looks like going in circles: say something new, finish, or let a person decide."
        }
        Some(ContextReason::HopLimit) => "This chain has gone too far from what a person said.",
        Some(ContextReason::WakeCoalesced) => {
            "They were woken here already and have not answered yet: they see this then, and owe you an answer."
        }
        None => "",
    }
}

fn notes(out: &mut String, receipt: &Receipt) {
    for note in &receipt.notes {
        let _ = writeln!(out, "Note on {}: {}.", note.field, note.note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(recipients: &[(&str, &str, Option<&str>)]) -> String {
        let recipients: Vec<Recipient> = recipients
            .iter()
            .map(|(id, effect, reason)| Recipient {
                id: (*id).to_owned(),
                effect: (*effect).to_owned(),
                reason: reason.map(str::to_owned),
            })
            .collect();
        let mut out = String::new();
        super::recipients(&mut out, &recipients);
        out
    }

    #[test]
    fn each_effect_has_a_sentence_of_its_own() {
        let mut told: Vec<String> = ContextReason::ALL
            .iter()
            .map(|reason| met(&[("a", "context", Some(reason.name()))]))
            .chain(["wake", "notify", "held"].map(|effect| met(&[("a", effect, None)])))
            .collect();
        told.sort();
        let all = told.len();
        told.dedup();
        assert_eq!(told.len(), all, "{told:#?}");
    }

    #[test]
    fn who_is_met_alike_is_named_together() {
        let told = met(&[("a", "wake", None), ("b", "context", Some("recipient_done")), ("c", "wake", None)]);
        assert!(told.contains("Woken: a, c."), "{told}");
        assert!(told.contains("read: b."), "{told}");
    }
}
