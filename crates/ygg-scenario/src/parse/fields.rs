//! Reading one mapping: its keys are known beforehand, each is taken by name and type, and every mistake knows its
//! place.

use std::collections::HashSet;
use std::fmt;

use crate::yaml::{At, Key, Node, Value};

/// What is wrong with a scenario file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl ParseError {
    pub fn new(at: At, message: impl Into<String>) -> Self {
        Self { line: at.line, column: at.column, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub type Result<T> = std::result::Result<T, ParseError>;

/// A mapping whose keys are all among those it may have.
pub struct Fields<'a> {
    at: At,
    what: &'a str,
    entries: &'a [(Key, Node)],
}

impl<'a> Fields<'a> {
    /// `what` names the mapping in messages.
    pub fn of(node: &'a Node, what: &'a str, known: &[&str]) -> Result<Self> {
        let entries = map(node, what)?;
        for (key, _) in entries {
            if !known.contains(&key.name.as_str()) {
                let message = format!("{what} has no key `{}`; it has {}", key.name, known.join(", "));
                return Err(ParseError::new(key.at, message));
            }
        }
        Ok(Self { at: node.at, what, entries })
    }

    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    pub fn need(&self, name: &str) -> Result<&'a Node> {
        self.get(name).ok_or_else(|| ParseError::new(self.at, format!("{} needs `{name}`", self.what)))
    }

    /// Reads a key that may be left out.
    pub fn maybe<T>(&self, name: &str, read: impl FnOnce(&'a Node, &str) -> Result<T>) -> Result<Option<T>> {
        self.get(name).map(|node| read(node, name)).transpose()
    }

    /// Reads a key that must be there.
    pub fn read<T>(&self, name: &str, read: impl FnOnce(&'a Node, &str) -> Result<T>) -> Result<T> {
        read(self.need(name)?, name)
    }

    pub fn at(&self) -> At {
        self.at
    }
}

fn wrong(node: &Node, what: &str, wanted: &str) -> ParseError {
    let quote = match (&node.value, wanted) {
        (Value::Flag(_) | Value::Whole(_) | Value::Number(_), "a text") => ": put it in quotes",
        _ => "",
    };
    ParseError::new(node.at, format!("`{what}` must be {wanted}, and this is {}{quote}", node.value.kind()))
}

/// A mapping with any keys, none twice.
pub fn map<'a>(node: &'a Node, what: &str) -> Result<&'a [(Key, Node)]> {
    let Value::Map(entries) = &node.value else { return Err(wrong(node, what, "a mapping")) };
    let mut before = HashSet::with_capacity(entries.len());
    for (key, _) in entries {
        if !before.insert(key.name.as_str()) {
            return Err(ParseError::new(key.at, format!("the key `{}` stands here twice", key.name)));
        }
    }
    Ok(entries)
}

pub fn list<'a>(node: &'a Node, what: &str) -> Result<&'a [Node]> {
    if let Value::List(entries) = &node.value { Ok(entries) } else { Err(wrong(node, what, "a list")) }
}

pub fn text(node: &Node, what: &str) -> Result<String> {
    if let Value::Text(text) = &node.value { Ok(text.clone()) } else { Err(wrong(node, what, "a text")) }
}

pub fn texts(node: &Node, what: &str) -> Result<Vec<String>> {
    list(node, what)?.iter().map(|entry| text(entry, what)).collect()
}

pub fn flag(node: &Node, what: &str) -> Result<bool> {
    if let Value::Flag(flag) = node.value { Ok(flag) } else { Err(wrong(node, what, "true or false")) }
}

/// A step that only happens: its value is `true`.
pub fn only_true(node: &Node, what: &str) -> Result<()> {
    if node.value == Value::Flag(true) { Ok(()) } else { Err(wrong(node, what, "`true`")) }
}

pub fn whole(node: &Node, what: &str) -> Result<i64> {
    if let Value::Whole(whole) = node.value { Ok(whole) } else { Err(wrong(node, what, "a whole number")) }
}

/// A whole number from 0 up.
pub fn count<T: TryFrom<i64>>(node: &Node, what: &str) -> Result<T> {
    let whole = whole(node, what)?;
    let fits = (whole >= 0).then(|| T::try_from(whole).ok()).flatten();
    fits.ok_or_else(|| ParseError::new(node.at, format!("`{what}` cannot be {whole}")))
}

pub fn number(node: &Node, what: &str) -> Result<f64> {
    match node.value {
        Value::Number(number) => Ok(number),
        // Money in a scenario is far below where this loses anything.
        #[expect(clippy::cast_precision_loss, reason = "amounts here are small")]
        Value::Whole(whole) => Ok(whole as f64),
        Value::Nothing | Value::Flag(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            Err(wrong(node, what, "a number"))
        }
    }
}

/// One of a closed set of words.
pub fn one_of<T>(node: &Node, what: &str, words: &[&str], read: impl Fn(&str) -> Option<T>) -> Result<T> {
    let word = text(node, what)?;
    read(&word).ok_or_else(|| {
        ParseError::new(node.at, format!("`{what}` is one of {}, not `{word}`", words.join(", ")))
    })
}
