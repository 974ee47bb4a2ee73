//! YAML as a tree in which every key and value knows where it stands: all reading of scenarios starts from it, so
//! that each mistake is told with its line.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Location, Spanned};

/// Line and column, each counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub line: usize,
    pub column: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub at: At,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub at: At,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Nothing,
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    /// In the order of the file; a key may stand twice.
    Map(Vec<(Key, Node)>),
}

impl Value {
    /// What it is, in words for whoever wrote it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Flag(_) => "true or false",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

/// The documents of a file. Empty ones are left out.
pub fn documents(source: &str) -> Result<Vec<Node>, (At, String)> {
    // The core schema of YAML 1.2: `yes` and `1_000` are words.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        underscored_numbers_as_strings: true,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        with_snippet: false,
    };
    let read = serde_saphyr::from_multiple_with_options::<Spanned<Value>>(source, options);
    read.map(|documents| documents.into_iter().map(node).collect()).map_err(|error| {
        let at = error.location().map_or(At { line: 1, column: 1 }, place);
        // The message ends with the place, which is told beside it.
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        (at, message.to_owned())
    })
}

fn node(spanned: Spanned<Value>) -> Node {
    Node { at: place(spanned.referenced), value: spanned.value }
}

fn place(location: Location) -> At {
    let one_based = |count: u64| usize::try_from(count).unwrap_or(usize::MAX).max(1);
    At { line: one_based(location.line()), column: one_based(location.column()) }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, whole: i64) -> Result<Value, E> {
        Ok(Value::Whole(whole))
    }

    fn visit_u64<E: serde::de::Error>(self, whole: u64) -> Result<Value, E> {
        let too_large = |_| E::custom(format!("the number {whole} is too large"));
        i64::try_from(whole).map(Value::Whole).map_err(too_large)
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element()? {
            list.push(node(entry));
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some((key, value)) = entries.next_entry::<Spanned<String>, _>()? {
            map.push((Key { at: place(key.referenced), name: key.value }, node(value)));
        }
        Ok(Value::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(source: &str) -> Value {
        documents(source).expect("it reads").remove(0).value
    }

    #[test]
    fn words_are_words_and_places_are_known() {
        let Value::Map(entries) = first("yes: true\nb: [yes, on, 1_000, 2026-01-01T00:00:00Z, 7, 0.5, ~]\n")
        else {
            panic!("a mapping")
        };
        assert_eq!(entries[0].0.name, "yes");
        assert_eq!(entries[0].1.value, Value::Flag(true));
        let Value::List(list) = &entries[1].1.value else { panic!("a list") };
        let kinds: Vec<_> = list.iter().map(|node| node.value.kind()).collect();
        let expected = ["a text", "a text", "a text", "a text", "a whole number", "a number", "nothing"];
        assert_eq!(kinds, expected);
        assert_eq!(list[4].at, At { line: 2, column: 43 });
    }

    #[test]
    fn lines_go_on_from_document_to_document() {
        let read = documents("a: 1\n---\nb: 2\n---\n# nothing\n").expect("it reads");
        assert_eq!(read.iter().map(|node| node.at.line).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn what_is_no_yaml_is_told_with_its_place() {
        let (at, message) = documents("a: 1\nb: {c: d\n").expect_err("no YAML");
        assert_eq!((at.line, message.as_str()), (2, "unclosed bracket '{'"));
    }
}
