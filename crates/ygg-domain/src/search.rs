//! Search: under which words a text is found, and what a query asks for. Decided here, so that every store finds the
//! same; a query is words and never the language of a database.

use std::collections::HashSet;

use icu_properties::CodePointMapData;
use icu_properties::props::Script;

use crate::limits;
use crate::words;

/// What is looked for: texts with all of these words. In the order of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    pub whole: Vec<String>,
    /// The last word, which may go on.
    pub begins: Option<String>,
}

/// Letters from which on a last word may go on: fewer begin too much.
const BEGINNING_CHARS: usize = 2;

/// The words of a query, or what is wrong with it.
pub fn read(query: &str) -> Result<Sought, String> {
    let chars = query.chars().count();
    if chars > limits::SEARCH_QUERY_CHARS {
        let most = limits::SEARCH_QUERY_CHARS;
        return Err(format!("q has {chars} characters, and {most} are the most"));
    }
    let words = words::of(query);
    let mut whole: Vec<String> = words.split(' ').flat_map(|word| pieces(word, Side::Query)).collect();
    let Some(last) = whole.pop() else {
        return Err("q has no word in it: give at least one letter or digit".to_owned());
    };
    if whole.len() >= limits::SEARCH_QUERY_WORDS {
        return Err(format!("q has too many words: {} are the most", limits::SEARCH_QUERY_WORDS));
    }
    let goes_on = last.chars().count() >= BEGINNING_CHARS || last.chars().any(is_unspaced);
    let begins = match goes_on {
        true => Some(last),
        false => {
            whole.push(last);
            None
        }
    };
    let mut seen = HashSet::new();
    whole.retain(|word| seen.insert(word.clone()));
    Ok(Sought { whole, begins })
}

/// What a text is found by: words in their order, a space between two. `words` is `words::of` the text.
pub fn index(words: String) -> String {
    let mut each = words.as_bytes().split(|byte| *byte == b' ');
    if words.is_ascii() && each.all(|word| word.len() <= limits::SEARCH_WORD_CHARS) {
        // Most texts, and the same as below for them.
        return words;
    }
    let mut index = String::with_capacity(words.len());
    for piece in words.split(' ').flat_map(|word| pieces(word, Side::Text)) {
        if index.len() + piece.len() >= limits::SEARCH_WORDS_BYTES {
            break;
        }
        if !index.is_empty() {
            index.push(' ');
        }
        index.push_str(&piece);
    }
    index
}

impl Sought {
    /// Whether a text with this index is one.
    pub fn finds(&self, index: &str) -> bool {
        let words: HashSet<&str> = index.split(' ').collect();
        self.whole.iter().all(|word| words.contains(word.as_str()))
            && self.begins.as_ref().is_none_or(|begins| words.iter().any(|word| word.starts_with(begins)))
    }

    fn meets(&self, word: &str) -> bool {
        self.whole.iter().any(|sought| sought == word)
            || self.begins.as_ref().is_some_and(|begins| word.starts_with(begins.as_str()))
    }

    /// A short piece of the text, on one line, around the first of the words that stands in it.
    pub fn snippet(&self, text: &str) -> String {
        let at = spots(text).find(|(_, words)| words.split(' ').any(|word| self.meets(word)));
        let at = at.map_or(0, |(at, _)| at);
        let before = limits::SNIPPET_CHARS / 3;
        let start = text[..at].char_indices().rev().nth(before - 1).map_or(0, |(start, _)| start);
        let mut snippet = String::from(if start > 0 { "…" } else { "" });
        let mut rest = text[start..].chars();
        snippet.extend(
            rest.by_ref().take(limits::SNIPPET_CHARS).map(|c| if c.is_whitespace() { ' ' } else { c }),
        );
        if rest.next().is_some() {
            snippet.push('…');
        }
        snippet
    }
}

/// Whose words are cut into pieces: a text is found by the end of what is written without spaces too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Text,
    Query,
}

/// A word as it is found: itself, as far as a word goes. What is written without spaces between its words is found by
/// every two letters that follow each other.
fn pieces(word: &str, side: Side) -> Vec<String> {
    if word.is_empty() {
        return Vec::new();
    }
    if word.is_ascii() || !word.chars().any(is_unspaced) {
        return vec![word.chars().take(limits::SEARCH_WORD_CHARS).collect()];
    }
    let mut pieces = Vec::new();
    for run in
        word.chars().collect::<Vec<_>>().chunk_by(|one, other| is_unspaced(*one) == is_unspaced(*other))
    {
        match run {
            [first, ..] if !is_unspaced(*first) => {
                pieces.push(run.iter().take(limits::SEARCH_WORD_CHARS).collect());
            }
            _ => {
                pieces.extend(run.windows(2).map(|two| two.iter().collect::<String>()));
                if side == Side::Text || run.len() == 1 {
                    pieces.extend(run.last().map(|last| last.to_string()));
                }
            }
        }
    }
    pieces
}

/// Letters of scripts that put no space between words.
fn is_unspaced(c: char) -> bool {
    // All below are of others.
    c >= '\u{e00}'
        && matches!(
            CodePointMapData::<Script>::new().get(c),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
        )
}

/// Where in a text the words begin by which it is found, and which.
fn spots(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (at, first) = chars.find(|(_, c)| !words::is_between(*c))?;
        let mut end = at + first.len_utf8();
        if is_unspaced(first) {
            // With the letter that follows, which begins the next.
            end += chars.peek().filter(|(_, next)| is_unspaced(*next)).map_or(0, |(_, next)| next.len_utf8());
        } else {
            while let Some((_, next)) = chars.next_if(|(_, c)| !words::is_between(*c) && !is_unspaced(*c)) {
                end += next.len_utf8();
            }
        }
        Some((at, words::of(&text[at..end])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str, text: &str) -> bool {
        read(query).expect("a query").finds(&index(words::of(text)))
    }

    #[test]
    fn a_text_is_found_by_all_of_its_words_and_the_beginning_of_the_last() {
        for (query, text, finds) in [
            ("token", "The token refresh races", true),
            ("refresh token", "The token refresh races", true),
            ("tok", "The token refresh races", true),
            ("tok refresh", "The token refresh races", false),
            ("oken", "The token refresh races", false),
            ("token missing", "The token refresh races", false),
            ("TOKEN", "token", true),
            ("strasse", "Große STRAẞE", true),
            ("été", "E\u{301}TÉ", true),
            ("ete", "été", false),
            ("a", "a b", true),
            ("a", "ab", false),
            ("ab", "abc", true),
            ("foo-bar", "bar/foo", true),
            ("\"foo\" AND bar*", "foo and bar", true),
            ("NOT foo", "not foo", true),
            ("user@example.com", "write to user@example.com", true),
            ("example", "https://www.example.com/x?y=1", true),
            ("v1.2", "version v1.2.3", true),
            ("日本", "今日は日本語を話す", true),
            ("本語", "日本語", true),
            ("語", "日本語", true),
            ("日語", "日本語", false),
            ("api設計", "APIの設計", true),
            ("👍", "well done 👍", true),
        ] {
            assert_eq!(found(query, text), finds, "{query:?} in {text:?}");
        }
    }

    #[test]
    fn a_query_without_a_word_or_with_too_many_is_told_what_is_wrong() {
        for bad in ["", "   ", "?!*\"", "\0", &"x".repeat(201), &"a ".repeat(100)] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
        let repeated = read(&"again ".repeat(17)).map(|sought| sought.whole.len());
        assert!(repeated.is_err(), "too many are too many");
        let sought = read("one ONE two tw").expect("a query");
        assert_eq!((sought.whole, sought.begins), (vec!["one".into(), "two".into()], Some("tw".into())));
    }

    #[test]
    fn an_index_has_a_bound() {
        assert_eq!(index(words::of("b, a: b A c")), "b a b a c");
        assert_eq!(index(String::new()), "");
        let long = "x".repeat(limits::MESSAGE_TEXT_BYTES);
        assert_eq!(index(words::of(&long)).len(), limits::SEARCH_WORD_CHARS);
        assert!(found(&"x".repeat(100), &long));
        // As large as they come once they are folded.
        let swelling = "\u{fdfa} \u{3300}".repeat(limits::MESSAGE_TEXT_BYTES / 7);
        assert!(index(words::of(&swelling)).len() <= limits::SEARCH_WORDS_BYTES);
        let han: String =
            (0x4e00..0x9fff).chain(0x3400..0x4dbf).filter_map(char::from_u32).cycle().take(87_000).collect();
        let indexed = index(words::of(&han));
        assert!(indexed.len() <= limits::SEARCH_WORDS_BYTES && indexed.len() > 150_000);
        assert!(found("一丁", &han));
    }

    #[test]
    fn a_snippet_shows_the_first_word_that_was_found() {
        let snippet = |query: &str, text: &str| read(query).expect("a query").snippet(text);
        assert_eq!(snippet("two", "one\ntwo\tthree"), "one two three");
        let long = format!("{}Needle{}", "hay ".repeat(100), " straw".repeat(100));
        let shown = snippet("need", &long);
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("Needle"), "{shown}");
        assert!(shown.chars().count() <= limits::SNIPPET_CHARS + 2);
        assert!(snippet("語学", &format!("{}語学", "日本".repeat(300))).contains("語学"));
        assert!(snippet("strasse", &format!("{} STRAẞE", "é ".repeat(300))).contains("STRAẞE"));
        assert_eq!(snippet("elsewhere", "a title"), "a title", "it begins at the beginning");
        assert_eq!(snippet("x", ""), "");
    }
}
