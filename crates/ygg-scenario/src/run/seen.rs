//! From the shapes on the wire to the words of a scenario file.

use serde_json::{Map, Value, json};
use ygg_wire::Receipt;
use ygg_wire::inbox::{Inbox, InboxItem};
use ygg_wire::topic::TopicView;

use super::bound::Bound;
use super::cast::Cast;
use crate::compare::Seen;
use crate::scenario::ExpectKey as K;

/// `{id: wake | notify | context:<reason> | held}`, what it cost, and the rest of a receipt.
pub fn receipt(receipt: &Receipt, cast: &Cast) -> Seen {
    let effects = receipt.recipients.iter().map(|recipient| {
        let effect = match &recipient.reason {
            Some(reason) => format!("{}:{reason}", recipient.effect),
            None => recipient.effect.clone(),
        };
        (cast.shown(&recipient.id), Value::from(effect))
    });
    let fields: Vec<&str> = receipt.notes.iter().map(|note| note.field.as_str()).collect();
    let refused = (receipt.outcome == "refused").then(|| {
        let reason = receipt.reason.as_deref().unwrap_or_default();
        Seen::refused(reason, receipt.help.as_deref().unwrap_or_default())
    });
    refused
        .unwrap_or_else(|| {
            Seen::default()
                .with(K::Outcome, receipt.outcome.as_str())
                .with(K::Reason, receipt.reason.clone().map_or(Value::Null, Value::from))
        })
        .with(K::Charged, receipt.charged)
        .with(K::Balance, receipt.balance.map_or(Value::Null, Value::from))
        .with(K::Effects, Value::Object(effects.collect::<Map<_, _>>()))
        .with(K::NotesAbout, fields)
        .with(K::Duplicate, receipt.duplicate)
}

pub fn inbox(inbox: Inbox, cast: &Cast, bound: &Bound) -> Seen {
    handed(&inbox.wakes, &inbox.context, cast, bound).with_prompt(inbox.text)
}

/// What a supervised turn was handed.
pub fn handed(wakes: &[InboxItem], context: &[InboxItem], cast: &Cast, bound: &Bound) -> Seen {
    let wakes: Vec<Value> = wakes.iter().map(|item| entry(item, "kind", cast, bound)).collect();
    let context: Vec<Value> = context.iter().map(|item| entry(item, "reason", cast, bound)).collect();
    done().with(K::Wakes, wakes).with(K::Context, context)
}

pub fn nothing_handed(prompt: String) -> Seen {
    let nothing = || Value::Array(Vec::new());
    done().with(K::Wakes, nothing()).with(K::Context, nothing()).with(K::Told, nothing()).with_prompt(prompt)
}

/// `why` is what the file calls the reason for its being here.
fn entry(item: &InboxItem, why: &str, cast: &Cast, bound: &Bound) -> Value {
    let mut entry = json!({ why: item.kind, "from": cast.shown(&item.from), "trust": item.trust });
    if let Some(message) = &item.message_id {
        entry["message"] = Value::from(bound.shown(message));
    }
    entry
}

pub fn topic(topic: &TopicView, cast: &Cast) -> Seen {
    let states = topic.states.iter().map(|(id, state)| (cast.shown(id), Value::from(state.as_str())));
    let word = |word: &Option<String>| word.clone().map_or(Value::Null, Value::from);
    Seen::default()
        .with(K::Status, topic.status.as_str())
        .with(K::PausedFor, word(&topic.paused_for))
        .with(K::States, Value::Object(states.collect::<Map<_, _>>()))
        .with(K::Stalled, topic.stalled)
        .with(K::Looped, topic.looped)
        .with(K::ClosedAt, word(&topic.closed_at))
}

/// Of what is no send: it was done.
pub fn done() -> Seen {
    Seen::default().with(K::Outcome, "delivered")
}
