//! The words of a text, folded so that what reads the same is the same: loops are told by them and texts are found by
//! them, on every store alike [L1].

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// The words in their order, a space between two: NFKC, case folded; punctuation, white space and what shows nothing
/// stand between words. Empty where there is none.
pub fn of(text: &str) -> String {
    if text.is_ascii() {
        // Most texts, and the same as below for them.
        return of_ascii(text);
    }
    collapse(&folded(text))
}

/// The text in NFKC, its case folded.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    let composed = normalizer.normalize(text);
    let folded = CaseMapper::new().fold_string(&composed);
    normalizer.normalize(&folded).into_owned()
}

fn of_ascii(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words.make_ascii_lowercase();
    words
}

fn collapse(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if is_between(c) {
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

/// Whether a character belongs to no word.
pub fn is_between(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_alphanumeric();
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let between = GeneralCategoryGroup::Punctuation
        .union(GeneralCategoryGroup::Separator)
        .union(GeneralCategoryGroup::Other);
    between.contains(category)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_is_read_as_such() {
        for (text, words) in [
            ("", ""),
            ("  ?! ", ""),
            ("Build 41 failed: look", "build 41 failed look"),
            ("STRASSE ﬁn", "strasse fin"),
            ("straße", "strasse"),
            ("Ａ．１", "a 1"),
            ("E\u{301}té\u{200b}et", "été et"),
            ("snake_case-and.dots", "snake case and dots"),
            ("👍 ok", "👍 ok"),
            ("हिन्दी", "हिन्दी"),
        ] {
            assert_eq!(of(text), words, "{text:?}");
        }
    }
}
