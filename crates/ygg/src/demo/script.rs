//! What is played, and what must come of it: one piece of work from its request to its end, then every refusal.

use serde_json::{Map, Value, json};
use ygg_wire::receipt::Receipt;

use crate::demo::cast::{Agent, Answer};
use crate::demo::stage::{Cast, POOL};
use crate::demo::transcript::Transcript;
use crate::failure::{Failure, Outcome};

/// What a send must come to.
enum Expected<'a> {
    Delivered { effect: (&'a str, &'a str), topic: &'a str },
    Refused { reason: &'a str, charged: i64 },
}
use Expected::{Delivered, Refused};

pub async fn play(cast: &mut Cast, told: &Transcript) -> Outcome {
    told.scene("One piece of work: asked, answered, finished")?;
    let mut balance = POOL;
    let topic = work(cast, told, &mut balance).await?;
    told.scene("What is refused, and what the sender is told")?;
    refusals(cast, told, &mut balance, &topic).await?;
    check(balance >= 0, "the pool never goes below nothing", balance)
}

/// Plays the work through; returns its topic, closed.
async fn work(cast: &mut Cast, told: &Transcript, balance: &mut i64) -> Outcome<String> {
    let there = look(&mut cast.codex, "ygg_directory").await?;
    let agents: Vec<&str> =
        there["agents"].as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()).collect();
    check(agents == ["codex", "reviewer"], "the directory lists both agents", &there)?;
    told.looks("codex", "looks who is there", "@ana, codex and reviewer", &there)?;

    let ask = json!({
        "to": "reviewer", "type": "request", "topic_id": "new", "title": "Check the session refresh",
        "text": "I moved the token refresh into session.rs. Can two requests refresh at the same time?",
        "state": "waiting", "waiting_for": "reviewer",
    });
    let woken = Delivered { effect: ("reviewer", "wake"), topic: "open" };
    let asked = send(&mut cast.codex, told, ask, balance, &woken).await?;
    let (topic, request) = (named(&asked.topic_id)?, named(&asked.message_id)?);
    let waiting = asked.topic.as_ref().is_some_and(|after| {
        after.states.get("codex").is_some_and(|state| state == "waiting")
            && after.states.get("reviewer").is_some_and(|state| state == "working")
    });
    check(waiting, "codex waits and reviewer works", &asked)?;
    wake(&mut cast.reviewer, told, "request", "codex", &request).await?;

    let answer = json!({
        "to": "codex", "type": "response", "topic_id": topic, "in_reply_to": request,
        "text": "Yes: nothing holds the second one back. Take a lock around the refresh and look at the expiry again.",
        "state": "done",
    });
    let woken = Delivered { effect: ("codex", "wake"), topic: "open" };
    let answered = send(&mut cast.reviewer, told, answer, balance, &woken).await?;
    wake(&mut cast.codex, told, "response", "reviewer", &named(&answered.message_id)?).await?;

    let finish = json!({
        "to": "conversation", "type": "inform", "topic_id": topic,
        "text": "There is a lock now, and a test with two requests at once.", "state": "done",
    });
    let closed = Delivered { effect: ("reviewer", "context:context_inform"), topic: "closed" };
    send(&mut cast.codex, told, finish, balance, &closed).await?;

    let seen = cast.ana.topic(&topic).await?;
    let done = seen.status == "closed" && seen.states.values().all(|state| state == "done");
    check(done, "everybody is done and the topic is closed", &seen)?;
    told.looks("ana", "looks at the topic, through the API", "closed: codex done, reviewer done", &seen)?;
    Ok(topic)
}

async fn refusals(cast: &mut Cast, told: &Transcript, balance: &mut i64, closed: &str) -> Outcome {
    let homeless = json!({"to": "reviewer", "type": "request", "text": "Could you look at one more thing?"});
    let no = Refused { reason: "topic_required", charged: 1 };
    send(&mut cast.codex, told, homeless, balance, &no).await?;
    told.aside(
        "Leaving the topic out is the one refusal that costs something, 1 credit; all others are free.",
    )?;

    let untitled = json!({"to": "reviewer", "type": "request", "topic_id": "new", "text": "Could you look at one more thing?"});
    let no = Refused { reason: "title_required", charged: 0 };
    send(&mut cast.codex, told, untitled, balance, &no).await?;

    let nobody = json!({
        "to": "rewiever", "type": "request", "topic_id": "new", "title": "One more thing", "text": "Is this you?",
    });
    let no = Refused { reason: "unknown_recipient", charged: 0 };
    send(&mut cast.codex, told, nobody, balance, &no).await?;

    let late =
        json!({"to": "codex", "type": "inform", "topic_id": closed, "text": "One more thought on this."});
    let no = Refused { reason: "topic_closed", charged: 0 };
    send(&mut cast.reviewer, told, late, balance, &no).await?;

    let mut open = String::new();
    for (title, text) in [
        ("Name the error codes", "I am giving each of them a name."),
        ("Shorten the log lines", "They get one line each."),
        ("Drop the old flag", "Nobody sets it any more."),
    ] {
        let draft =
            json!({"to": "reviewer", "type": "inform", "topic_id": "new", "title": title, "text": text});
        let context = Delivered { effect: ("reviewer", "context:context_inform"), topic: "open" };
        open = named(&send(&mut cast.codex, told, draft, balance, &context).await?.topic_id)?;
    }
    let fourth = json!({
        "to": "reviewer", "type": "inform", "topic_id": "new", "title": "And a fourth", "text": "I would like to begin this as well.",
    });
    let no = Refused { reason: "topic_limit", charged: 0 };
    send(&mut cast.codex, told, fourth, balance, &no).await?;

    // From here on codex pays by itself, and the pool stands still.
    let funded = cast.ana.grant("codex", 1).await?;
    check(funded.pot == "wallet:codex" && funded.balance == 1, "codex has a wallet with 1 credit", &funded)?;
    told.looks("ana", "gives codex a wallet of its own", "1 credit in it", &funded)?;
    let long = format!("What I found out so far: {}", "the session outlives the token, ".repeat(32));
    let dear = json!({"to": "reviewer", "type": "inform", "topic_id": open, "text": long});
    let mut wallet = 1;
    let no = Refused { reason: "credits_exhausted", charged: 0 };
    send(&mut cast.codex, told, dear, &mut wallet, &no).await?;
    let held = cast.ana.credits().await?;
    check(
        held.pool == *balance && held.wallets.get("codex") == Some(&1),
        "the pots hold what was told",
        &held,
    )
}

/// One send by an agent, shown and checked: what it did, what it cost, what is left.
async fn send(
    agent: &mut Agent,
    told: &Transcript,
    draft: Value,
    balance: &mut i64,
    expected: &Expected<'_>,
) -> Outcome<Receipt> {
    let Value::Object(arguments) = draft else { return Err(wrong("a draft is an object", &draft)) };
    let Answer { is_error, data } = agent.call("ygg_send", arguments.clone()).await?;
    let receipt: Receipt =
        serde_json::from_value(data.clone()).map_err(|_| wrong("ygg_send gives a receipt back", &data))?;
    told.sends(agent.id, &arguments, &receipt)?;
    let charged = match expected {
        Delivered { effect: (recipient, effect), topic } => {
            check(!is_error && receipt.outcome == "delivered", "it is delivered", &data)?;
            let met: Vec<(String, String)> = receipt
                .recipients
                .iter()
                .map(|one| {
                    let reason = one.reason.as_ref().map(|reason| format!(":{reason}")).unwrap_or_default();
                    (one.id.clone(), format!("{}{reason}", one.effect))
                })
                .collect();
            check(
                met == [((*recipient).to_owned(), (*effect).to_owned())],
                "it reaches whom it should, as it should",
                &data,
            )?;
            check(
                receipt.topic.as_ref().is_some_and(|after| after.status == *topic),
                "the topic is as it should be",
                &data,
            )?;
            1
        }
        Refused { reason, charged } => {
            check(is_error && receipt.outcome == "refused", "it is refused", &data)?;
            check(receipt.reason.as_deref() == Some(*reason), "it is refused for the right reason", &data)?;
            check(
                receipt.help.as_deref().is_some_and(|help| !help.is_empty()),
                "the refusal says what to do",
                &data,
            )?;
            *charged
        }
    };
    *balance -= charged;
    check(receipt.charged == charged && receipt.balance == Some(*balance), "it costs what it should", &data)?;
    Ok(receipt)
}

/// An agent reads its inbox, and finds the one wake that it should.
async fn wake(agent: &mut Agent, told: &Transcript, kind: &str, from: &str, message: &str) -> Outcome {
    let inbox = look(agent, "ygg_inbox").await?;
    let wakes = inbox["wakes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let [only] = wakes else { return Err(wrong("exactly one wake waits", &inbox)) };
    let right = only["kind"] == kind && only["from"] == from && only["message_id"] == message;
    check(right, "the wake is the one that was sent", &inbox)?;
    told.looks(agent.id, "is woken and reads its inbox", &format!("the {kind} of {from}"), &inbox)
}

/// A call without arguments that must succeed.
async fn look(agent: &mut Agent, tool: &str) -> Outcome<Value> {
    let Answer { is_error, data } = agent.call(tool, Map::new()).await?;
    check(!is_error, "reading works", &data)?;
    Ok(data)
}

fn named(id: &Option<String>) -> Outcome<String> {
    id.clone().ok_or_else(|| wrong("a receipt names what it is about", "nothing"))
}

fn check(right: bool, rule: &str, seen: impl serde::Serialize) -> Outcome {
    if right { Ok(()) } else { Err(wrong(rule, seen)) }
}

fn wrong(rule: &str, seen: impl serde::Serialize) -> Failure {
    let seen = serde_json::to_string(&seen).unwrap_or_default();
    Failure::Failed(format!("this is not as it must be: {rule}. Seen: {seen}"))
}
