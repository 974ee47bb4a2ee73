//! What a client is told, held against what was committed: a receipt says what the log says, a no changes nothing, and who
//! asks again after the server died gets its one message and the batch that it was handed [M8, T1, C5, K5, U1].

use serde_json::Value;

use super::log::Entry;
use super::monitor::{Book, Wrong};
use super::perform::Came;
use super::step::{Act, Forged, Line, Step, Trouble, Who};

type Checked = Result<(), Wrong>;

pub fn check(step: &Step, came: &Came, news: &[Entry], book: &Book) -> Checked {
    let told = came.again.as_ref().unwrap_or(&came.told);
    match &step.act {
        Act::Send { by, line } => {
            if came.again.is_some() {
                once(line, came, news)?;
            } else if came.died.is_none() && told["duplicate"] == true && !news.is_empty() {
                return wrong("M8", "a send that was done before does something again");
            }
            if came.died.is_none() || came.again.is_some() {
                receipt(*by, line, told, news, book)?;
            }
            Ok(())
        }
        Act::Tell { .. } if told["outcome"] == "absorbed" => absorbed(news),
        Act::Read { .. } if came.again.is_some() => same_batch(told, news),
        _ => Ok(()),
    }
}

fn wrong(rule: &'static str, what: impl Into<String>) -> Checked {
    Err(Wrong { rule, what: what.into() })
}

fn ids(news: &[Entry]) -> Vec<&Value> {
    news.iter().filter(|entry| entry.posted.is_some()).map(|entry| &entry.data["message_id"]).collect()
}

/// Sent again under its key, it is there once.
fn once(line: &Line, came: &Came, news: &[Entry]) -> Checked {
    let (Some(again), Some(died)) = (&came.again, came.died) else { return Ok(()) };
    if line.forged.is_some() || again["outcome"] != "delivered" {
        return Ok(());
    }
    let (ids, told_before) = (ids(news), died == Trouble::LosesAnswer);
    if ids != [&again["message_id"]] || (again["duplicate"] == true) != told_before {
        return wrong(
            "M8",
            format!("sent again, it is told of {}; posted were {ids:?}", again["message_id"]),
        );
    }
    Ok(())
}

fn receipt(by: Who, line: &Line, told: &Value, news: &[Entry], book: &Book) -> Checked {
    match told["outcome"].as_str() {
        Some("delivered") if told["duplicate"] == false => delivered(by, told, news, book),
        Some("absorbed") => absorbed(news),
        Some("refused") => refused(by, line, told, news, book),
        _ => Ok(()),
    }
}

fn delivered(by: Who, told: &Value, news: &[Entry], book: &Book) -> Checked {
    let posted = news.iter().find(|entry| entry.data["message_id"] == told["message_id"]);
    let Some(posted) = posted.and_then(|entry| entry.posted.as_deref()) else {
        return wrong("M8", format!("{} is told of and was not posted", told["message_id"]));
    };
    if told["charged"] != posted.charged {
        return wrong("C5", format!("{} credits are told, and {} taken", told["charged"], posted.charged));
    }
    let listed = told["recipients"].as_array().into_iter().flatten();
    let mut listed: Vec<(&Value, &Value)> = listed.map(|one| (&one["id"], &one["effect"])).collect();
    listed
        .retain(|(id, effect)| !posted.recipients.iter().any(|one| *id == &one.id && *effect == one.effect));
    if !listed.is_empty() || told["recipients"].as_array().map(Vec::len) != Some(posted.recipients.len()) {
        return wrong("K5a", format!("{} tells of {}", told["message_id"], told["recipients"]));
    }
    if told["balance"].is_null() || told["balance"] == pot(by, book) {
        return Ok(());
    }
    wrong("C5", format!("{} credits are told to be left, and {} are", told["balance"], pot(by, book)))
}

/// What is in the pot that pays for it.
fn pot(by: Who, book: &Book) -> i64 {
    let own = format!("wallet:{by}");
    book.pots.get(&own).or_else(|| book.pots.get("pool")).copied().unwrap_or(0)
}

/// A word to the backend costs nothing and is no message.
fn absorbed(news: &[Entry]) -> Checked {
    let does = news.iter().find(|entry| entry.posted.is_some() || entry.kind == "credits.moved");
    match does {
        Some(does) => wrong("K5", format!("a word to the backend makes {} {}", does.kind, does.data)),
        None => Ok(()),
    }
}

/// It changes nothing, but for the credit that no topic costs, and the pause of one who lacks credits.
fn refused(by: Who, line: &Line, told: &Value, news: &[Entry], book: &Book) -> Checked {
    let may = |entry: &Entry| match entry.kind.as_str() {
        "credits.moved" => entry.data["reason"] == "no_topic" && told["reason"] == "topic_required",
        "credits.short" | "topic.marked" | "notice.given" => told["reason"] == "credits_exhausted",
        _ => false,
    };
    if let Some(does) = news.iter().find(|entry| !may(entry)) {
        return wrong("C5", format!("a send is refused ({}) and makes {}", told["reason"], does.kind));
    }
    let charges = told["reason"] == "topic_required" && matches!(by, Who::Agent(_));
    if !charges || line.forged == Some(Forged::OldKey) {
        return Ok(());
    }
    let times = news.iter().filter(|entry| entry.kind == "credits.moved").count();
    if times > 1 || times == 0 && pot(by, book) > 0 {
        return wrong("T1", format!("no topic is paid for {times} times"));
    }
    Ok(())
}

fn same_batch(told: &Value, news: &[Entry]) -> Checked {
    let handed = news.iter().filter(|entry| entry.kind == "delivery.handed");
    let mut handed: Vec<&str> = handed
        .flat_map(|entry| entry.data["message_ids"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    let items = ["wakes", "context"].iter().flat_map(|part| told[part].as_array().into_iter().flatten());
    let mut again: Vec<&str> = items.filter_map(|item| item["message_id"].as_str()).collect();
    handed.sort_unstable();
    again.sort_unstable();
    again.retain(|id| handed.contains(id));
    if again != handed {
        return wrong("U1", format!("{handed:?} were handed, and {again:?} are told again"));
    }
    Ok(())
}
