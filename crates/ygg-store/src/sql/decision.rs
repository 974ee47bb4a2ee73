//! The kept form of a decision: a JSON array for each rule that fired, of its id, what it did and the facts that it used.
//! Written straight to text: every send makes one.

use std::fmt::Write;

use ygg_domain::message::Fired;
use ygg_domain::message::fired::Part;

use crate::{Error, Result};

/// About what one rule takes.
const RULE_BYTES: usize = 48;

pub fn text(fired: &[Fired]) -> String {
    let mut out = String::with_capacity(2 + RULE_BYTES * fired.len());
    for (place, fired) in fired.iter().enumerate() {
        out.push_str(if place == 0 { "[[" } else { ",[" });
        let mut comma = "";
        fired.write(&mut |part| {
            out.push_str(std::mem::replace(&mut comma, ","));
            match part {
                Part::Plain(word) => {
                    let _ = write!(out, "\"{word}\"");
                }
                Part::Text(text) => out.push_str(&serde_json::Value::from(text).to_string()),
            }
        });
        out.push(']');
    }
    out.push_str(if fired.is_empty() { "[]" } else { "]" });
    out
}

pub fn read(text: &str) -> Result<Vec<Fired>> {
    let kept: Vec<Vec<String>> = serde_json::from_str(text).map_err(|_| Error::corrupt("decision", text))?;
    Ok(kept.iter().map(|words| Fired::read(words)).collect())
}

#[cfg(test)]
mod tests {
    use ygg_domain::message::Repair;
    use ygg_domain::name::ParticipantId;

    use super::*;

    #[test]
    fn a_decision_reads_back_whatever_was_written_in_the_draft() {
        let note = "dropped: \"x\",\n\\ \u{1}";
        let fired = vec![
            Fired::Repaired(Repair::new("M1", "fr\"om", note)),
            Fired::Informed { who: ParticipantId::person(7) },
            Fired::Titled {},
        ];
        let kept = text(&fired);
        assert_eq!(read(&kept).expect("it reads"), fired, "{kept}");
        assert!(kept.ends_with(r#"["M3","informed","human.7"],["T2","titled"]]"#), "{kept}");
        assert_eq!(read(&text(&[])).expect("it reads"), []);
    }

    #[test]
    fn what_was_kept_in_words_alone_is_shown_in_them() {
        let told = Fired::Told { rule: "C1".to_owned(), words: "3 credits".to_owned() };
        assert_eq!(read(r#"[["C1","3 credits"]]"#).expect("it reads"), [told]);
        assert!(read("nonsense").is_err());
    }
}
