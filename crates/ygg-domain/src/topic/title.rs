//! Titles: who owes one, who may change one, and what may stand as one [T2].

use crate::key::contains_key;
use crate::limits;
use crate::participant::{Participant, Right};
use crate::refusal::Refusal;
use crate::render::{hides, reorders};
use crate::topic::{Status, Topic};

/// Why a title does not do, in words; `None` when it does.
pub fn problem(title: &str) -> Option<&'static str> {
    if title.chars().all(|c| c.is_whitespace() || hides(c)) {
        return Some("it must not be empty");
    }
    if title.chars().count() > limits::TITLE_CHARS {
        return Some("at most 120 characters");
    }
    if title.chars().any(char::is_control) {
        return Some("one line, without control characters");
    }
    if contains_key(title) {
        return Some("it contains a Ygg key: take it out, and have that key revoked");
    }
    title
        .chars()
        .any(reorders)
        .then_some("without characters that turn the direction of text or break the line")
}

/// A person's new title for a topic that they may write in.
pub fn retitle(topic: &Topic, by: &Participant, may_write: bool, title: &str) -> Result<(), Refusal> {
    if !by.id.is_person() || !by.may(Right::Write) || !may_write {
        return Err(Refusal::Forbidden { needs: "retitling needs a person who may write here" });
    }
    if topic.status == Status::Closed {
        return Err(Refusal::TopicClosed { topic: topic.id });
    }
    problem(title).map_or(Ok(()), |problem| Err(Refusal::TitleRequired { problem: Some(problem) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_short_visible_line() {
        for good in ["T", "Review the patch", "Ревью", "👩\u{200d}💻 setup", &"é".repeat(120)] {
            assert_eq!(problem(good), None, "{good:?}");
        }
        for bad in
            ["", "  ", "\u{200b}\u{200d}", "two\nlines", "a\0b", &"x".repeat(121), "a\u{202e}b", "a\u{2028}b"]
        {
            assert!(problem(bad).is_some(), "{bad:?}");
        }
    }
}
