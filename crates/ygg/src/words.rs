//! The server's answers in words: receipts, effects, credits. For commands and for the demonstration alike.

use ygg_domain::render::counted;
use ygg_wire::receipt::{Receipt, Recipient, TopicAfter};

use crate::names::Names;
use crate::output::{BOLD, DIM, NAME, one_line};

/// An instant in the reader's own time zone; what does not read as one is shown as it came.
pub fn local(at: &str) -> String {
    in_zone(at, jiff::tz::TimeZone::system())
}

fn in_zone(at: &str, zone: jiff::tz::TimeZone) -> String {
    match at.parse::<jiff::Timestamp>() {
        Ok(instant) => instant.to_zoned_datetime(zone).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => one_line(at),
    }
}

/// A receipt over several lines.
pub fn receipt(receipt: &Receipt, names: &Names) -> String {
    let again = if receipt.duplicate { " before; nothing was done again" } else { "" };
    let mut out = match receipt.outcome.as_str() {
        "absorbed" => format!("{BOLD}Taken note of{BOLD:#}{again}: it went to nobody and cost nothing.\n"),
        outcome => format!("{BOLD}{}{BOLD:#}{again}", capital(outcome)),
    };
    if let (Some(message), Some(topic)) = (&receipt.message_id, &receipt.topic_id) {
        out.push_str(&format!(" {message} in {topic}.\n"));
    } else if !out.ends_with('\n') {
        out.push_str(".\n");
    }
    for recipient in &receipt.recipients {
        out.push_str(&format!("  {}\n", effect(recipient, names)));
    }
    for note in &receipt.notes {
        out.push_str(&format!(
            "  {DIM}note on {}: {}{DIM:#}\n",
            flags(&one_line(&note.field)),
            flags(&one_line(&note.note))
        ));
    }
    let after: Vec<String> =
        price(receipt).into_iter().chain(receipt.topic.as_ref().map(|after| topic(after, names))).collect();
    if !after.is_empty() {
        out.push_str(&format!("  {}\n", after.join("; ")));
    }
    out
}

/// What a message did at one recipient.
pub fn effect(recipient: &Recipient, names: &Names) -> String {
    let Recipient { id, effect, reason } = recipient;
    let what = match (effect.as_str(), reason.as_deref()) {
        ("wake", _) => "is woken".to_owned(),
        ("notify", _) => "is notified".to_owned(),
        ("held", _) => "gets it once a person has agreed".to_owned(),
        (_, Some(reason)) => format!("gets it as context ({}: {reason})", why(reason)),
        (other, None) => other.to_owned(),
    };
    format!("{NAME}{}{NAME:#} {what}", names.show(id))
}

/// Why something is context.
fn why(reason: &str) -> &'static str {
    match reason {
        "context_inform" => "an inform wakes nobody",
        "recipient_done" => "it said it is done here",
        "topic_paused" => "the topic waits for a person",
        "orphan_response" => "it answers no open request",
        "loop_suspected" => "it looks like a loop",
        "hop_limit" => "it is too far from what a person said",
        "wake_coalesced" => "it is woken here already",
        _ => "it wakes nobody",
    }
}

/// None for people, who pay nothing.
pub fn price(receipt: &Receipt) -> Option<String> {
    let balance = receipt.balance?;
    Some(format!("charged {}, {} left", credits(receipt.charged), balance))
}

pub fn credits(count: i64) -> String {
    counted(count, "credit")
}

pub fn topic(after: &TopicAfter, names: &Names) -> String {
    let states: Vec<String> =
        after.states.iter().map(|(who, state)| format!("{} {state}", names.show(who))).collect();
    match (after.status.as_str(), states.is_empty()) {
        ("closed", _) => "the topic is closed".to_owned(),
        (status, true) => format!("the topic is {status}"),
        (status, false) => format!("the topic is {status} ({})", states.join(", ")),
    }
}

/// The server's sentences, which name tools and fields of the tools, with the commands and options that do the same.
pub fn flags(text: &str) -> String {
    const SAME: [(&str, &str); 11] = [
        ("ygg_directory", "`ygg directory`"),
        ("ygg_me", "`ygg me`"),
        ("ygg_inbox", "`ygg inbox`"),
        ("ygg_send", "`ygg send`"),
        ("ygg_conversation", "`ygg conversation`"),
        ("ygg_tasks", "`ygg tasks`"),
        ("topic_id", "--topic"),
        ("conversation_id", "--conversation"),
        ("in_reply_to", "--in-reply-to"),
        ("waiting_for", "--waiting-for"),
        ("idempotency_key", "--key"),
    ];
    SAME.iter().fold(text.to_owned(), |text, (tool, command)| text.replace(tool, command))
}

fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_shown_in_the_readers_zone() {
        let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(in_zone("2026-01-01T23:30:00.250Z", zone.clone()), "2026-01-02 01:30:00");
        assert_eq!(in_zone("soon", zone), "soon");
    }

    #[test]
    fn what_the_server_says_of_tools_is_said_of_commands() {
        assert_eq!(flags("Name a topic: topic_id of the one."), "Name a topic: --topic of the one.");
        for tool in ygg_wire::tool::all() {
            assert!(!flags(&format!("{} lists it", tool.name)).contains("ygg_"), "{}", tool.name);
        }
    }

    #[test]
    fn every_effect_reads_as_a_sentence() {
        let of = |effect: &str, reason: Option<&str>| {
            let recipient =
                Recipient { id: "b".into(), effect: effect.into(), reason: reason.map(str::to_owned) };
            anstream::adapter::strip_str(&super::effect(&recipient, &Names::default())).to_string()
        };
        assert_eq!(of("wake", None), "b is woken");
        assert_eq!(of("notify", None), "b is notified");
        assert_eq!(
            of("context", Some("context_inform")),
            "b gets it as context (an inform wakes nobody: context_inform)"
        );
        assert_eq!(of("context", Some("new_one")), "b gets it as context (it wakes nobody: new_one)");
    }
}
