//! Loops: the same text again, or the same two agents back and forth [L1-L3]. A suspicion refuses nothing; the request
//! is delivered as context.

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use sha2::{Digest, Sha256};

/// What two texts that say the same have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark(pub i64);

impl Mark {
    /// Of a text in NFKC, its case folded, punctuation and white space collapsed, digits kept [L1].
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(normal(text).as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self(i64::from_be_bytes(first))
    }
}

fn normal(text: &str) -> String {
    if text.is_ascii() {
        // Most texts, and the same as below for them.
        let collapsed = collapse_ascii(text);
        return if collapsed.is_empty() { text.to_owned() } else { collapsed };
    }
    let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let folded = CaseMapper::new().fold_string(&composed);
    let folded = ComposingNormalizerBorrowed::new_nfkc().normalize(&folded).into_owned();
    let collapsed = collapse(&folded);
    // Nothing but punctuation says something too.
    if collapsed.is_empty() { folded } else { collapsed }
}

fn collapse_ascii(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed.make_ascii_lowercase();
    collapsed
}

fn collapse(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if is_between_words(c) {
            gap = !words.is_empty();
        } else {
            if std::mem::take(&mut gap) {
                words.push(' ');
            }
            words.push(c);
        }
    }
    words
}

fn is_between_words(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_alphanumeric();
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let between = GeneralCategoryGroup::Punctuation
        .union(GeneralCategoryGroup::Separator)
        .union(GeneralCategoryGroup::Other);
    between.contains(category)
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
    if signs.repeats > 0 {
        Some("L1")
    } else if signs.volley >= rounds {
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
