//! Which characters show nothing, or turn the direction of what follows: by their Unicode properties, so that what
//! a later Unicode adds comes in with the library.

use icu_properties::props::{
    BidiControl, DefaultIgnorableCodePoint, Emoji, EmojiModifier, ExtendedPictographic, GeneralCategory,
    PrependedConcatenationMark,
};
use icu_properties::{CodePointMapData, CodePointSetData};

const JOINER: char = '\u{200d}';
const TEXT_STYLE: char = '\u{fe0e}';
const EMOJI_STYLE: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';

/// Characters that show nothing or turn the direction of what follows.
pub fn hides(c: char) -> bool {
    // All below are controls or seen, but for the soft hyphen.
    if c < '\u{300}' {
        return c == '\u{ad}';
    }
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || reorders(c)
        || is_blank(c)
        || is_format(c)
}

/// Those of them that turn the direction of text or break a line; joiners and the like have honest uses in a title.
pub fn reorders(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}') || CodePointSetData::new::<BidiControl>().contains(c)
}

/// Format characters; the marks that stand before numbers in Arabic, Syriac and Kaithi are of that category too, and
/// are seen.
fn is_format(c: char) -> bool {
    CodePointMapData::<GeneralCategory>::new().get(c) == GeneralCategory::Format
        && !CodePointSetData::new::<PrependedConcatenationMark>().contains(c)
}

/// Letters and symbols drawn as nothing, by no property of theirs but their charts: the empty Braille pattern, the
/// null note head, the blank hieroglyphs, the filler of the Khitan script, and the code points that are none.
fn is_blank(c: char) -> bool {
    matches!(c, '\u{2800}' | '\u{1d159}' | '\u{13441}' | '\u{13442}' | '\u{16fe4}' | '\u{fdd0}'..='\u{fdef}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Whether a hiding character does its one honest work here, between these two neighbours: choosing how the emoji
/// before it is drawn, or joining two emoji to one. One stands alone each time, so nothing is written in them.
pub fn draws_emoji(before: &[char], c: char, after: Option<char>) -> bool {
    let Some(last) = before.last() else { return false };
    match c {
        EMOJI_STYLE if last.is_ascii() => is_emoji(*last) && after == Some(KEYCAP),
        EMOJI_STYLE | TEXT_STYLE => !last.is_ascii() && is_emoji(*last),
        JOINER => {
            let base = match before {
                [.., base, last] if *last == EMOJI_STYLE || is_skin(*last) => *base,
                _ => *last,
            };
            is_picture(base) && after.is_some_and(is_picture)
        }
        _ => false,
    }
}

fn is_emoji(c: char) -> bool {
    CodePointSetData::new::<Emoji>().contains(c)
}

fn is_skin(c: char) -> bool {
    CodePointSetData::new::<EmojiModifier>().contains(c)
}

fn is_picture(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_nothing_hides() {
        let ranges = [
            '\u{ad}'..='\u{ad}',
            '\u{34f}'..='\u{34f}',
            '\u{61c}'..='\u{61c}',
            '\u{115f}'..='\u{1160}',
            '\u{17b4}'..='\u{17b5}',
            '\u{180b}'..='\u{180f}',
            '\u{200b}'..='\u{200f}',
            '\u{2028}'..='\u{202e}',
            '\u{2060}'..='\u{206f}',
            '\u{2800}'..='\u{2800}',
            '\u{3164}'..='\u{3164}',
            '\u{fe00}'..='\u{fe0f}',
            '\u{feff}'..='\u{feff}',
            '\u{ffa0}'..='\u{ffa0}',
            '\u{fff0}'..='\u{fffb}',
            '\u{13430}'..='\u{1343f}',
            '\u{1bca0}'..='\u{1bca3}',
            '\u{1d173}'..='\u{1d17a}',
            '\u{e0000}'..='\u{e0fff}',
            '\u{fffe}'..='\u{ffff}',
        ];
        for c in ranges.into_iter().flatten() {
            assert!(hides(c), "{}", c.escape_unicode());
        }
    }

    #[test]
    fn what_is_read_does_not_hide() {
        for c in "aé日本語ابجد\u{600}\u{6dd}שלוםहिन्दी😀👩🏽❤\u{301}\u{a0}\u{3000}\u{20e3}".chars()
        {
            assert!(!hides(c), "{}", c.escape_unicode());
        }
    }
}
