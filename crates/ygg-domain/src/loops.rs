//! Loops: the same text again, or the same two agents back and forth [L1-L3]. A suspicion refuses nothing; the request
//! is delivered as context.

use sha2::{Digest, Sha256};

use crate::fault::{Fault, planted};
use crate::{limits, words};

/// What two texts that say the same have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark(pub i64);

impl Mark {
    /// Of a text in NFKC, its case folded, punctuation and white space collapsed, digits kept [L1].
    pub fn of(text: &str) -> Self {
        Self::of_words(text, &words::of(text))
    }

    /// The same, of one whose words are known.
    pub fn of_words(text: &str, words: &str) -> Self {
        let digest = match words {
            "" if text.is_ascii() => Sha256::digest(text.as_bytes()),
            // Nothing but punctuation says something too.
            "" => Sha256::digest(words::folded(text).as_bytes()),
            // They swelled so much that some may have been left out: what it says is compared as it is, too.
            words if words.len() > limits::MESSAGE_TEXT_BYTES => {
                Sha256::new_with_prefix(words).chain_update(text).finalize()
            }
            words => Sha256::digest(words.as_bytes()),
        };
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self(i64::from_be_bytes(first))
    }
}

/// What speaks for a loop between a sender and one recipient, as the rows tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signs {
    /// How many of the sender's last texts to that recipient here, and of those of the last hour anywhere, have the same
    /// mark; none of them from before a person last wrote here.
    pub repeats: u32,
    /// Waking messages between the two at the end of the topic, with no person and no third agent in between.
    pub volley: u32,
}

/// The rule that suspects a loop of one more request, if one does.
pub fn suspects(signs: Signs, rounds: u32) -> Option<&'static str> {
    if signs.repeats > 0 && !planted(Fault::SameTextUnseen) {
        Some("L1")
    } else if signs.volley >= rounds && !planted(Fault::RoundsUncounted) {
        Some("L2")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_have_one_mark_and_other_digits_another() {
        for (one, other) in [
            ("Please confirm!", "please   CONFIRM"),
            ("Build 41 failed: look", "build 41, FAILED! look."),
            ("STRASSE ﬁn", "straße fin"),
            ("Ａ １", "a 1"),
            ("e\u{301}té", "été"),
            ("\u{feff}ok…", "OK"),
        ] {
            assert_eq!(Mark::of(one), Mark::of(other), "{one:?} {other:?}");
        }
        let swelling = "\u{fdfa}".repeat(80_000);
        let (cut, other) = (Mark::of(&format!("{swelling}41")), Mark::of(&format!("{swelling}42")));
        assert_ne!(cut, other, "what was left out counts");
        for (one, other) in [("Build 41", "Build 42"), ("?", "!"), ("👍", "🎉"), ("no w", "now"), ("", "?")]
        {
            assert_ne!(Mark::of(one), Mark::of(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_volley_is_a_loop_beyond_the_rounds_alone() {
        assert_eq!(suspects(Signs { repeats: 0, volley: 5 }, 6), None);
        assert_eq!(suspects(Signs { repeats: 0, volley: 6 }, 6), Some("L2"));
        assert_eq!(suspects(Signs { repeats: 1, volley: 0 }, 6), Some("L1"));
    }
}
